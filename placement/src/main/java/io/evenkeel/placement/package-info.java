/**
 * A uniform, node-group-aware block placement policy (HDFS-7122, HADOOP-8468).
 *
 * <p>This package holds the classes an operator names in XML and the public API; algorithms without
 * a Hadoop import stand in {@code io.evenkeel.placement.core}.
 */
package io.evenkeel.placement;
