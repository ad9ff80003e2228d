/**
 * The edge of {@code evenkeel check}: reads the configuration and the class path of one host. Flow:
 * {@link io.evenkeel.cli.check.ClassPath}, then {@link io.evenkeel.cli.check.core.Preflight}.
 */
package io.evenkeel.cli.check;
