/** One round of a game day: a cluster, a load, faults, and what is wrong afterwards. */
package io.evenkeel.bench.gameday.round;
