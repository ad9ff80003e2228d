/** How often a daemon may log the same thing. JDK only: the caller has the logger and the clock. */
package io.evenkeel.common.log;
