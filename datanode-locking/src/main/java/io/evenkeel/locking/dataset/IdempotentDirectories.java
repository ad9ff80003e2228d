package io.evenkeel.locking.dataset;

import java.io.File;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.FileIoProvider;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;

/**
 * Stock's I/O, but that two threads may make one directory. Stock looks and then makes, which fails
 * for the second of two threads that look at once; its lock on the volume or directory hides that.
 * Thread-safe.
 */
public final class IdempotentDirectories extends FileIoProvider {
  /** The I/O of a DataNode, with its hooks as configured. */
  public IdempotentDirectories(Configuration conf, DataNode datanode) {
    super(conf, datanode);
  }

  @Override
  public void mkdirsWithExistsCheck(FsVolumeSpi volume, File dir) throws IOException {
    try {
      super.mkdirsWithExistsCheck(volume, dir);
    } catch (IOException e) {
      if (!dir.isDirectory()) {
        throw e;
      }
    }
  }
}
