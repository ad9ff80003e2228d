/**
 * Between a NameNode and the placement core: its DataNodes by number, the keys of their hosts and
 * racks, and what is counted.
 *
 * <p>Lock order: the NameNode's own locks, then {@link
 * io.evenkeel.placement.namenode.NameNodePlacement}, then the core's load table, then the
 * topology's read lock and the storages of one DataNode. Nothing here calls back into the NameNode.
 */
package io.evenkeel.placement.namenode;
