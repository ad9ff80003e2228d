/**
 * Lets Hadoop's own test classes run on our dataset: an agent that rewrites {@code new
 * FsDatasetImpl} in tests that make the stock class themselves.
 */
package io.evenkeel.locking.conformance;
