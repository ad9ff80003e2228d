/**
 * Choosing a volume, without Hadoop types: volumes are opaque objects compared by identity, free
 * space comes from a callback, and scarcity is a value.
 *
 * <p>No clock, no randomness and no I/O of its own; every class says how it is guarded.
 *
 * <h2>Locks</h2>
 *
 * <p>On a DataNode every lock of this module is a leaf, apart from the two of registration named
 * last: whoever holds one takes no other of this module. So there is no order to keep, and the rule
 * for a change is the table: what is not listed must not happen under that lock.
 *
 * <table>
 *   <caption>What may happen while a lock is held</caption>
 *   <tr><th>lock</th><th>taken by</th><th>may be held across</th></tr>
 *   <tr><td>the lock of a {@link VolumeGroup}, one per storage type</td>
 *       <td>choosing, sampling, probing and reporting threads</td>
 *       <td>its own memory; {@link VolumeSignals#references} and {@link
 *       VolumeSignals#unacknowledgedBytes}, which read memory; the traits of a new volume. Never
 *       across {@link SpaceProbes}, the other signals, a log, or the lock of another group</td></tr>
 *   <tr><td>{@code signal.WatchedProbes}</td>
 *       <td>a choosing thread only when it must wait for an answer; sampling and probing
 *       threads</td>
 *       <td>its queue, waiting (which gives it up) and the start of a thread. Never across a
 *       question to a volume, a call of a {@link VolumeGroup}, or a log</td></tr>
 *   <tr><td>{@link Rotation}</td>
 *       <td>choosing threads</td>
 *       <td>its own memory. Never across {@link FreeSpace}</td></tr>
 *   <tr><td>{@code signal.DataNodeSignals}</td>
 *       <td>sampling, probing and reporting threads, never a choosing one</td>
 *       <td>its lists and the name of a volume. Never across a read of a signal</td></tr>
 *   <tr><td>{@code signal.DeviceSource}</td>
 *       <td>the sampling thread, and a probing one when it finds the device</td>
 *       <td>the read of one file of sysfs, which answers from memory</td></tr>
 *   <tr><td>{@code LogLimiter}, the sampler of {@code VolumeGroups}</td>
 *       <td>any thread</td>
 *       <td>their own fields; the second also the start of a thread</td></tr>
 *   <tr><td>{@code NumberedBeans}, {@code Published}</td>
 *       <td>the thread that configures a policy</td>
 *       <td>the registration with Hadoop or the JVM, which may ask for a report and so take the
 *       lock of a group. Never taken by any other thread</td></tr>
 * </table>
 *
 * <p>Around all of them stands whatever the DataNode holds when it chooses a volume: the lock of
 * the whole dataset up to Hadoop 3.3, a shared one or none from 3.4 on. So what a choosing thread
 * waits for must never need a lock of the dataset: a probe that did would wait for the choice that
 * waits for it.
 */
package io.evenkeel.volume.core;
