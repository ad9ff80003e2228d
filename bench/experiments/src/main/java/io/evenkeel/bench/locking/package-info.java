/**
 * Experiments on the lock of a DataNode's dataset: the real dataset of a real DataNode in this JVM,
 * the stock one beside ours, with the disk I/O of one block stuck, and without.
 */
package io.evenkeel.bench.locking;
