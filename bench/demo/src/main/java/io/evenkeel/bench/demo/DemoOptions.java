package io.evenkeel.bench.demo;

import java.nio.file.Path;

/**
 * What {@code evenkeel demo} or {@code evenkeel bench --report} was asked for.
 *
 * @param sizeBytes bytes TeraGen writes, a multiple of 100
 * @param hadoop Hadoop release to run
 * @param out directory that receives the reports and, while it runs, everything else
 * @param only section to run, or null for all
 * @param full three passes of every arm, or else one pass of those a demo has time for
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
