/**
 * Deterministic simulations that drive the real classes of Hadoop and of our plugins.
 *
 * <p>Seeded, without a clock: the same seed gives the same result on every machine.
 */
package io.evenkeel.bench.sim;
