/**
 * The command line of the mover: options, lists of paths, progress and printing. What moves files
 * stands behind {@link io.evenkeel.mover.cli.Movers}.
 */
package io.evenkeel.mover.cli;
