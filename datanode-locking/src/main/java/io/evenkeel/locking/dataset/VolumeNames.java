package io.evenkeel.locking.dataset;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;

/**
 * Data directories by storage id. A volume keeps its name after it was removed. Asks the dataset
 * only for an id it has not seen, and never the disk. Thread-safe.
 */
public final class VolumeNames {
  private final ConcurrentMap<String, String> directories = new ConcurrentHashMap<>();
  private final FsDatasetSpi<?> dataset;

  /** Names of the volumes of a dataset. */
  public VolumeNames(FsDatasetSpi<?> dataset) {
    this.dataset = dataset;
  }

  /** The directory of a volume; its id when it is not known, empty for an empty id. */
  public String directory(String storageId) {
    if (storageId.isEmpty()) {
      return "";
    }
    String known = directories.get(storageId);
    if (known == null) {
      learn();
      known = directories.get(storageId);
    }
    return known == null ? storageId : known;
  }

  private void learn() {
    try (FsDatasetSpi.FsVolumeReferences volumes = dataset.getFsVolumeReferences()) {
      for (FsVolumeSpi volume : volumes) {
        directories.put(volume.getStorageID(), directory(volume.getBaseURI()));
      }
    } catch (IOException e) {
      return; // a reference could not be given back; the names are there
    }
  }

  private static String directory(URI uri) {
    return "file".equals(uri.getScheme()) ? new File(uri).getPath() : uri.toString();
  }
}
