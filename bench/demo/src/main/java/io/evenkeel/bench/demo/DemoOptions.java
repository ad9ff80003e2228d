package io.evenkeel.bench.demo;

import java.nio.file.Path;

/**
 * What {@code evenkeel demo} was asked for.
 *
 * @param sizeBytes bytes TeraGen writes, a multiple of 100
 * @param hadoop Hadoop release to run
 * @param out directory that receives the reports and, while it runs, everything else
 * @param only section to run, or null for all
 * @param full repeat without the time limit
 * @param keep leave the clusters' files and logs in {@code out}
 * @param json print the report as JSON at the end, and progress to standard error
 */
public record DemoOptions(
    long sizeBytes,
    String hadoop,
    Path out,
    String only,
    boolean full,
    boolean keep,
    boolean json) {}
