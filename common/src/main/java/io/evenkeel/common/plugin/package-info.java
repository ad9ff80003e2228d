/**
 * How a plugin says that it is active: one MBean per plugin class and JVM, read by {@code evenkeel
 * status} through {@code /jmx}. Thread-safe.
 */
package io.evenkeel.common.plugin;
