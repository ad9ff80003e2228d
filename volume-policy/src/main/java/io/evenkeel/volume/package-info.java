/**
 * Volume choosing policies for DataNodes with unequal disks (HDFS-9608).
 *
 * <p>This package holds the classes an operator names in XML and the public API; algorithms without
 * a Hadoop import stand in {@code io.evenkeel.volume.core}.
 */
package io.evenkeel.volume;
