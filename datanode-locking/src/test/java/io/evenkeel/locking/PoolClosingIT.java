package io.evenkeel.locking;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.common.testing.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.FileIoProvider.OPERATION;
import org.apache.hadoop.hdfs.server.datanode.ReplicaHandler;
import org.apache.hadoop.hdfs.server.datanode.ReplicaNotFoundException;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A block pool is closed, or the DataNode stops, while the I/O of one of its blocks hangs. */
class PoolClosingIT {
  private static final String OTHER = "BP-other";

  @TempDir private Path dir;

  private static Configuration conf() {
    return conf(true);
  }

  private static Configuration conf(boolean ours) {
    Configuration conf = OneDataNode.conf(ours);
    conf.set("evenkeel.locking.drain-timeout", "200ms");
    return conf;
  }

  @Test
  void poolClosed_whileItsIoHangs_othersGoOnAndNothingOfItIsLeft() throws Exception {
    Configuration conf = conf();
    try (OneDataNode one = OneDataNode.start(dir, conf);
        ParkedIo io = ParkedIo.of(one.node())) {
      FsDatasetSpi<?> dataset = one.dataset();
      dataset.addBlockPool(OTHER, conf);
      ExtendedBlock slow = new ExtendedBlock(OTHER, 7, Replicas.LENGTH, 1000);
      ParkedIo.Parking parking =
          io.park(OPERATION.OPEN, 1, thread -> thread.getName().equals("slow"));
      Calls<Void> create = create(dataset, "slow", slow);
      parking.awaitAll();

      Calls<Void> closing =
          Calls.start(
              "closing",
              () -> {
                dataset.shutdownBlockPool(OTHER);
                return null;
              });
      assertThat(closing.failure()).isNull(); // with one operation still inside
      ExtendedBlock late = new ExtendedBlock(OTHER, 8, Replicas.LENGTH, 1000);
      assertThatIOException()
          .isThrownBy(() -> dataset.createRbw(StorageType.DISK, null, late, false, 0))
          .withMessageContaining("block pool " + OTHER + " is not found");
      assertThatThrownBy(() -> dataset.append(late, 1001, Replicas.LENGTH))
          .isInstanceOf(ReplicaNotFoundException.class);
      new Replicas(one, dir).finalized(StorageType.SSD); // of the pool that stays

      parking.release();
      create.failure(); // succeeds or finds its pool gone
      assertThat(dataset.getReplicaString(OTHER, 7)).isEqualTo("null");
      assertThat(one.operations().pool(OTHER).gate().inside()).isZero();
      dataset.addBlockPool(OTHER, conf);
      assertThat(create(dataset, "again", late).failure()).isNull();
      dataset.shutdownBlockPool(OTHER);
      assertThat(one.operations().liveLocks()).isZero();
    }
  }

  @Test
  void poolClosed_whileABlockIsCopied_blockCanBeMovedWhenItIsBack() throws Exception {
    Configuration conf = conf();
    try (OneDataNode one = OneDataNode.start(dir, conf);
        ParkedIo io = ParkedIo.of(one.node())) {
      FsDatasetSpi<?> dataset = one.dataset();
      dataset.addBlockPool(OTHER, conf);
      ExtendedBlock b = finalized(dataset, 7);
      ParkedIo.Parking parking =
          io.park(OPERATION.NATIVE_COPY, 1, thread -> thread.getName().equals("move"));
      Calls<Void> move = move(dataset, b);
      parking.awaitAll();
      dataset.shutdownBlockPool(OTHER);
      parking.release();
      assertThat(move.failure()).isInstanceOf(ReplicaNotFoundException.class);

      dataset.addBlockPool(OTHER, conf);
      assertThat(move(dataset, b).failure()).isNull();
      assertThat(dataset.isValidBlock(b)).isTrue();
      dataset.shutdownBlockPool(OTHER);
    }
  }

  @Test
  void poolBack_lastOneInsideLeavesWhileItIsRead_keepsItsReplicas() throws Exception {
    Configuration conf = conf();
    try (OneDataNode one = OneDataNode.start(dir, conf);
        ParkedIo io = ParkedIo.of(one.node())) {
      FsDatasetSpi<?> dataset = one.dataset();
      dataset.addBlockPool(OTHER, conf);
      List<ExtendedBlock> blocks = new ArrayList<>();
      for (long id = 7; id < 11; id++) { // at least two volumes
        blocks.add(finalized(dataset, id));
      }
      ParkedIo.Parking parking =
          io.park(OPERATION.OPEN, 1, thread -> thread.getName().equals("slow"));
      ExtendedBlock slow = new ExtendedBlock(OTHER, 20, Replicas.LENGTH, 1000);
      Calls<Void> create = create(dataset, "slow", slow);
      parking.awaitAll();
      dataset.shutdownBlockPool(OTHER);

      ParkedIo.Parking reading = io.park(OPERATION.LIST, 1, thread -> true);
      Calls<Void> adding = add(dataset, conf);
      reading.awaitAll();
      Await.until("a block is back", () -> blocks.stream().anyMatch(dataset::isValidBlock));
      parking.release();
      create.failure(); // however it ends
      reading.release();
      assertThat(adding.failure()).isNull();
      assertThat(blocks).allMatch(dataset::isValidBlock);
      dataset.shutdownBlockPool(OTHER);
    }
  }

  /** A list of replicas saved meanwhile would be believed, and would not have the block. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void poolClosed_whileABlockIsFinalizedOnADiskThatHangs_blockIsThereWhenThePoolIsBack(boolean ours)
      throws Exception {
    Configuration conf = conf(ours);
    try (OneDataNode one = OneDataNode.start(dir, conf);
        ParkedIo io = ParkedIo.of(one.node())) {
      FsDatasetSpi<?> dataset = one.dataset();
      dataset.addBlockPool(OTHER, conf);
      ExtendedBlock b = written(dataset, 7);
      ParkedIo.Parking parking =
          io.park(OPERATION.MOVE, 1, thread -> thread.getName().equals("finalize"));
      Step finalize = Step.start("finalize", () -> dataset.finalizeBlock(b, false));
      parking.awaitAll();
      Step closing = Step.start("closing", () -> dataset.shutdownBlockPool(OTHER));
      assertThat(closing.waitsForLock()).isEqualTo(!ours);
      parking.release();
      finalize.end();
      closing.end();

      dataset.addBlockPool(OTHER, conf);
      assertThat(dataset.isValidBlock(b)).isTrue();
      dataset.shutdownBlockPool(OTHER);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void poolDeleted_whileItsIoHangs_isDeletedAfterwardsAndNotBefore(boolean ours) throws Exception {
    Configuration conf = conf(ours);
    try (OneDataNode one = OneDataNode.start(dir, conf);
        ParkedIo io = ParkedIo.of(one.node())) {
      FsDatasetSpi<?> dataset = one.dataset();
      dataset.addBlockPool(OTHER, conf);
      ExtendedBlock b = written(dataset, 7);
      ParkedIo.Parking parking =
          io.park(OPERATION.MOVE, 1, thread -> thread.getName().equals("finalize"));
      Step finalize = Step.start("finalize", () -> dataset.finalizeBlock(b, false));
      parking.awaitAll();
      Step deleting = Step.start("deleting", () -> dataset.deleteBlockPool(OTHER, true));
      assertThat(deleting.waitsForLock()).isEqualTo(!ours);
      if (ours) { // refused, and the pool is as it was
        assertThatIOException()
            .isThrownBy(deleting::end)
            .withMessage("Block pool " + OTHER + " is in use by 1 operations");
        finalized(dataset, 8);
      }
      parking.release();
      finalize.end();
      if (ours) {
        assertThat(dataset.isValidBlock(b)).isTrue();
        dataset.deleteBlockPool(OTHER, true);
      } else {
        deleting.end();
      }
      try (Stream<Path> tree = Files.walk(dir)) {
        assertThat(tree).noneMatch(each -> each.endsWith(OTHER));
      }
    }
  }

  private static Calls<Void> add(FsDatasetSpi<?> dataset, Configuration conf) {
    return Calls.start(
        "adding",
        () -> {
          dataset.addBlockPool(OTHER, conf);
          return null;
        });
  }

  private static Calls<Void> move(FsDatasetSpi<?> dataset, ExtendedBlock b) {
    return Calls.start(
        "move",
        () -> {
          dataset.moveBlockAcrossStorage(b, StorageType.SSD, null);
          return null;
        });
  }

  /** A finalized replica of the other pool. */
  private static ExtendedBlock finalized(FsDatasetSpi<?> dataset, long id) throws IOException {
    ExtendedBlock b = written(dataset, id);
    dataset.finalizeBlock(b, false);
    return b;
  }

  /** The same, not finalized yet. */
  private static ExtendedBlock written(FsDatasetSpi<?> dataset, long id) throws IOException {
    ExtendedBlock b = new ExtendedBlock(OTHER, id, Replicas.LENGTH, 1000);
    try (ReplicaHandler handler = dataset.createRbw(StorageType.DISK, null, b, false, 0)) {
      Replicas.fill(handler.getReplica());
    }
    return b;
  }

  @Test
  void dataNodeStops_whileIoHangs_doesNotWaitForItsLock() throws Exception {
    try (OneDataNode one = OneDataNode.start(dir, conf());
        ParkedIo io = ParkedIo.of(one.node())) {
      ParkedIo.Parking parking =
          io.park(OPERATION.OPEN, 1, thread -> thread.getName().equals("slow"));
      Calls<Void> create = create(one.dataset(), "slow", new Replicas(one, dir).block());
      parking.awaitAll();
      Calls<Void> stopping =
          Calls.start(
              "stopping",
              () -> {
                one.node().shutdown();
                return null;
              });
      assertThat(stopping.failure()).isNull();
      parking.release();
      create.failure(); // however it ends
    }
  }

  private static Calls<Void> create(FsDatasetSpi<?> dataset, String name, ExtendedBlock b) {
    return Calls.start(
        name,
        () -> {
          dataset.createRbw(StorageType.DISK, null, b, false, 0).close();
          return null;
        });
  }
}
