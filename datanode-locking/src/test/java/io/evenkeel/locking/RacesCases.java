package io.evenkeel.locking;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.FileIoProvider.OPERATION;
import org.apache.hadoop.hdfs.server.datanode.ReplicaHandler;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two operations on one block, one of them held in its I/O. Each race stock loses is shown on stock
 * as well, on the same Hadoop.
 */
abstract class RacesCases {
  @TempDir Path dir;
  OneDataNode one;
  FsDatasetSpi<?> dataset;
  Replicas replicas;
  ParkedIo io;

  abstract boolean ours();

  @BeforeEach
  void start() throws Exception {
    Configuration conf = OneDataNode.conf(ours());
    conf.setLong("dfs.datanode.xceiver.stop.timeout.millis", 20_000);
    one = OneDataNode.start(dir, conf);
    dataset = one.dataset();
    replicas = new Replicas(one, dir);
    io = ParkedIo.of(one.node());
  }

  @AfterEach
  void stop() throws Exception {
    io.close();
    if (ours()) {
      assertThat(one.operations().liveLocks()).isZero();
      assertThat(one.locks().order().examples()).isEmpty();
    }
    one.close();
  }

  /** Creates and leaves open; the exception if there was one. */
  Calls<Void> create(String name, ExtendedBlock b) {
    return Calls.start(
        name,
        () -> {
          try (ReplicaHandler handler = dataset.createRbw(StorageType.DISK, null, b, false, 0)) {
            Replicas.fill(handler.getReplica());
            return null;
          }
        });
  }

  Calls<Void> move(String name, ExtendedBlock b) {
    return Calls.start(
        name,
        () -> {
          dataset.moveBlockAcrossStorage(b, StorageType.SSD, null);
          return null;
        });
  }

  /** Two creations, the first held when it opens its file. */
  List<Throwable> twoCreations(ExtendedBlock b) throws Exception {
    ParkedIo.Parking parking =
        io.park(OPERATION.OPEN, 1, thread -> thread.getName().equals("first"));
    Calls<Void> first = create("first", b);
    parking.awaitAll();
    Calls<Void> second = create("second", b);
    assertThat(second.waits()).isEqualTo(ours());
    parking.release();
    return Stream.of(first.failure(), second.failure()).filter(e -> e != null).toList();
  }

  /** Two moves of one block; the first is held after its copy is made, before it counts. */
  List<Throwable> twoMoves(ExtendedBlock b) throws Exception {
    ParkedIo.Parking parking =
        io.park(OPERATION.MKDIRS, 1, thread -> thread.getName().equals("move 1"));
    Calls<Void> first = move("move 1", b);
    parking.awaitAll();
    Calls<Void> second = move("move 2", b);
    assertThat(second.waits()).isFalse(); // it ends, one way or the other
    parking.release();
    return Stream.of(first.failure(), second.failure()).filter(e -> e != null).toList();
  }

  /** The block is deleted while a move copies it; how the move ends. */
  Throwable deletedWhileMoved(ExtendedBlock b) throws Exception {
    ParkedIo.Parking parking =
        io.park(OPERATION.NATIVE_COPY, 1, thread -> thread.getName().startsWith("move"));
    Calls<Void> move = move("move", b);
    parking.awaitAll();
    ParkedIo.Parking deletion =
        io.park(OPERATION.DELETE, 1, thread -> thread.getName().startsWith("Async disk"));
    delete(b);
    deletion.awaitAll(); // out of the map, its files still there to be copied
    parking.release();
    Throwable failure = move.failure();
    deletion.release();
    while (dataset.getPendingAsyncDeletions() > 0) {
      Thread.sleep(10);
    }
    return failure;
  }

  /** The block comes back while its old files are being deleted; whether that had to wait. */
  boolean createdWhileDeleted(ExtendedBlock b) throws Exception {
    ParkedIo.Parking parking =
        io.park(OPERATION.DELETE, 1, thread -> thread.getName().startsWith("Async disk"));
    delete(b);
    parking.awaitAll();
    Calls<Void> create = create("create", b);
    boolean waited = create.waits();
    if (!waited) {
      assertThat(create.failure()).isNull();
      dataset.finalizeBlock(b, false);
    }
    parking.release();
    assertThat(create.failure()).isNull();
    if (waited) {
      dataset.finalizeBlock(b, false);
    }
    while (dataset.getPendingAsyncDeletions() > 0) {
      Thread.sleep(10);
    }
    return waited;
  }

  void delete(ExtendedBlock b) throws IOException {
    dataset.invalidate(b.getBlockPoolId(), new Block[] {b.getLocalBlock()});
  }
}
