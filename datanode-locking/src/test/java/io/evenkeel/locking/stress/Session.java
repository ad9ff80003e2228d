package io.evenkeel.locking.stress;

import io.evenkeel.locking.stress.Outcome.Result;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Arrays;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants.ReplicaState;
import org.apache.hadoop.hdfs.server.datanode.BlockMetadataHeader;
import org.apache.hadoop.hdfs.server.datanode.ReplicaHandler;
import org.apache.hadoop.hdfs.server.datanode.ReplicaInPipeline;
import org.apache.hadoop.hdfs.server.datanode.ReplicaInfo;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.ReplicaOutputStreams;
import org.apache.hadoop.util.DataChecksum;

/**
 * The writer's half of a thread: an opened replica and its streams, used as {@code BlockReceiver}
 * uses them. Not for more than one thread, which is the writer stock interrupts and joins.
 */
final class Session implements AutoCloseable {
  private final StressDataNode node;
  private final long id;
  private ReplicaHandler handler;
  private ReplicaInPipeline replica;
  private ReplicaOutputStreams streams;
  private boolean creates;
  private boolean late;
  private long size;
  private long openBegin;
  private long openEnd;

  Session(StressDataNode node, long id) {
    this.node = node;
    this.id = id;
  }

  /** Whether files were opened of a replica that was no longer the map's: they may outlive it. */
  boolean late() {
    return late;
  }

  long size() {
    return size;
  }

  /** Whether it has a replica open, and so holds its volume. */
  boolean opened() {
    return handler != null;
  }

  /** Takes a replica that a call has opened. */
  Outcome opened(ReplicaHandler opened, boolean created) throws IOException {
    close();
    handler = opened;
    replica = opened.getReplica();
    creates = created;
    size = replica.getBytesOnDisk();
    return Outcome.on(node.indexOf(((ReplicaInfo) replica).getVolume()));
  }

  /** Goes on with the replica a temporary one was converted to, over the same files. */
  void converted(ReplicaInPipeline rbw) {
    replica = rbw;
  }

  /** Writes one packet at the end and flushes it. */
  Outcome write(int bytes, boolean acknowledge) throws IOException {
    if (Thread.currentThread().isInterrupted()) {
      return Outcome.of(Result.INTERRUPTED);
    }
    if (streams == null) {
      if (!mine()) {
        return Outcome.of(Result.LOST);
      }
      openStreams();
    }
    ExtendedBlock block = node.block(id, 0, 0);
    if (size % Content.CHUNK != 0) {
      node.dataset().adjustCrcChannelPosition(block, streams, 4);
    }
    long end = size + bytes;
    byte[] sums = Content.checksums(id, size, end);
    replica.setNumBytes(end);
    streams.writeDataToDisk(Content.bytes(id, size, bytes), 0, bytes);
    streams.getChecksumOut().write(sums);
    streams.flushDataOut();
    streams.flushChecksumOut();
    replica.setLastChecksumAndDataLen(end, Arrays.copyOfRange(sums, sums.length - 4, sums.length));
    if (acknowledge) {
      replica.setBytesAcked(end);
    }
    size = end;
    late |= takenOver();
    return Outcome.ok(size, 0);
  }

  /**
   * Whether another thread that was given the same stamp has finalized or converted this replica:
   * stock lets a writer go on in its file then, whatever the lock. A recovery of what was finalized
   * does not stop this writer either, and fails where the bytes are not there yet that the writer
   * had announced ({@code setNumBytes} comes before the write, as in {@code BlockReceiver}).
   */
  private boolean takenOver() {
    ReplicaInfo own = (ReplicaInfo) replica;
    ReplicaInfo now = node.replica(id);
    return now != null
        && now != own
        && (wasFinalized(now) || own.getState() == ReplicaState.TEMPORARY)
        && now.getGenerationStamp() == own.getGenerationStamp()
        && now.getVolume() == own.getVolume();
  }

  private static boolean wasFinalized(ReplicaInfo now) {
    ReplicaState state = now.getState();
    if (state == ReplicaState.RUR) {
      state = now.getOriginalReplica().getState(); // of any other the recovery stops the writer
    }
    return state == ReplicaState.FINALIZED;
  }

  private void openStreams() throws IOException {
    DataChecksum checksum = DataChecksum.newDataChecksum(DataChecksum.Type.CRC32C, Content.CHUNK);
    openBegin = System.nanoTime();
    try {
      streams = replica.createStreams(creates, checksum);
      if (creates) {
        BlockMetadataHeader.writeHeader(new DataOutputStream(streams.getChecksumOut()), checksum);
        creates = false;
      }
    } finally {
      late |= !mine();
      openEnd = System.nanoTime();
    }
  }

  /**
   * Whether files were being opened while {@code replacement} ran, which deletes files before it
   * changes the map, and does not stop the writer.
   */
  boolean openedDuring(Step replacement) {
    return openBegin != 0 && replacement.begin < openEnd && replacement.end > openBegin;
  }

  private boolean mine() {
    return node.replica(id) == replica;
  }

  /** What a receiver does when it ends. */
  @Override
  public void close() throws IOException {
    if (streams != null) {
      streams.close();
      streams = null;
    }
    if (handler != null) {
      handler.close();
      handler = null;
    }
  }
}
