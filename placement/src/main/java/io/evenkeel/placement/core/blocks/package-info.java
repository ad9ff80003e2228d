/**
 * Blocks of a cluster as {@code hdfs fsck / -files -blocks -locations} lists them: which would be
 * lost with a host, and which would be copied under another policy.
 *
 * <p>{@link io.evenkeel.placement.core.blocks.FsckReader} reads; {@link
 * io.evenkeel.placement.core.blocks.HostStop} and {@link
 * io.evenkeel.placement.core.blocks.Migration} answer.
 */
package io.evenkeel.placement.core.blocks;
