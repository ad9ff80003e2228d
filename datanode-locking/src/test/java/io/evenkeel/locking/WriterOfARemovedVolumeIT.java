package io.evenkeel.locking;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.common.testing.Await;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNodeTestUtils;
import org.apache.hadoop.hdfs.server.datanode.FileIoProvider.OPERATION;
import org.apache.hadoop.hdfs.server.datanode.ReplicaHandler;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.Volumes;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A writer opens a replica while its volume is removed or fails. The removal ends the writers it
 * finds in the map and waits for all references to the volume; so one that comes into the map later
 * must end by itself, or the removal waits for as long as its client writes.
 */
@Timeout(300)
class WriterOfARemovedVolumeIT {
  private static final long NEW = 1001;

  @TempDir Path dir;

  /** How a writer opens a replica. */
  enum Opening {
    CREATE_RBW(OPERATION.OPEN),
    CREATE_TEMPORARY(OPERATION.OPEN),
    APPEND(OPERATION.MOVE),
    RECOVER_APPEND(OPERATION.MOVE),
    RECOVER_RBW(OPERATION.MOVE);

    final OPERATION io;

    Opening(OPERATION io) {
      this.io = io;
    }

    boolean creates() {
      return this == CREATE_RBW || this == CREATE_TEMPORARY;
    }

    ExtendedBlock prepare(Replicas replicas) throws Exception {
      if (this == RECOVER_RBW) {
        return replicas.rbw(StorageType.DISK);
      }
      return creates() ? replicas.block() : replicas.finalized(StorageType.DISK);
    }

    ReplicaHandler open(OneDataNode one, ExtendedBlock b) throws IOException {
      switch (this) {
        case CREATE_RBW:
          return one.dataset().createRbw(StorageType.DISK, null, b, false, 0);
        case CREATE_TEMPORARY:
          return one.dataset().createTemporary(StorageType.DISK, null, b, false);
        case APPEND:
          return one.dataset().append(b, NEW, Replicas.LENGTH);
        case RECOVER_APPEND:
          return one.dataset().recoverAppend(b, NEW, Replicas.LENGTH);
        default:
          return one.dataset().recoverRbw(b, NEW, Replicas.LENGTH, Replicas.LENGTH);
      }
    }
  }

  /** A removal looks every five seconds, so these are not all there could be. */
  static Stream<Arguments> some() {
    return Stream.concat(
        Stream.of(
            Arguments.of(false, Opening.CREATE_RBW, false),
            Arguments.of(false, Opening.APPEND, true),
            Arguments.of(true, Opening.CREATE_RBW, true)),
        Stream.of(Opening.values()).map(opening -> Arguments.of(true, opening, false)));
  }

  @ParameterizedTest
  @MethodSource("some")
  void replicaIsOpenedWhileItsVolumeGoes_writerEndsAndTheVolumeIsGone(
      boolean ours, Opening opening, boolean fails) throws Exception {
    Configuration conf = OneDataNode.conf(ours);
    conf.setInt("dfs.datanode.failed.volumes.tolerated", 1);
    try (OneDataNode one = OneDataNode.start(dir, conf);
        ParkedIo io = ParkedIo.of(one.node())) {
      DataNodeTestUtils.setHeartbeatsDisabledForTests(one.node(), true);
      Replicas replicas = new Replicas(one, dir);
      ExtendedBlock b = opening.prepare(replicas);
      ParkedIo.Parking parking =
          io.park(opening.io, 1, thread -> thread.getName().equals("writer"));
      Calls<?> writer = Calls.start("writer", () -> write(one, opening, b));
      parking.awaitAll();
      FsVolumeSpi volume = Volumes.at(one.dataset(), parking.directory());
      long reserved = Volumes.reserved(volume);

      Calls<?> removal = Calls.start("remove", () -> remove(one, volume, fails));
      assertThat(removal.waits()).as("it waits for the writer").isTrue();
      parking.release();

      assertThat(writer.failure())
          .isInstanceOfAny(InterruptedException.class, ClosedChannelException.class);
      assertThat(one.failureOfRemoval(removal)).isNull();
      assertThat(Volumes.references(volume)).isZero();
      assertThat(Volumes.reserved(volume)).as("bytes reserved").isZero();
      assertThat(reserved).isNotNegative();
      assertThat(one.dataset().contains(b)).isFalse();
      if (ours && opening.creates()) {
        assertThat(replicas.files(b)).isEmpty();
      } else {
        assertThat(replicas.files(b)).as("they hold what was acknowledged").hasSize(1);
      }
    }
  }

  /** As a client that writes on for as long as it may. */
  private static Void write(OneDataNode one, Opening opening, ExtendedBlock b) throws Exception {
    try (ReplicaHandler handler = opening.open(one, b)) {
      try {
        while (true) {
          Await.pause(1000);
        }
      } finally {
        handler.getReplica().releaseAllBytesReserved(); // as BlockReceiver does
      }
    }
  }

  private static Void remove(OneDataNode one, FsVolumeSpi volume, boolean fails) throws Exception {
    if (fails) {
      one.dataset().handleVolumeFailures(Set.of(volume));
      one.dataset().removeVolumes(Set.of(volume.getStorageLocation()), false);
    } else {
      one.node().reconfigurePropertyImpl(OneDataNode.DIRS, one.directoriesWithout(volume));
    }
    return null;
  }
}
