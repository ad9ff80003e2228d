package io.evenkeel.bench.gameday.fault;

import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.FsVolumeImpl;

/** One volume of a DataNode at one moment, as a bean's attribute: JMX wants getters. Immutable. */
public final class VolumeState {
  private final String directory;
  private final String storage;
  private final String type;
  private final boolean removed;
  private final int references;
  private final long reservedForReplicas;

  VolumeState(FsVolumeImpl volume, boolean removed) {
    directory = FaultyDisks.directory(volume);
    storage = volume.getStorageID();
    type = volume.getStorageType().name();
    this.removed = removed;
    references = volume.getReferenceCount();
    reservedForReplicas = volume.getReservedForReplicas();
  }

  /** Last element of its directory. */
  public String getDirectory() {
    return directory;
  }

  /** Its storage id. */
  public String getStorage() {
    return storage;
  }

  /** Its storage type. */
  public String getType() {
    return type;
  }

  /** Whether the DataNode has given it up; it is told of only while something refers to it. */
  public boolean isRemoved() {
    return removed;
  }

  /** How many operations hold it. */
  public int getReferences() {
    return references;
  }

  /** Bytes reserved for replicas being written. */
  public long getReservedForReplicas() {
    return reservedForReplicas;
  }
}
