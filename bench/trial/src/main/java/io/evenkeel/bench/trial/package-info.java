/**
 * What each module must do on a Hadoop, tried out in one JVM that has that Hadoop and the plugin
 * jars on its class path and nothing else: Java 8, and no class that Hadoop 2.7 lacks where Hadoop
 * 2.7 is tried.
 */
package io.evenkeel.bench.trial;
