/** Runs the TeraSort suite: finds the examples, runs the phases, reads their jobs' counters. */
package io.evenkeel.terasort.suite;
