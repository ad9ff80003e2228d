/**
 * How a plugin starts, and says that it is active: {@link
 * io.evenkeel.common.plugin.PluginModule#startOrFail} reads its keys, and one MBean per plugin
 * class and JVM is read by {@code evenkeel status} through {@code /jmx}. Thread-safe.
 */
package io.evenkeel.common.plugin;
