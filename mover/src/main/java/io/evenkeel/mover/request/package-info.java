/**
 * What the mover is asked for and what it answers: values without Hadoop, which everything else in
 * the mover, its core included, may use. {@link io.evenkeel.mover.FileMover} takes and gives them.
 */
package io.evenkeel.mover.request;
