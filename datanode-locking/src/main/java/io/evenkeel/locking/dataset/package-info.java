/**
 * The thin edge to Hadoop's dataset: stock's lock requests answered with locks of {@link
 * io.evenkeel.locking.core}. The dataset itself stands in Hadoop's package, where its base class is
 * visible.
 *
 * <table>
 * <caption>What guards what ("block": the lock of that block)</caption>
 * <tr><th>field</th><th>guard</th><th>read</th><th>written</th></tr>
 * <tr><td>{@code volumeMap}: the entry of a block</td>
 *     <td>block, and the set's own monitor for one call</td>
 *     <td>one call: without a lock; what is acted upon afterwards: block, shared or exclusively</td>
 *     <td>block, exclusively; by the adding and removal of volumes and pools, which concern
 *     replicas that are not served yet or no more: without</td></tr>
 * <tr><td>a replica's state, generation stamp and path</td><td>block</td>
 *     <td>shared, or without where stock does</td><td>exclusively</td></tr>
 * <tr><td>a replica's lengths while it is written</td><td>its writer, and the replica's own
 *     monitor</td><td>without</td><td>by its only writer, without</td></tr>
 * <tr><td>files of a block on the disk</td><td>block</td>
 *     <td>opened under the shared lock; an open file stays readable</td>
 *     <td>made, renamed and cut under the exclusive lock; deleted without, once the entry is gone:
 *     {@link io.evenkeel.locking.dataset.PendingDeletions} keeps the next replica from that
 *     volume</td></tr>
 * <tr><td>{@code PendingDeletions}</td><td>concurrent map</td><td>block, exclusively</td>
 *     <td>block, exclusively; taken out without</td></tr>
 * <tr><td>{@code volumes}, {@code storageMap}</td><td>stock's {@code synchronized} of the dataset;
 *     the list is replaced as a whole</td><td>without, with a reference to the volume</td>
 *     <td>in that monitor, which is never entered with a block's lock</td></tr>
 * <tr><td>whether a pool is open, who is inside</td>
 *     <td>{@link io.evenkeel.locking.core.PoolGate}, an atomic number</td><td>entering, never
 *     waits</td><td>closing, waits outside of all locks</td></tr>
 * <tr><td>{@code ramDiskReplicaTracker}, {@code cacheManager}, {@code deletingBlock}</td>
 *     <td>their own monitors</td><td>one call each</td><td>one call each; put back after an eviction
 *     that found its block in use, begun to be saved, and to be saved anew: two calls in the
 *     tracker's monitor</td></tr>
 * <tr><td>counters of space and blocks</td><td>atomic</td><td>without</td><td>without</td></tr>
 * </table>
 */
package io.evenkeel.locking.dataset;
