package io.evenkeel.mover.core.plan;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** A complete block, or striped block group, as the NameNode says. Immutable. */
public final class BlockView {
  private final long blockId;
  private final long generationStamp;
  private final long bytes;
  private final List<Replica> replicas;
  private final boolean corrupt;
  private final int groupBlocks;

  /**
   * Creates a block, or a group of which is not known how many internal blocks it should have.
   *
   * @param bytes length of the block, or of the group
   * @param corrupt whether no good replica is left
   */
  public BlockView(
      long blockId, long generationStamp, long bytes, List<Replica> replicas, boolean corrupt) {
    this.blockId = blockId;
    this.generationStamp = generationStamp;
    this.bytes = bytes;
    this.replicas = Collections.unmodifiableList(new ArrayList<>(replicas));
    this.corrupt = corrupt;
    this.groupBlocks = 0;
  }

  private BlockView(BlockView like, List<Replica> replicas, int groupBlocks) {
    this.blockId = like.blockId;
    this.generationStamp = like.generationStamp;
    this.bytes = like.bytes;
    this.corrupt = like.corrupt;
    this.replicas = Collections.unmodifiableList(new ArrayList<>(replicas));
    this.groupBlocks = groupBlocks;
  }

  /** The same as a group that should have so many internal blocks, data and parity. */
  public BlockView asGroupOf(int internalBlocks) {
    return new BlockView(this, replicas, internalBlocks);
  }

  /** The same with other replicas. */
  public BlockView with(List<Replica> others) {
    return new BlockView(this, others, groupBlocks);
  }

  /** Id of the block or of the group. */
  public long blockId() {
    return blockId;
  }

  /** Its generation stamp. */
  public long generationStamp() {
    return generationStamp;
  }

  /** Its length. */
  public long bytes() {
    return bytes;
  }

  /** Its replicas; those a NameNode wants deleted are still among them. */
  public List<Replica> replicas() {
    return replicas;
  }

  /** How many internal blocks of a group have a replica; 1 for a block that is not striped. */
  int internalBlocks() {
    Set<Long> ids = new HashSet<>();
    replicas.forEach(replica -> ids.add(replica.blockId()));
    return ids.size();
  }

  /** Whether a replica of that block, or internal block, is there. */
  public boolean has(long id) {
    return replicas.stream().anyMatch(replica -> replica.blockId() == id);
  }

  /** How many internal blocks a group should have; 0 when that is not known, or it is no group. */
  int groupBlocks() {
    return groupBlocks;
  }

  /** Whether no good replica is left. */
  public boolean isCorrupt() {
    return corrupt;
  }

  @Override
  public String toString() {
    return "block " + blockId + "_" + generationStamp + (corrupt ? " corrupt " : " ") + replicas;
  }
}
