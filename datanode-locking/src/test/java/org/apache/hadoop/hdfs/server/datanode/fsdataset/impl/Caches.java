package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import java.io.IOException;
import java.util.concurrent.ThreadPoolExecutor;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;

/** The record of cached blocks, whose monitor its calls enter, and the threads that cache. */
public final class Caches {
  private Caches() {}

  /** What to synchronize on. */
  public static Object monitor(FsDatasetSpi<?> dataset) {
    return ((FsDatasetImpl) dataset).cacheManager;
  }

  /**
   * Whether no block is being cached. Stock's task that caches a block and is cancelled gives its
   * memory back before it forgets the block, and then forgets whatever is recorded of that block by
   * then: if that is cached anew meanwhile, its memory stays locked.
   */
  public static boolean areIdle(FsDatasetSpi<?> dataset) throws IOException {
    try (FsDatasetSpi.FsVolumeReferences volumes = dataset.getFsVolumeReferences()) {
      for (FsVolumeSpi volume : volumes) {
        ThreadPoolExecutor threads =
            (ThreadPoolExecutor) ((FsVolumeImpl) volume).getCacheExecutor();
        if (threads.getActiveCount() > 0 || !threads.getQueue().isEmpty()) {
          return false;
        }
      }
    }
    return true;
  }
}
