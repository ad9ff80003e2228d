package io.evenkeel.locking.dataset;

import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.server.datanode.ReplicaInfo;

/**
 * A block to be deleted, and the replica it had when that was ordered. Stock hands the block from
 * the order to the deletion, but deletes the files the replica had at the order. Equal to any block
 * of its id. Used by one thread at a time, or under the block's lock.
 */
public final class DeletionOrder extends Block {
  private final String pool;
  private final boolean nowOrNever;
  private ReplicaInfo replica;
  private PendingDeletions.Deletion begun;

  /** To delete {@code block}; {@code replica} is that in the map. */
  public DeletionOrder(String pool, Block block, ReplicaInfo replica) {
    this(pool, block, replica, false);
  }

  private DeletionOrder(String pool, Block block, ReplicaInfo replica, boolean nowOrNever) {
    super(block);
    this.pool = pool;
    this.replica = replica;
    this.nowOrNever = nowOrNever;
  }

  /** To delete {@code replica} now and no other, or nothing: who orders this looks again. */
  public static DeletionOrder nowOrNever(String pool, ReplicaInfo replica) {
    return new DeletionOrder(pool, replica, replica, true);
  }

  /** Whether it does not wait for the block, nor follow its replica. */
  public boolean nowOrNever() {
    return nowOrNever;
  }

  /** The block pool. */
  public String pool() {
    return pool;
  }

  /** The replica whose files are deleted. */
  public ReplicaInfo replica() {
    return replica;
  }

  /** The replica was moved, and this one took its place. */
  public void follow(ReplicaInfo copy) {
    replica = copy;
  }

  /** The replica has left the map. */
  public void begun(PendingDeletions.Deletion deletion) {
    begun = deletion;
  }

  /** Nothing more is done for this order; the replica is in the map, or its files are gone. */
  public void end() {
    if (begun != null) {
      begun.end();
    }
  }
}
