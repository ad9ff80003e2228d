/** What a run of the TeraSort suite measured, its statistics and how they are printed. */
package io.evenkeel.terasort.core.suite;
