package io.evenkeel.placement.namenode;

import io.evenkeel.placement.core.Refusal;
import io.evenkeel.placement.core.Targets;
import java.util.EnumMap;
import java.util.List;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;

/** Offers chosen DataNodes to stock's checks and takes storages. Confined to one choice. */
public final class BlockTargets implements Targets {
  private static final StorageType[] TYPES = StorageType.values();
  private static final int[] NONE = {};

  private final ClusterIndex index;
  private final EnumMap<StorageType, Integer> wanted;
  private final Stock stock;

  /** Stock's side of a choice. */
  public interface Stock {
    /** Why stock would not take the DataNode; null when it would. */
    Refusal refusal(DatanodeDescriptor node, boolean byLoad);

    /** Takes a storage of the type with room; false without any. */
    boolean take(DatanodeDescriptor node, StorageType type);

    /** DataNodes of the hosts it was said to depend on (net.topology.dependency.script). */
    List<DatanodeDescriptor> dependents(DatanodeDescriptor node);
  }

  /**
   * Creates the targets of one block.
   *
   * @param wanted storage types still wanted; counted down as they are taken
   */
  public BlockTargets(ClusterIndex index, EnumMap<StorageType, Integer> wanted, Stock stock) {
    this.index = index;
    this.wanted = wanted;
    this.stock = stock;
  }

  @Override
  public int wantedTypes() {
    int bits = 0;
    for (StorageType type : wanted.keySet()) {
      bits |= 1 << type.ordinal();
    }
    return bits;
  }

  @Override
  public Refusal take(int number, int type, boolean local) {
    DatanodeDescriptor node = index.node(number);
    Refusal refusal = stock.refusal(node, !local);
    if (refusal != null) {
      return refusal;
    }
    return taken(node, TYPES[type]) ? null : Refusal.NOT_ENOUGH_STORAGE_SPACE;
  }

  @Override
  public int[] dependents(int number) {
    List<DatanodeDescriptor> dependents = stock.dependents(index.node(number));
    if (dependents.isEmpty()) {
      return NONE;
    }
    return dependents.stream().mapToInt(index::number).filter(n -> n >= 0).toArray();
  }

  private boolean taken(DatanodeDescriptor node, StorageType type) {
    if (!stock.take(node, type)) {
      return false;
    }
    wanted.computeIfPresent(type, (t, count) -> count == 1 ? null : count - 1);
    return true;
  }
}
