/**
 * The keys {@code evenkeel.terasort.*}, the releases of Hadoop this module is tested on, and what a
 * tool or a job checks of both before it starts.
 */
package io.evenkeel.terasort.config;
