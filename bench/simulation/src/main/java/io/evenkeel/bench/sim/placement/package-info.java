/**
 * Real block placement policies on real topologies and descriptors, without a NameNode around them:
 * what {@code evenkeel simulate} runs, and experiments with placement.
 *
 * <p>What the harness draws is seeded. Stock policies draw from generators that cannot be seeded.
 */
package io.evenkeel.bench.sim.placement;
