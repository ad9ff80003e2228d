/**
 * Real block placement policies on real topologies and descriptors: how evenly they place, under
 * which changes, at what cost, and whether they keep their rules; and what a whole NameNode gets
 * done with them.
 *
 * <p>What the harness draws is seeded. Stock policies draw from generators that cannot be seeded,
 * so every row is run several times and shows its range.
 */
package io.evenkeel.bench.sim.placement;
