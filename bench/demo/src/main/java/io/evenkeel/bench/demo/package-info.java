/**
 * {@code evenkeel demo}: a whole HDFS and YARN in one JVM, the TeraSort suite on it with stock and
 * with Evenkeel settings, and the measurements of both as one report.
 *
 * <p>Flow: {@link io.evenkeel.bench.demo.DemoLauncher} (checks, forks) starts {@link
 * io.evenkeel.bench.demo.DemoMain} in a JVM with Hadoop on its class path; that builds two {@link
 * io.evenkeel.bench.embedded.EmbeddedHdfs} (stock, Evenkeel) and one {@link
 * io.evenkeel.bench.embedded.EmbeddedYarn}, runs {@link io.evenkeel.bench.demo.TeraSuite} on each
 * in turn while samplers watch, then each {@link io.evenkeel.bench.demo.DemoSection} on clusters of
 * its own, and writes {@code report.json} and {@code report.html}. Everything lives below the
 * output directory.
 */
package io.evenkeel.bench.demo;
