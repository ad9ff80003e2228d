package io.evenkeel.locking;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.FileIoProvider.OPERATION;
import org.apache.hadoop.hdfs.server.datanode.ReplicaHandler;
import org.apache.hadoop.hdfs.server.datanode.ReplicaNotFoundException;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi.ScanInfo;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.Volumes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A block pool is closed, or the DataNode stops, while the I/O of one of its blocks hangs. */
@Timeout(100)
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

      closing(dataset, true); // with one operation still inside
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
  void poolBack_someAreStillInside_isReadOnceTheyHaveLeft() throws Exception {
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

      Calls<Void> adding = add(dataset, conf);
      assertThat(adding.waits()).isTrue();
      parking.release();
      create.failure(); // however it ends
      assertThat(adding.failure()).isNull();
      assertThat(blocks).allMatch(dataset::isValidBlock);
      dataset.shutdownBlockPool(OTHER);
    }
  }

  /** Read with the duplicate, the pool would keep either, and the straggler deletes one. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void duplicateIsDeletedOnADiskThatHangs_poolGoesAndReturns_blockIsThere(boolean ours)
      throws Exception {
    Configuration conf = conf(ours);
    try (OneDataNode one = OneDataNode.start(dir, conf, StorageType.DISK, StorageType.DISK);
        ParkedIo io = ParkedIo.of(one.node())) {
      FsDatasetSpi<?> dataset = one.dataset();
      dataset.addBlockPool(OTHER, conf);
      for (long id = 7; id < 15; id++) { // either of both is kept when they are read
        ExtendedBlock b = finalized(dataset, id);
        ScanInfo found = duplicate(dataset, b);
        ParkedIo.Parking deleting =
            io.park(OPERATION.DELETE, 1, thread -> thread.getName().equals("scan"));
        Calls<Void> scan =
            Calls.start(
                "scan",
                () -> {
                  dataset.checkAndUpdate(OTHER, found);
                  return null;
                });
        deleting.awaitAll();
        Calls<Void> closing = closing(dataset, ours);
        Calls<Void> adding = ours ? add(dataset, conf) : null;
        assertThat(adding == null || adding.waits()).isTrue();
        deleting.release();
        returned(dataset, conf, scan, closing, adding);
        assertThat(dataset.isValidBlock(b)).isTrue();
        assertThat(new Replicas(one, dir).files(b)).isNotEmpty();
      }
      dataset.shutdownBlockPool(OTHER);
    }
  }

  /** As a disk brings it that was away while its block was copied. */
  private static ScanInfo duplicate(FsDatasetSpi<?> dataset, ExtendedBlock b) throws IOException {
    FsVolumeSpi from = dataset.getVolume(b);
    FsVolumeSpi to =
        Volumes.of(dataset).stream().filter(each -> each != from).findFirst().orElseThrow();
    Path data = Path.of(dataset.getBlockLocalPathInfo(b).getBlockPath());
    Path meta = Path.of(dataset.getBlockLocalPathInfo(b).getMetaPath());
    Path there =
        Path.of(to.getBaseURI()).resolve(Path.of(from.getBaseURI()).relativize(data)).getParent();
    Files.createDirectories(there);
    Files.copy(data, there.resolve(data.getFileName()));
    Files.copy(meta, there.resolve(meta.getFileName()));
    return new ScanInfo(
        b.getBlockId(),
        there.toFile(),
        data.getFileName().toString(),
        meta.getFileName().toString(),
        to);
  }

  /** Stock's waits for an operation inside, ours for a time only. */
  private static Calls<Void> closing(FsDatasetSpi<?> dataset, boolean ours) throws Exception {
    Calls<Void> closing =
        Calls.start(
            "closing",
            () -> {
              dataset.shutdownBlockPool(OTHER);
              return null;
            });
    if (ours) {
      assertThat(closing.failure()).isNull();
    } else {
      assertThat(closing.waits()).isTrue();
    }
    return closing;
  }

  /** The operation goes on, and the pool is back; {@code adding} is null if it is not yet. */
  private static void returned(
      FsDatasetSpi<?> dataset,
      Configuration conf,
      Calls<Void> operation,
      Calls<Void> closing,
      Calls<Void> adding)
      throws Exception {
    operation.failure(); // however it ends
    assertThat(closing.failure()).isNull();
    assertThat((adding == null ? add(dataset, conf) : adding).failure()).isNull();
  }

  /** The copy is renamed to its place once the pool is closed, and is then deleted, which hangs. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void moveHangsTwiceOnItsTarget_poolGoesAndReturns_blockIsThere(boolean ours) throws Exception {
    Configuration conf = conf(ours);
    try (OneDataNode one = OneDataNode.start(dir, conf);
        ParkedIo io = ParkedIo.of(one.node())) {
      FsDatasetSpi<?> dataset = one.dataset();
      dataset.addBlockPool(OTHER, conf);
      for (long id = 7; id < 12; id++) {
        ExtendedBlock b = finalized(dataset, id);
        AtomicInteger renamed = new AtomicInteger(); // the meta file, then the data
        ParkedIo.Parking renaming =
            io.park(
                OPERATION.MOVE,
                1,
                thread -> thread.getName().equals("move") && renamed.incrementAndGet() == 2);
        Calls<Void> move = move(dataset, b);
        renaming.awaitAll();
        Calls<Void> closing = closing(dataset, ours);
        ParkedIo.Parking deleting =
            io.park(OPERATION.DELETE, 1, thread -> ours && thread.getName().equals("move"));
        renaming.release();
        Calls<Void> adding = null;
        if (ours) { // stock's copy takes its place
          deleting.awaitAll();
          adding = add(dataset, conf);
          assertThat(adding.waits()).isTrue();
        }
        deleting.release();
        returned(dataset, conf, move, closing, adding);
        assertThat(dataset.isValidBlock(b)).isTrue();
      }
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
