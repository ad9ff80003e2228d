/**
 * The edge of host-aware locality: asks YARN and the site's mapping of hosts, rewrites splits, and
 * fetches the history of a job.
 *
 * <p>Nothing here is about TeraSort. It stands in this module because the module is the one jar
 * that is made for a job's client and tasks; the other jars are made for daemons.
 */
package io.evenkeel.terasort.locality;
