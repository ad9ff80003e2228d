/** What a run of the mover ends with, and how far it is, from values only. */
package io.evenkeel.mover.core.report;
