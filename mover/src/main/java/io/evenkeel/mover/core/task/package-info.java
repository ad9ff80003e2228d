/**
 * The state of a file that is being moved, and the limits moves keep: values and rules only, time
 * and randomness handed in.
 */
package io.evenkeel.mover.core.task;
