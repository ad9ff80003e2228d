/**
 * HDFS clusters of real processes on one machine: plan, start, break, mend, stop.
 *
 * <p>In: a {@link io.evenkeel.bench.cluster.ClusterSpec}. Out: a directory with everything the
 * cluster owns, {@code cluster.json} in it telling what runs. Planning ({@code Plan}, {@code
 * YarnKeys}, {@code SiteXml}, {@code ClusterState}) is pure; only {@code Daemons}, {@code
 * Processes} and {@code Addresses} touch the system.
 */
package io.evenkeel.bench.cluster;
