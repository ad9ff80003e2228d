/**
 * A uniform, node-group-aware block placement policy (HDFS-7122, HADOOP-8468).
 *
 * <p>This package holds the classes an operator names in XML and the public API; algorithms without
 * a Hadoop import stand in {@code io.evenkeel.placement.core}.
 *
 * <p>A block's way: HDFS calls {@code chooseTarget}, and stock's ladder of storage types and
 * retries calls {@code chooseTargetInOrder} of {@link
 * io.evenkeel.placement.UniformBlockPlacementPolicy}. It has a {@link
 * io.evenkeel.placement.namenode.DataNodeIndex} say in numbers what is asked for ({@link
 * io.evenkeel.placement.core.BlockRequest}), and a {@link
 * io.evenkeel.placement.core.PlacementEngine} search. Each DataNode the search comes to is judged
 * by {@link io.evenkeel.placement.core.TargetChecks}, which asks stock: it is taken, or the reason
 * is given and counted.
 */
package io.evenkeel.placement;
