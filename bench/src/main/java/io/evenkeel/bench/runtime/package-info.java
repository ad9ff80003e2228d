/**
 * Where the classes of a Hadoop release come from: Maven artifacts or an installed Hadoop.
 *
 * <p>In: a version. Out: a class path and the JVM options that release needs. No Hadoop import.
 */
package io.evenkeel.bench.runtime;
