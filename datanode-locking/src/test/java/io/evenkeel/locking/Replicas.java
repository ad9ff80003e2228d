package io.evenkeel.locking;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.BlockMetadataHeader;
import org.apache.hadoop.hdfs.server.datanode.ReplicaHandler;
import org.apache.hadoop.hdfs.server.datanode.ReplicaInPipeline;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.ReplicaOutputStreams;
import org.apache.hadoop.util.DataChecksum;

/** Makes replicas by calling a dataset as a DataXceiver does, and finds their files. */
final class Replicas {
  static final int LENGTH = 1024;

  private static final int CHUNK = 512;
  private static final int PAGE = 4096; // memory is taken in pages
  private static final AtomicLong NEXT = new AtomicLong(1_000_000);

  private final FsDatasetSpi<?> dataset;
  private final String pool;
  private final Path dir;

  Replicas(OneDataNode one, Path dir) {
    this.dataset = one.dataset();
    this.pool = one.pool();
    this.dir = dir;
  }

  /** A block nobody has used, with generation stamp 1000. */
  ExtendedBlock block() {
    return new ExtendedBlock(pool, NEXT.incrementAndGet(), LENGTH, 1000);
  }

  /** The same block with another generation stamp. */
  static ExtendedBlock at(ExtendedBlock b, long generationStamp) {
    return new ExtendedBlock(b.getBlockPoolId(), b.getBlockId(), LENGTH, generationStamp);
  }

  /** A new finalized replica of {@link #LENGTH} bytes. */
  ExtendedBlock finalized(StorageType type) throws IOException {
    return finalized(type, block());
  }

  /** The same of that block. */
  ExtendedBlock finalized(StorageType type, ExtendedBlock b) throws IOException {
    try (ReplicaHandler handler = dataset.createRbw(type, null, b, false, 0)) {
      fill(handler.getReplica());
    }
    dataset.finalizeBlock(b, false);
    return b;
  }

  /** A new finalized replica in memory, to be saved on a disk later. */
  ExtendedBlock inMemory() throws IOException {
    ExtendedBlock b = writtenInMemory();
    dataset.finalizeBlock(b, false);
    return b;
  }

  /** A replica in memory that is not finalized. */
  ExtendedBlock writtenInMemory() throws IOException {
    ExtendedBlock b = block();
    ExtendedBlock pages = new ExtendedBlock(pool, b.getBlockId(), PAGE, b.getGenerationStamp());
    try (ReplicaHandler handler = dataset.createRbw(StorageType.RAM_DISK, null, pages, true, 0)) {
      fill(handler.getReplica());
    }
    return b;
  }

  /** A copy that came in, whose writer has ended: a volume that goes interrupts writers. */
  ExtendedBlock temporary(StorageType type) throws Exception {
    return Calls.start(
            "writer",
            () -> {
              ExtendedBlock b = block();
              try (ReplicaHandler handler = dataset.createTemporary(type, null, b, false)) {
                fill(handler.getReplica());
              }
              return b;
            })
        .result();
  }

  /** A replica that was being written, whose writer has ended. */
  ExtendedBlock rbw(StorageType type) throws Exception {
    return Calls.start(
            "writer",
            () -> {
              ExtendedBlock b = block();
              try (ReplicaHandler handler = dataset.createRbw(type, null, b, false, 0)) {
                fill(handler.getReplica());
              }
              return b;
            })
        .result();
  }

  /** Writes the bytes and checksums of a replica. */
  static void fill(ReplicaInPipeline replica) throws IOException {
    DataChecksum checksum = DataChecksum.newDataChecksum(DataChecksum.Type.CRC32C, CHUNK);
    byte[] bytes = new byte[LENGTH];
    byte[] sums = new byte[checksum.getChecksumSize(LENGTH)];
    checksum.calculateChunkedSums(bytes, 0, LENGTH, sums, 0);
    try (ReplicaOutputStreams streams = replica.createStreams(true, checksum);
        DataOutputStream meta = new DataOutputStream(streams.getChecksumOut())) {
      streams.writeDataToDisk(bytes, 0, LENGTH);
      BlockMetadataHeader.writeHeader(meta, checksum);
      meta.write(sums);
    }
    replica.setNumBytes(LENGTH);
    replica.setBytesAcked(LENGTH);
    replica.setLastChecksumAndDataLen(LENGTH, null);
  }

  /** Opens the files of a replica and notes the length of what is then not written. */
  static void announce(ReplicaInPipeline replica) throws IOException {
    DataChecksum checksum = DataChecksum.newDataChecksum(DataChecksum.Type.CRC32C, CHUNK);
    try (ReplicaOutputStreams streams = replica.createStreams(true, checksum);
        DataOutputStream meta = new DataOutputStream(streams.getChecksumOut())) {
      BlockMetadataHeader.writeHeader(meta, checksum);
    }
    replica.setNumBytes(LENGTH);
  }

  /** The data files of a block, over all volumes. */
  List<Path> files(ExtendedBlock b) throws IOException {
    String name = "blk_" + b.getBlockId();
    try (Stream<Path> tree = Files.walk(dir)) {
      return tree.filter(p -> p.endsWith(name)).collect(Collectors.toList());
    }
  }

  /** A copy comes in, by a writer that ends before it is finalized. */
  static void comesIn(FsDatasetSpi<?> dataset, StorageType type, ExtendedBlock b) throws Exception {
    Calls<?> copy =
        Calls.start(
            "copy",
            () -> {
              try (ReplicaHandler made = dataset.createTemporary(type, null, b, true)) {
                fill(made.getReplica());
              }
              return null;
            });
    assertThat(copy.failure()).isNull();
  }
}
