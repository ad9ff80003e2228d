/**
 * The history of a finished MapReduce job without Hadoop: reading it, and where its map tasks ran
 * seen from their data.
 */
package io.evenkeel.terasort.core.history;
