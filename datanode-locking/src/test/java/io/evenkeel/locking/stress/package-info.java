/**
 * A model-based concurrent stress of the dataset of one DataNode, stock's or ours.
 *
 * <p>A round brings a few blocks into states drawn from a seed, runs drawn operations on them all
 * at once with slow and failing disks, waits until all is quiet and then asks two things: do map
 * and disk agree ({@link io.evenkeel.locking.stress.DiskView}), and is there an order of the
 * operations, one after the other, that gives what every caller saw and what is there now ({@link
 * io.evenkeel.locking.stress.Explainer} over {@link io.evenkeel.locking.stress.Rules})?
 */
package io.evenkeel.locking.stress;
