/**
 * HDFS and YARN in one JVM, as the demo and experiments use them: daemons with names and addresses
 * of their own on simulated hosts, stock's storage policy satisfier beside them, and what Hadoop
 * logs of jobs and reads.
 */
package io.evenkeel.bench.embedded;
