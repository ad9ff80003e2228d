/**
 * Locks whose unit is the block, without a Hadoop import.
 *
 * <p>An {@link io.evenkeel.locking.core.Operation} is what one thread does with one block; while it
 * runs it may hold that block's lock, exclusively or shared, and no other lock of this package.
 *
 * <p><b>Lock order</b>, outermost first. A thread may skip steps, never go back:
 *
 * <ol>
 *   <li>{@link io.evenkeel.locking.core.PoolGate}: not a lock but a count of the operations inside
 *       a block pool. Entering never waits: a closed pool refuses.
 *   <li>the lock of the operation's block;
 *   <li>the lock of a second block: only tried, never waited for (a replica evicted from memory to
 *       make room for the block being created, the copy that a truncation makes, and what was left
 *       to be done when a lock was given back), and given back before the first one;
 *   <li>the monitors of stock's own maps and counters: no I/O under them.
 * </ol>
 *
 * <table>
 * <caption>What may be held across what</caption>
 * <tr><th>held</th><th>disk I/O of the same block</th><th>disk I/O of another block</th>
 *     <th>waiting for a writer to stop</th><th>waiting for another block's lock</th></tr>
 * <tr><td>pool gate</td><td>yes</td><td>yes</td><td>yes</td><td>yes</td></tr>
 * <tr><td>block lock</td><td>yes</td><td>no, but for a replica evicted for it</td><td>no: the writer needs it to leave</td>
 *     <td>no</td></tr>
 * <tr><td>second block's lock</td><td>yes (that block's)</td><td>no</td><td>no</td><td>no</td></tr>
 * </table>
 *
 * <p>So whoever waits for a block's lock waits for I/O of that block and of no other, and there is
 * no cycle. Threads that serve a whole volume or pool do not even do that: {@link
 * io.evenkeel.locking.core.Operation#keepLockOr}. The exception is stock's: a creation in memory
 * renames the saved files of the replicas it evicts itself, and who needs the block that is being
 * created waits for that. A request for the lock of another block than the one held is counted as a
 * broken rule ({@link io.evenkeel.locking.core.Operations#brokenRules}); that nobody waits for
 * another block's I/O, or for a writer while it holds a lock, is what tests show that park them.
 */
package io.evenkeel.locking.core;
