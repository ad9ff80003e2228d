/** The policies in a whole HDFS of one process, whose DataNodes pretend to be VMs on hosts. */
package io.evenkeel.placement.live;
