/**
 * Choosing a volume, without Hadoop types: volumes are opaque objects compared by identity, free
 * space comes from a callback, and scarcity is a value.
 *
 * <p>No clock, no randomness and no I/O of its own; every class says how it is guarded.
 */
package io.evenkeel.volume.core;
