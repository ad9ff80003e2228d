/**
 * The layout of a cluster as an operator writes it down or a NameNode tells it, and what is wrong
 * with it.
 *
 * <p>{@link io.evenkeel.cli.core.topology.TopologyLines} and {@link
 * io.evenkeel.cli.core.topology.TopologyDocument} read, {@link
 * io.evenkeel.cli.core.topology.Topology} is the layout, {@link
 * io.evenkeel.cli.core.topology.TopologyCheck} finds.
 */
package io.evenkeel.cli.core.topology;
