package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import io.evenkeel.locking.StockParts;
import io.evenkeel.locking.core.Operations;
import io.evenkeel.locking.dataset.BlockLockManager;
import io.evenkeel.locking.dataset.IdempotentDirectories;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.DataStorage;
import org.mockito.Mockito;

/** Our dataset where a test of Hadoop says {@code new FsDatasetImpl}. */
public final class PluggedDataset {
  private static final long DRAIN_MILLIS = 10_000;

  private PluggedDataset() {}

  /** Made for a DataNode, or for Mockito's idea of one. */
  public static FsDatasetImpl create(DataNode datanode, DataStorage storage, Configuration conf)
      throws IOException, ReflectiveOperationException {
    Operations operations = new Operations(true, System::nanoTime);
    BlockLockManager locks = new BlockLockManager(operations);
    if (Mockito.mockingDetails(datanode).isMock()) {
      Mockito.doReturn(locks).when(datanode).getDataSetLockManager();
      if (datanode.getFileIoProvider() != null) {
        IdempotentDirectories io = new IdempotentDirectories(conf, null);
        Mockito.doReturn(io).when(datanode).getFileIoProvider();
      }
    } else {
      StockParts.find().replace(datanode, locks, new IdempotentDirectories(conf, datanode));
    }
    System.out.println("Evenkeel: FineGrainedDataset is plugged into a test");
    return FineGrainedDataset.create(datanode, storage, conf, DRAIN_MILLIS);
  }
}
