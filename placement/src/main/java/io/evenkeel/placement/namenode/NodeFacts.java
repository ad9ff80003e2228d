package io.evenkeel.placement.namenode;

import io.evenkeel.placement.core.NodeState;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.EvenkeelPlacementBridge;

/**
 * What is known of the volumes of one DataNode since it was last looked at. The first look may come
 * before the first heartbeat, when there are no volumes yet: then nothing is held against it.
 * Thread-safe: every field is one word, and fields of different looks may be seen together.
 */
final class NodeFacts {
  private static final int ALL_TYPES = NodeState.UNKNOWN_TYPES;
  private static final int TYPES = StorageType.values().length;

  private final DatanodeDescriptor node;
  private final Weights weights;
  private final long blockSize;
  private volatile int types = ALL_TYPES;
  private volatile double weight = 1;
  private volatile int typesOnDisk = ALL_TYPES;
  private volatile int typesWithRoom = ALL_TYPES;
  private volatile int fullTypes;
  private volatile long[] remainingOfType = new long[TYPES]; // not written to once it is here

  NodeFacts(DatanodeDescriptor node, Weights weights, long blockSize) {
    this.node = node;
    this.blockSize = blockSize;
    this.weights = weights;
  }

  void look() {
    int found = 0;
    int volumes = 0;
    long capacity = 0;
    long remaining = 0;
    int onDisk = 0;
    int withRoom = 0;
    long[] ofType = new long[TYPES];
    for (DatanodeStorageInfo storage : node.getStorageInfos()) {
      if (EvenkeelPlacementBridge.isNormal(storage)) {
        StorageType type = storage.getStorageType();
        found |= 1 << type.ordinal();
        ofType[type.ordinal()] += EvenkeelPlacementBridge.remaining(storage);
        if (counts(type)) {
          volumes++;
          capacity += EvenkeelPlacementBridge.capacity(storage);
          remaining += EvenkeelPlacementBridge.remaining(storage);
          onDisk |= 1 << type.ordinal();
          withRoom |= hasRoom(storage) ? 1 << type.ordinal() : 0;
        }
      }
    }
    boolean known = found != 0;
    types = known ? found : ALL_TYPES;
    weight = weights.of(node, volumes, capacity, remaining);
    remainingOfType = ofType;
    typesOnDisk = known ? onDisk : ALL_TYPES;
    typesWithRoom = known ? withRoom : ALL_TYPES;
    fullTypes = onDisk & ~withRoom;
  }

  /**
   * Whether a volume is not full: it has room for a block of the default size or, where files use
   * smaller ones, for a hundredth of what it holds. A full volume keeps some megabytes for ever.
   */
  private boolean hasRoom(DatanodeStorageInfo storage) {
    long remaining = EvenkeelPlacementBridge.remaining(storage);
    return remaining > 0
        && (remaining >= blockSize || remaining >= EvenkeelPlacementBridge.capacity(storage) / 100);
  }

  /** Memory and storage outside HDFS are no disks that share the work. */
  private static boolean counts(StorageType type) {
    return !type.isTransient() && !"PROVIDED".equals(type.name());
  }

  /** Storage types, one bit per ordinal; all while none is known. */
  int types() {
    return types;
  }

  /** See {@link Weights}. */
  double weight() {
    return weight;
  }

  /** That of one storage type alone, when each has its own. */
  double weight(StorageType type) {
    return weights.of(node, 1, 0, remainingOfType[type.ordinal()]);
  }

  /** Those of the types on which a replica stays; all while none is known. */
  int typesOnDisk() {
    return typesOnDisk;
  }

  /**
   * Storage types of which a volume has room for a whole block, but for memory; all while none is
   * known. A full volume keeps less than that for ever.
   */
  int typesWithRoom() {
    return typesWithRoom;
  }

  /** Those of the types on which a replica stays that have no such volume; none while unknown. */
  int fullTypes() {
    return fullTypes;
  }
}
