/**
 * What {@code evenkeel locks} concludes from what DataNodes said. Pure; all types are immutable.
 * Flow: {@link io.evenkeel.cli.locks.core.DataNodeLocks}, then {@link
 * io.evenkeel.cli.locks.core.LocksReport}.
 */
package io.evenkeel.cli.locks.core;
