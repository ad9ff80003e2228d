/**
 * The edge of host-aware locality: asks YARN and the site's mapping of hosts, rewrites splits, and
 * fetches the history of a job.
 */
package io.evenkeel.terasort.locality;
