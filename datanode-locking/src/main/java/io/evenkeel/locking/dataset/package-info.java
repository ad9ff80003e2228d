/**
 * The thin edge to Hadoop's dataset: stock's lock requests answered with locks of {@link
 * io.evenkeel.locking.core}. The dataset itself stands in Hadoop's package, where its base class is
 * visible.
 */
package io.evenkeel.locking.dataset;
