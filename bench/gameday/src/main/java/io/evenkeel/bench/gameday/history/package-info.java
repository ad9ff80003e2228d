/**
 * What the load did, what may therefore be in each file, and whether what was read is explained by
 * it; no import of Hadoop, time passed in.
 */
package io.evenkeel.bench.gameday.history;
