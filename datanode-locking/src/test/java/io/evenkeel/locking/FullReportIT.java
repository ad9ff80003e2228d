package io.evenkeel.locking;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.BlockListAsLongs;
import org.apache.hadoop.hdfs.protocol.BlockListAsLongs.BlockReportReplica;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNodeTestUtils;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A replica that is moved, or opened and finalized again, is in every full block report, once. */
@Timeout(300)
class FullReportIT {
  private static final int CHANGES = 300;

  @TempDir private Path dir;

  private final AtomicInteger taken = new AtomicInteger();

  @Test
  void fullReports_whileReplicasAreMovedAndAppendedTo_haveEachOfThemOnce() throws Exception {
    try (OneDataNode one = OneDataNode.start(dir, OneDataNode.conf(true))) {
      // The NameNode knows none of these blocks and would have them deleted.
      DataNodeTestUtils.setHeartbeatsDisabledForTests(one.node(), true);
      Replicas replicas = new Replicas(one, dir);
      ExtendedBlock moved = replicas.finalized(StorageType.DISK);
      ExtendedBlock appended = replicas.finalized(StorageType.DISK);
      AtomicBoolean over = new AtomicBoolean();
      Calls<List<String>> reports =
          Calls.start("reports", () -> wrongReports(one.dataset(), moved, appended, over));
      Calls<Void> moves = Calls.start("moves", () -> move(one.dataset(), moved));
      Calls<Void> appends = Calls.start("appends", () -> append(one.dataset(), appended));
      assertThat(moves.failure()).isNull();
      assertThat(appends.failure()).isNull();
      over.set(true);
      assertThat(reports.failure()).isNull();
      assertThat(reports.result()).isEmpty();
      assertThat(taken).as("reports taken meanwhile").hasValueGreaterThan(1);
      assertThat(one.operations().liveLocks()).isZero();
    }
  }

  private static Void move(FsDatasetSpi<?> dataset, ExtendedBlock block) throws Exception {
    for (int i = 0; i < CHANGES; i++) {
      StorageType target = i % 2 == 0 ? StorageType.SSD : StorageType.DISK;
      dataset.moveBlockAcrossStorage(block, target, null);
    }
    return null;
  }

  private static Void append(FsDatasetSpi<?> dataset, ExtendedBlock block) throws Exception {
    for (int i = 0; i < CHANGES; i++) {
      long stamp = block.getGenerationStamp() + 1;
      dataset.append(block, stamp, block.getNumBytes()).close();
      block.setGenerationStamp(stamp);
      dataset.finalizeBlock(block, false);
    }
    return null;
  }

  /** Takes reports until {@code over}; what is wrong in any of them. */
  private List<String> wrongReports(
      FsDatasetSpi<?> dataset, ExtendedBlock moved, ExtendedBlock appended, AtomicBoolean over) {
    List<String> wrong = new ArrayList<>();
    do {
      List<Long> ids = new ArrayList<>();
      for (BlockListAsLongs storage : dataset.getBlockReports(moved.getBlockPoolId()).values()) {
        for (BlockReportReplica replica : storage) {
          ids.add(replica.getBlockId());
        }
      }
      if (ids.size() != 2
          || !ids.contains(moved.getBlockId())
          || !ids.contains(appended.getBlockId())) {
        wrong.add("report " + taken + ": " + ids);
      }
      taken.incrementAndGet();
    } while (!over.get());
    return wrong;
  }
}
