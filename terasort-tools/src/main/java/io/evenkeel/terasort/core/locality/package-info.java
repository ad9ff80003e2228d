/**
 * Which hosts are one machine, which of them a split should name, and where a task ran seen from
 * its data.
 */
package io.evenkeel.terasort.core.locality;
