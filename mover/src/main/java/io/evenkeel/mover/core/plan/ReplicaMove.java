package io.evenkeel.mover.core.plan;

/**
 * One replica that is to change its storage type. The block's id, generation stamp and length are
 * those of what lies on the DataNode: of an internal block for a striped group. Immutable.
 */
public final class ReplicaMove {
  private final Replica replica;
  private final long generationStamp;
  private final String target;
  private final String targetType;
  private final String proxy;

  /**
   * Creates it.
   *
   * @param replica what is to move
   * @param target UUID of the DataNode it shall be on
   * @param targetType storage type it shall be on
   * @param proxy UUID of the DataNode the bytes are read from: a holder of the same block, near the
   *     target; the target itself for a move inside it
   */
  public ReplicaMove(
      Replica replica, long generationStamp, String target, String targetType, String proxy) {
    this.replica = replica;
    this.generationStamp = generationStamp;
    this.target = target;
    this.targetType = targetType;
    this.proxy = proxy;
  }

  /** What is to move; its node is the source, which the NameNode is asked to delete from. */
  public Replica replica() {
    return replica;
  }

  /** Generation stamp of the block. */
  public long generationStamp() {
    return generationStamp;
  }

  /** UUID of the DataNode it shall be on. */
  public String target() {
    return target;
  }

  /** Storage type it shall be on. */
  public String targetType() {
    return targetType;
  }

  /** UUID of the DataNode the bytes are read from. */
  public String proxy() {
    return proxy;
  }

  /** The same with its bytes read from another DataNode. */
  ReplicaMove readFrom(String other) {
    return new ReplicaMove(replica, generationStamp, target, targetType, other);
  }

  /** Whether it stays on its DataNode. */
  public boolean isLocal() {
    return replica.node().equals(target);
  }

  @Override
  public String toString() {
    return replica + " to " + (isLocal() ? "" : target + " ") + targetType;
  }
}
