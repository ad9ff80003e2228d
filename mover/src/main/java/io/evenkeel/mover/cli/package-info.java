/**
 * The command of the mover: options, lists of paths, progress and printing. What moves files stands
 * behind {@link io.evenkeel.mover.follow.MoveService}.
 */
package io.evenkeel.mover.cli;
