/**
 * What {@code evenkeel locks} concludes from what DataNodes said: findings, tables and JSON. Pure;
 * all types are immutable. Flow: {@link io.evenkeel.cli.locks.core.DataNodeLocks}, then {@link
 * io.evenkeel.cli.locks.core.LocksFindings}, then text or JSON.
 */
package io.evenkeel.cli.locks.core;
