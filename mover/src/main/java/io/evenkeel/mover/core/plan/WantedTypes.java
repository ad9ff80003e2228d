package io.evenkeel.mover.core.plan;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.function.IntFunction;

/**
 * What a file's storage policy asks for. Files of one policy and replication may share it.
 * Immutable.
 */
public final class WantedTypes {
  private final String policy;
  private final int replication;
  private final boolean striped;
  private final boolean supported;
  private final IntFunction<List<String>> types; // null when nobody knows

  /**
   * Creates it.
   *
   * @param policy name of the storage policy
   * @param replication replicas of a block; data and parity units of a striped file
   * @param striped whether the file is erasure coded
   * @param supported false for a policy HDFS does not apply to striped files
   * @param types the storage types the policy asks for, for a number of replicas; null when nobody
   *     knows
   */
  public WantedTypes(
      String policy,
      int replication,
      boolean striped,
      boolean supported,
      IntFunction<List<String>> types) {
    this.policy = Objects.requireNonNull(policy);
    this.replication = replication;
    this.striped = striped;
    this.supported = supported;
    this.types = types;
  }

  /**
   * Of a policy nobody knows: what is asked for is not known either, so the file can neither be
   * satisfied nor moved.
   *
   * @param policy what to call it
   */
  public static WantedTypes unknown(String policy, int replication, boolean striped) {
    return new WantedTypes(policy, replication, striped, false, null);
  }

  /** The same for a file that has at least so many replicas of a block. */
  public WantedTypes atLeast(int replicas) {
    return new WantedTypes(policy, Math.max(replicas, replication), striped, supported, types);
  }

  /** False for a policy nobody knows: {@link #typesFor} is not to be asked then. */
  public boolean isKnown() {
    return types != null;
  }

  /** Name of the storage policy. */
  public String policy() {
    return policy;
  }

  /** Replicas a block should have; data and parity units of a striped file. */
  public int replication() {
    return replication;
  }

  /** Whether the file is erasure coded. */
  public boolean isStriped() {
    return striped;
  }

  /** False for a policy HDFS does not apply to striped files, and for one nobody knows. */
  public boolean isSupported() {
    return supported;
  }

  /** The storage types asked for a block: of a striped group for the internal blocks there are. */
  public List<String> typesFor(BlockView block) {
    return types(asked(block));
  }

  /** The storage types asked for so many replicas. */
  List<String> types(int replicas) {
    return types.apply(replicas);
  }

  /** Replicas asked for a block: one for each internal block there is of a striped group. */
  public int asked(BlockView block) {
    return striped ? block.internalBlocks() : replication;
  }

  /** Whether the block has more replicas than it should. */
  public boolean hasExcess(BlockView block) {
    return block.replicas().size() > asked(block);
  }

  /**
   * Whether all replicas of a block, in excess or not, are on the types the policy asks for as
   * many; not known of a striped group.
   */
  public boolean isRightForAll(BlockView block) {
    List<String> there = new ArrayList<>();
    block.replicas().forEach(replica -> there.add(replica.type()));
    List<String> wanted = new ArrayList<>(types.apply(there.size()));
    Collections.sort(there);
    Collections.sort(wanted);
    return !striped && there.equals(wanted);
  }

  /** Replicas of a block; of a striped group the internal blocks that have one. */
  public int there(BlockView block) {
    return striped ? block.internalBlocks() : block.replicas().size();
  }

  /** How many {@link #there} should be. */
  public int shouldBe(BlockView block) {
    return striped ? Math.max(block.groupBlocks(), block.internalBlocks()) : replication;
  }

  /** Whether the block has fewer replicas, or the group fewer internal blocks, than it should. */
  public boolean lacksReplicas(BlockView block) {
    return there(block) < shouldBe(block);
  }
}
