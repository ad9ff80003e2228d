/** The MBeans of a daemon: how it names its own, and how a tool reads them. JDK only. */
package io.evenkeel.common.jmx;
