/**
 * {@code evenkeel demo} and {@code evenkeel bench --report}: stock, as it is often found and at its
 * best, beside Evenkeel, on whole clusters in one JVM, as one report.
 *
 * <p>Flow: {@link io.evenkeel.bench.demo.DemoLauncher} (checks, forks) starts {@link
 * io.evenkeel.bench.demo.DemoMain} in a JVM with Hadoop on its class path; that runs each {@link
 * io.evenkeel.bench.demo.DemoSection} on clusters of its own and writes {@code report.json} and
 * {@code report.html}. Everything lives below the output directory.
 */
package io.evenkeel.bench.demo;
