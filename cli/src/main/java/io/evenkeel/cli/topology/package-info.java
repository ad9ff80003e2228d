/**
 * The edge of {@code evenkeel topology} and {@code evenkeel simulate}: reads files, standard input
 * and NameNodes. What is found is decided in the placement module's core and printed by the core
 * package here.
 */
package io.evenkeel.cli.topology;
