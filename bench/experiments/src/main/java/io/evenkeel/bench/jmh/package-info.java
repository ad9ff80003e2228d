/**
 * JMH benchmarks: the stock class of the running Hadoop is a parameter value beside ours, so that
 * every result is a ratio within one run.
 */
package io.evenkeel.bench.jmh;
