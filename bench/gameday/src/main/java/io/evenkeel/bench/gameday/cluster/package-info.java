/** A cluster of real processes on which faults begin and end. */
package io.evenkeel.bench.gameday.cluster;
