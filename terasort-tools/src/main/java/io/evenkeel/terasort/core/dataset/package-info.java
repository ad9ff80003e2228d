/**
 * A sorted data set as a whole: the order of its partitions, what is wrong with it, and what was
 * expected of it.
 *
 * <p>Data flow: listed files → {@code PartitionOrder} → the position of each file; fragments sorted
 * by position and offset → {@code DataSetChecker} → {@code Violation}s and {@code Partition}s.
 */
package io.evenkeel.terasort.core.dataset;
