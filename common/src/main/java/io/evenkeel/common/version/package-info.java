/**
 * Which Hadoop releases a module was tested on, and what follows on another one. Pure and
 * immutable.
 */
package io.evenkeel.common.version;
