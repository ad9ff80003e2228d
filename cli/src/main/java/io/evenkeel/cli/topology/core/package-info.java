/** Texts, JSON and pages of {@code evenkeel topology} and {@code evenkeel simulate}. Stateless. */
package io.evenkeel.cli.topology.core;
