/** The keys {@code evenkeel.placement.*} and the releases of Hadoop this module is tested on. */
package io.evenkeel.placement.config;
