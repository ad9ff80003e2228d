/**
 * The algorithms of the uniform placement, without Hadoop, clock or I/O.
 *
 * <p>{@link io.evenkeel.placement.core.PlacementEngine} is the way in; {@link
 * io.evenkeel.placement.core.ReplicaSearch} holds the order in which rules give way, {@link
 * io.evenkeel.placement.core.BlockTargets} what a block has and may have, {@link
 * io.evenkeel.placement.core.LoadTable} the uniform choice.
 */
package io.evenkeel.placement.core;
