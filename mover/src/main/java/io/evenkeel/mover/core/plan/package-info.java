/**
 * Which replica of a block should go where: values and rules only, no Hadoop, no clock. {@link
 * io.evenkeel.mover.core.plan.BlockPlanner} decides, the other types say what it decides about.
 */
package io.evenkeel.mover.core.plan;
