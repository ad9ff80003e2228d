/** Seeded faults on a cluster of real processes, and whether anything acknowledged was lost. */
package io.evenkeel.bench.gameday;
