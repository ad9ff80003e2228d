/**
 * {@code evenkeel bench}: benchmarks, simulations and experiments, in a checkout only.
 *
 * <p>Java 17; never on a daemon's class path and never a dependency of a plugin.
 */
package io.evenkeel.bench;
