/** What a run of the mover ends with, from values only. */
package io.evenkeel.mover.core.report;
