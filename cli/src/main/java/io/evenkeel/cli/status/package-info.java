/**
 * The edge of {@code evenkeel status}: finds the daemons of a cluster (options, Hadoop
 * configuration, {@code cluster.json}, the NameNode's list of DataNodes) and asks their {@code
 * /jmx}. JDK only. Flow: {@link io.evenkeel.cli.status.ClusterSource}, then {@link
 * io.evenkeel.cli.status.ClusterScan}, then the core package.
 */
package io.evenkeel.cli.status;
