/**
 * A finer-grained lock for the DataNode's dataset (HDFS-9668).
 *
 * <p>This package holds the classes an operator names in XML and the public API; algorithms without
 * a Hadoop import stand in {@code io.evenkeel.locking.core}.
 */
package io.evenkeel.locking;
