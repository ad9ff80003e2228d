/**
 * The {@code evenkeel} command: one picocli class per subcommand, each a thin edge over a library
 * class. Java 8, except that {@code demo}, {@code cluster}, {@code gameday}, {@code simulate} and
 * {@code bench} load the Java 17 bench jars when they run.
 */
package io.evenkeel.cli;
