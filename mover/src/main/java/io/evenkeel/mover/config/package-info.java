/** The keys {@code evenkeel.mover.*} and the releases of Hadoop this module is tested on. */
package io.evenkeel.mover.config;
