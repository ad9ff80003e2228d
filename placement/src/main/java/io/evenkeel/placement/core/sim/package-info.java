/**
 * Simulates the writing of blocks over a cluster with the production engine, and with models of
 * stock HDFS beside it.
 */
package io.evenkeel.placement.core.sim;
