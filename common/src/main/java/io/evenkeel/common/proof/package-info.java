/**
 * Whether the Hadoop classes that are on the class path are ones this code understands: asked of
 * their files, whatever release they say they are (docs/decisions/0022). No class is loaded.
 */
package io.evenkeel.common.proof;
