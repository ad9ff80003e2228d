/**
 * The edge of {@code evenkeel locality}: finds the history of a job and the settings beside it.
 * What they mean is decided in {@code io.evenkeel.cli.core.history}.
 */
package io.evenkeel.cli.locality;
