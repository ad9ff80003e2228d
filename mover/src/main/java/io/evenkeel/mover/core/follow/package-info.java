/**
 * What the following daemon decides from values: which events are requests, what its journal holds,
 * in which order requests are handed out, who owns the lease and when something is tried again. No
 * Hadoop, no clock; bytes go through {@link io.evenkeel.mover.core.follow.SegmentStore}.
 */
package io.evenkeel.mover.core.follow;
