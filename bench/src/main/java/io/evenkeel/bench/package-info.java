/**
 * Benchmarks, simulators and macro runs on embedded and real-process clusters.
 *
 * <p>Java 17; never on a daemon's class path and never a dependency of a plugin.
 */
package io.evenkeel.bench;
