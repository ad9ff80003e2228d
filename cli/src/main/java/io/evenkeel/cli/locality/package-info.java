/**
 * The edge of {@code evenkeel locality}: finds the history of a job and the settings beside it.
 * What they mean is decided in the core of the terasort-tools module.
 */
package io.evenkeel.cli.locality;
