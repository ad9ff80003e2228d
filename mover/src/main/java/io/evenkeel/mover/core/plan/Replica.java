package io.evenkeel.mover.core.plan;

/** One replica of a block, or one internal block of a striped block group, as the NameNode says. */
public final class Replica {
  private final String node;
  private final String type;
  private final long blockId;
  private final long bytes;

  /**
   * Creates it.
   *
   * @param node UUID of the DataNode
   * @param type storage type, such as {@code SSD}
   * @param blockId id of what lies on that DataNode: of the block, or of the internal block
   * @param bytes length of that
   */
  public Replica(String node, String type, long blockId, long bytes) {
    this.node = node;
    this.type = type;
    this.blockId = blockId;
    this.bytes = bytes;
  }

  /** UUID of the DataNode. */
  public String node() {
    return node;
  }

  /** Storage type. */
  public String type() {
    return type;
  }

  /** Id of the block, or of the internal block. */
  public long blockId() {
    return blockId;
  }

  /** Its length. */
  public long bytes() {
    return bytes;
  }

  @Override
  public String toString() {
    return "replica of " + blockId + " on " + node + " " + type;
  }
}
