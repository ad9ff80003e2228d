/**
 * Blocks of a cluster as {@code hdfs fsck / -files -blocks -locations} lists them: which would be
 * lost with a host, and which would be copied under another policy.
 *
 * <p>{@link io.evenkeel.cli.core.blocks.FsckReader} reads; {@link
 * io.evenkeel.cli.core.blocks.HostStop} and {@link io.evenkeel.cli.core.blocks.Migration} answer.
 */
package io.evenkeel.cli.core.blocks;
