package io.evenkeel.placement.namenode;

import io.evenkeel.placement.core.NodeState;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.EvenkeelPlacementBridge;

/**
 * What is known of the volumes of one DataNode as of the last look. The first look may come before
 * the first heartbeat, when there are no volumes yet; then the DataNode counts as usable.
 * Thread-safe: every field is one word, and fields of different looks may be seen together. The
 * index has one for each DataNode.
 */
final class DataNodeVolumes {
  private static final int ALL_TYPES = NodeState.UNKNOWN_TYPES;
  private static final int TYPES = StorageType.values().length;

  private final DatanodeDescriptor node;
  private final PlacementConf conf;
  private static final int LARGE = 8;

  private final long blockSize;
  private final long keptFree;
  private volatile int types = ALL_TYPES;
  private volatile double weight = 1;
  private volatile int typesOnDisk = ALL_TYPES;
  private volatile int typesWithRoom = ALL_TYPES;
  private volatile int fullTypes;
  private volatile long[] remainingOfType = new long[TYPES]; // not written to once it is here

  DataNodeVolumes(DatanodeDescriptor node, PlacementConf conf) {
    this.node = node;
    this.blockSize = conf.blockSize();
    this.keptFree = conf.keptFree();
    this.conf = conf;
  }

  /**
   * Looks at the volumes.
   *
   * @param largest bytes of the largest block that was placed of late; 0 when none was. Counts up
   *     to eight times the default size, or one huge block would have all others placed as if there
   *     was no host for them
   */
  void look(long largest) {
    long wanted = Math.min(largest, LARGE * blockSize);
    int found = 0;
    int volumes = 0;
    long capacity = 0;
    long remaining = 0;
    int onDisk = 0;
    int withRoom = 0;
    long[] ofType = new long[TYPES];
    int forLargest = 0;
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
          long free = EvenkeelPlacementBridge.remaining(storage) - keptFree;
          if (hasRoom(storage, free)) {
            withRoom |= 1 << type.ordinal();
            forLargest |= free >= wanted ? 1 << type.ordinal() : 0;
          }
        }
      }
    }
    boolean known = found != 0;
    types = known ? found : ALL_TYPES;
    weight = conf.weight(node, volumes, capacity, remaining);
    remainingOfType = ofType;
    typesOnDisk = known ? onDisk : ALL_TYPES;
    typesWithRoom = known ? forLargest : ALL_TYPES;
    fullTypes = onDisk & ~withRoom;
  }

  /**
   * Whether a volume is not full: beside what its DataNode keeps free it has room for a block of
   * the default size or, where files use smaller ones, for a hundredth of what it holds. A full
   * volume keeps some megabytes for ever.
   */
  private boolean hasRoom(DatanodeStorageInfo storage, long free) {
    return free > 0
        && (free >= blockSize || free >= EvenkeelPlacementBridge.capacity(storage) / 100);
  }

  /** Memory and storage outside HDFS are no disks that share the work. */
  private static boolean counts(StorageType type) {
    return !type.isTransient() && !"PROVIDED".equals(type.name());
  }

  /** Storage types, one bit per ordinal; all while none is known. */
  int types() {
    return types;
  }

  /** See {@link PlacementConf#weight}. */
  double weight() {
    return weight;
  }

  /** That of one storage type alone, when each has its own. */
  double weight(StorageType type) {
    return conf.weight(node, 1, 0, remainingOfType[type.ordinal()]);
  }

  /** Those of the types on which a replica stays; all while none is known. */
  int typesOnDisk() {
    return typesOnDisk;
  }

  /**
   * Storage types of which a volume has room for the largest of the blocks that come, but for
   * memory; all while none is known. A host without must not be asked for: the blocks it should
   * have would wait for it for ever.
   */
  int typesWithRoom() {
    return typesWithRoom;
  }

  /** Those of the types on which a replica stays whose volumes are full; none while unknown. */
  int fullTypes() {
    return fullTypes;
  }
}
