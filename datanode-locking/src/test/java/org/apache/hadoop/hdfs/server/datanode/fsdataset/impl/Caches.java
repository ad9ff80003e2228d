package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;

/** The record of cached blocks, whose monitor its calls enter. */
public final class Caches {
  private Caches() {}

  /** What to synchronize on. */
  public static Object monitor(FsDatasetSpi<?> dataset) {
    return ((FsDatasetImpl) dataset).cacheManager;
  }
}
