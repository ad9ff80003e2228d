/** What all Evenkeel commands share, whether run by the launcher or by {@code hadoop jar}. */
package io.evenkeel.common.cli;
