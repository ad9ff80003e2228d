/** A client of the {@code /jmx} servlet every Hadoop daemon serves. JDK only. */
package io.evenkeel.common.jmx;
