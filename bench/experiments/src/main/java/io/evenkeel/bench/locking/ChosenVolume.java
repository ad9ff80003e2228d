package io.evenkeel.bench.locking;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.VolumeChoosingPolicy;
import org.apache.hadoop.util.DiskChecker.DiskOutOfSpaceException;

/**
 * The volume whose storage id is asked for, otherwise one after the other. Apart from {@link
 * OneDataNode} because the DataNode makes it by its name. Thread-safe.
 */
public final class ChosenVolume implements VolumeChoosingPolicy<FsVolumeSpi> {
  private final AtomicInteger next = new AtomicInteger();

  @Override
  public FsVolumeSpi chooseVolume(List<FsVolumeSpi> volumes, long replicaSize, String storageId)
      throws IOException {
    if (volumes.isEmpty()) {
      throw new DiskOutOfSpaceException("no volume of that type");
    }
    for (FsVolumeSpi volume : volumes) {
      if (volume.getStorageID().equals(storageId)) {
        return volume;
      }
    }
    return volumes.get(Math.floorMod(next.getAndIncrement(), volumes.size()));
  }
}
