/**
 * What stock does not do for a choice of targets, in stock's own types. The policy's base class in
 * Hadoop's package uses it, so it depends on no other package of this module.
 */
package io.evenkeel.placement.choice;
