package io.evenkeel.locking.dataset;

import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.server.datanode.ReplicaInfo;

/**
 * A block to be deleted, and the replica it had when that was ordered. Stock hands the block from
 * the order to the deletion, but deletes the files the replica had at the order. Equal to any block
 * of its id. As thread-safe as a block.
 */
public final class DeletionOrder extends Block {
  private final ReplicaInfo replica;

  /** To delete {@code block}; {@code replica} is that in the map, null for none. */
  public DeletionOrder(Block block, ReplicaInfo replica) {
    super(block);
    this.replica = replica;
  }

  /**
   * Whether a deletion that begins now may go on: the replica in the map is the one it was ordered
   * for, or the caller deletes without an order. The files of one that was finalized or moved
   * meanwhile would be left. The caller holds the block's lock.
   */
  public static boolean mayGoOn(Block block, ReplicaInfo now) {
    return !(block instanceof DeletionOrder) || ((DeletionOrder) block).replica == now;
  }
}
