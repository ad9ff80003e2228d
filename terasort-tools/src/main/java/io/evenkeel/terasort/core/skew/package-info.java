/** How unequal TeraSort's partitions become, from the keys it samples. */
package io.evenkeel.terasort.core.skew;
