/** What a run of the mover says: its exit code, its progress and its report, from values only. */
package io.evenkeel.mover.core.report;
