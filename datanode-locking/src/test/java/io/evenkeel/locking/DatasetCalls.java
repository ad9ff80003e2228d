package io.evenkeel.locking;

import java.io.DataOutputStream;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.BlockMetadataHeader;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.ReplicaHandler;
import org.apache.hadoop.hdfs.server.datanode.ReplicaInPipeline;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.ReplicaInputStreams;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.ReplicaOutputStreams;
import org.apache.hadoop.util.DataChecksum;

/** Calls on the dataset of a DataNode as its own threads make them. Thread-safe. */
final class DatasetCalls {
  static final long STAMP = 1000;

  /** Bytes of the blocks it writes. */
  static final int LENGTH = 1024;

  /** The SSD that events take away; what tests read is on the other one. */
  static final int SPARE = 1;

  private static final DataChecksum CHECKSUM =
      DataChecksum.newDataChecksum(DataChecksum.Type.CRC32C, 512);

  private final OneDataNode one;
  private final AtomicLong ids = new AtomicLong(1L << 40); // a NameNode begins at 1 << 30

  DatasetCalls(OneDataNode one) {
    this.one = one;
  }

  DataNode node() {
    return one.node();
  }

  FsDatasetSpi<?> dataset() {
    return one.dataset();
  }

  String pool() {
    return one.pool();
  }

  /** The volume with this number in the configured list. */
  FsVolumeSpi volume(int number) throws IOException {
    String dir = node().getConf().get("dfs.datanode.data.dir").split(",")[number];
    File path = new File(URI.create(dir.substring(dir.indexOf(']') + 1)));
    try (FsDatasetSpi.FsVolumeReferences volumes = dataset().getFsVolumeReferences()) {
      for (FsVolumeSpi volume : volumes) {
        if (new File(volume.getStorageLocation().getUri()).equals(path)) {
          return volume;
        }
      }
    }
    throw new IOException("no volume " + path);
  }

  ExtendedBlock newBlock() {
    return new ExtendedBlock(pool(), ids.getAndIncrement(), 0, STAMP);
  }

  /** A block that is written and not finalized. */
  ExtendedBlock written(StorageType type) throws IOException {
    ExtendedBlock block = newBlock();
    try (ReplicaHandler handler = dataset().createRbw(type, null, block, false)) {
      write(handler.getReplica());
    }
    block.setNumBytes(LENGTH);
    return block;
  }

  private static void write(ReplicaInPipeline replica) throws IOException {
    byte[] data = new byte[LENGTH];
    byte[] sums = new byte[CHECKSUM.getChecksumSize(LENGTH)];
    CHECKSUM.calculateChunkedSums(data, 0, LENGTH, sums, 0);
    try (ReplicaOutputStreams streams = replica.createStreams(true, CHECKSUM);
        DataOutputStream out = new DataOutputStream(streams.getChecksumOut())) {
      streams.getDataOut().write(data);
      BlockMetadataHeader.writeHeader(out, CHECKSUM);
      out.write(sums);
    }
    replica.setNumBytes(LENGTH);
    replica.setBytesAcked(LENGTH);
    replica.setLastChecksumAndDataLen(LENGTH, null);
  }

  ExtendedBlock finalized(StorageType type) throws IOException {
    ExtendedBlock block = written(type);
    dataset().finalizeBlock(block, false);
    return block;
  }

  /** A finalized block on an SSD that stays. */
  ExtendedBlock toRead() throws IOException {
    while (true) {
      ExtendedBlock block = finalized(StorageType.SSD);
      if (!dataset().getVolume(block).equals(volume(SPARE))) {
        return block;
      }
    }
  }

  /** Opens a block both ways a reader does. */
  void open(ExtendedBlock block) throws IOException {
    dataset().getBlockInputStream(block, 0).close();
    try (ReplicaInputStreams streams = dataset().getTmpInputStreams(block, 0, 0)) {
      if (streams.getDataIn().read() != 0) {
        throw new IOException(block + " does not begin with the byte written");
      }
    }
  }
}
