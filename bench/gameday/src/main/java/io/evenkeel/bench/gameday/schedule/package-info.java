/** Which faults a round has and when, as values; no import of Hadoop, no clock, no processes. */
package io.evenkeel.bench.gameday.schedule;
