/**
 * Experiments with block placement on the simulations of {@link io.evenkeel.bench.sim.placement}:
 * how evenly policies place, under which changes, at what cost, and whether they keep their rules;
 * and what a whole NameNode gets done with them.
 *
 * <p>What the harness draws is seeded. Stock policies draw from generators that cannot be seeded,
 * so every row is run several times and shows its range.
 */
package io.evenkeel.bench.placement;
