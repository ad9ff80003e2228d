package io.evenkeel.locking;

import java.io.File;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.DirectoryScanner;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.hdfs.server.protocol.BlockRecoveryCommand.RecoveringBlock;

/** What a DataNode does beside the I/O of clients, and where stock makes others wait for it. */
enum Background {
  NOTHING(false, false) {
    @Override
    Step.Action prepare(DatasetCalls calls) {
      return () -> {};
    }
  },
  REPLICATION(true, true) {
    @Override
    Step.Action prepare(DatasetCalls calls) {
      ExtendedBlock block = calls.newBlock();
      return () -> calls.dataset().createTemporary(StorageType.SSD, null, block, false).close();
    }
  },
  DELETION(true, false) {
    @Override
    Step.Action prepare(DatasetCalls calls) throws Exception {
      ExtendedBlock block = calls.finalized(StorageType.SSD);
      Block[] local = {block.getLocalBlock()};
      return () -> calls.dataset().invalidate(calls.pool(), local);
    }
  },
  MISSING_BLOCK(true, true) {
    @Override
    Step.Action prepare(DatasetCalls calls) throws Exception {
      ExtendedBlock block = calls.finalized(StorageType.SSD);
      String path = calls.dataset().getBlockLocalPathInfo(block).getBlockPath();
      if (!new File(path).delete()) {
        throw new IllegalStateException(path);
      }
      return () -> calls.dataset().invalidateMissingBlock(calls.pool(), block.getLocalBlock());
    }
  },
  BLOCK_REPORT(false, false) {
    @Override
    Step.Action prepare(DatasetCalls calls) {
      return () -> calls.dataset().getBlockReports(calls.pool());
    }
  },
  DIRECTORY_SCAN(false, false) {
    @Override
    Step.Action prepare(DatasetCalls calls) {
      return new DirectoryScanner(calls.dataset(), calls.node().getConf())::reconcile;
    }
  },
  RECOVERED_APPEND(true, false) {
    @Override
    Step.Action prepare(DatasetCalls calls) throws Exception {
      ExtendedBlock block = calls.finalized(StorageType.SSD);
      return () ->
          calls.dataset().recoverAppend(block, DatasetCalls.STAMP + 1, DatasetCalls.LENGTH).close();
    }
  },
  TRUNCATE(false, false) {
    @Override
    Step.Action prepare(DatasetCalls calls) throws Exception {
      ExtendedBlock block = calls.finalized(StorageType.SSD);
      long stamp = DatasetCalls.STAMP + 1;
      return () -> {
        FsDatasetSpi<?> dataset = calls.dataset();
        dataset.initReplicaRecovery(new RecoveringBlock(block, new DatanodeInfo[0], stamp));
        dataset.updateReplicaUnderRecovery(
            block, stamp, block.getBlockId(), DatasetCalls.LENGTH / 2);
      };
    }
  },
  COPY_ON_TRUNCATE(false, false) {
    @Override
    Step.Action prepare(DatasetCalls calls) throws Exception {
      ExtendedBlock block = calls.finalized(StorageType.SSD);
      long copy = calls.newBlock().getBlockId();
      long stamp = DatasetCalls.STAMP + 1;
      return () -> {
        FsDatasetSpi<?> dataset = calls.dataset();
        dataset.initReplicaRecovery(new RecoveringBlock(block, new DatanodeInfo[0], stamp));
        dataset.updateReplicaUnderRecovery(block, stamp, copy, DatasetCalls.LENGTH / 2);
      };
    }
  },
  POOL_SHUTDOWN(false, false) {
    @Override
    Step.Action prepare(DatasetCalls calls) throws Exception {
      calls.dataset().addBlockPool("BP-2-127.0.0.1-2", calls.node().getConf());
      return () -> calls.dataset().shutdownBlockPool("BP-2-127.0.0.1-2");
    }
  },
  VOLUME_ADDED(false, false) {
    @Override
    Step.Action prepare(DatasetCalls calls) {
      String all = calls.node().getConf().get(DIRS);
      String first = all.substring(0, all.indexOf(',')).replace("[SSD]", "[DISK]");
      String more = all + "," + first + "-added";
      return () -> calls.node().reconfigurePropertyImpl(DIRS, more);
    }
  },
  VOLUME_REMOVED(true, true) {
    @Override
    Step.Action prepare(DatasetCalls calls) {
      String all = calls.node().getConf().get(DIRS);
      List<String> others = new ArrayList<>(Arrays.asList(all.split(",")));
      others.remove(DatasetCalls.SPARE);
      return () -> calls.node().reconfigurePropertyImpl(DIRS, String.join(",", others));
    }
  },
  VOLUME_FAILED(true, true) {
    @Override
    Step.Action prepare(DatasetCalls calls) throws Exception {
      FsVolumeSpi spare = calls.volume(DatasetCalls.SPARE);
      return () -> calls.dataset().handleVolumeFailures(Set.of(spare));
    }
  };

  private static final String DIRS = "dfs.datanode.data.dir";

  private final boolean stalls34;
  private final boolean stalls35;

  Background(boolean stalls34, boolean stalls35) {
    this.stalls34 = stalls34;
    this.stalls35 = stalls35;
  }

  /** Whether others wait for hung I/O of another volume once this has begun, with stock. */
  boolean stallsStock(String hadoop) {
    return hadoop.startsWith("3.4.") ? stalls34 : stalls35;
  }

  /** Whether a DataNode is afterwards as one to which it has not happened. */
  boolean mayComeTwice() {
    return !EnumSet.of(DIRECTORY_SCAN, VOLUME_ADDED, VOLUME_REMOVED, VOLUME_FAILED).contains(this);
  }

  /** What to do while the I/O hangs, prepared before. */
  abstract Step.Action prepare(DatasetCalls calls) throws Exception;
}
