package io.evenkeel.bench.locking;

import io.evenkeel.bench.runtime.Trees;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants.StartupOption;
import org.apache.hadoop.hdfs.server.datanode.BlockMetadataHeader;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.ReplicaHandler;
import org.apache.hadoop.hdfs.server.datanode.ReplicaInPipeline;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.ReplicaOutputStreams;
import org.apache.hadoop.io.nativeio.NativeIO;
import org.apache.hadoop.util.DataChecksum;

/**
 * A NameNode and a DataNode in this JVM whose dataset is called as the DataNode's own threads call
 * it. Calls on the dataset may come from many threads; the rest is confined to one.
 */
final class DatasetRig implements AutoCloseable {
  /** Our dataset, as an operator names it. */
  static final List<StorageType> FOUR_SSD = Collections.nCopies(4, StorageType.SSD);

  static final String OURS = "io.evenkeel.locking.FineGrainedDatasetFactory";

  /** Bytes of the blocks it writes. */
  static final int BLOCK = 1024;

  static final long STAMP = 1000;

  private static final String DIRS = "dfs.datanode.data.dir";
  private static final DataChecksum CHECKSUM =
      DataChecksum.newDataChecksum(DataChecksum.Type.CRC32C, 512);

  private final Path dir;
  private final List<StorageType> types;
  private final MiniDFSCluster cluster;
  private final DataNode dataNode;
  private final StuckIo io;
  private final AtomicLong ids = new AtomicLong(1L << 30);

  private DatasetRig(Path dir, List<StorageType> types, MiniDFSCluster cluster) throws IOException {
    this.dir = dir;
    this.types = types;
    this.cluster = cluster;
    this.dataNode = cluster.getDataNodes().get(0);
    this.io = StuckIo.in(dataNode);
  }

  /**
   * Starts it, in memory where the system has a directory for that.
   *
   * @param types one volume each
   * @param factory class of the dataset's factory; null for stock's
   * @throws IllegalStateException when the factory falls back to the stock dataset
   */
  static DatasetRig start(List<StorageType> types, String factory) throws Exception {
    Path memory = Path.of("/dev/shm");
    Path dir =
        Files.isWritable(memory)
            ? Files.createTempDirectory(memory, "locking")
            : Files.createTempDirectory("locking");
    // Blocks in memory need no right to lock pages here.
    NativeIO.POSIX.setCacheManipulator(new NativeIO.POSIX.NoMlockCacheManipulator());
    Configuration conf = settings(dir, types);
    if (factory != null) {
      conf.set("dfs.datanode.fsdataset.factory", factory);
    }
    MiniDFSCluster cluster = null;
    boolean started = false;
    try {
      cluster = new MiniDFSCluster.Builder(conf).numDataNodes(0).build();
      cluster.startDataNodes(conf, 1, false, StartupOption.REGULAR, null);
      cluster.waitActive();
      DatasetRig rig = new DatasetRig(dir, types, cluster);
      rig.check(factory != null);
      started = true;
      return rig;
    } finally {
      if (!started) {
        if (cluster != null) {
          cluster.shutdown();
        }
        Trees.delete(dir);
      }
    }
  }

  private void check(boolean ours) {
    boolean stock = dataset().getClass().getSimpleName().equals("FsDatasetImpl");
    if (stock == ours) {
      throw new IllegalStateException("the DataNode runs " + dataset().getClass());
    }
  }

  private static Configuration settings(Path dir, List<StorageType> types) throws IOException {
    Configuration conf = new HdfsConfiguration();
    conf.set(MiniDFSCluster.HDFS_MINIDFS_BASEDIR, dir.resolve("cluster").toString());
    List<String> dirs = new ArrayList<>();
    for (int i = 0; i < types.size(); i++) {
      Files.createDirectory(dir.resolve("volume" + i));
      dirs.add(location(dir, types, i));
    }
    conf.set(DIRS, String.join(",", dirs));
    conf.set("dfs.datanode.data.dir.perm", "755");
    conf.set("dfs.datanode.fsdataset.volume.choosing.policy", ChosenVolume.class.getName());
    conf.setLong("dfs.datanode.directoryscan.interval", -1);
    conf.setLong("dfs.block.scanner.volume.bytes.per.second", 0);
    conf.setLong("dfs.blockreport.intervalMsec", 3_600_000);
    conf.setInt("dfs.datanode.failed.volumes.tolerated", 1);
    // The NameNode knows none of the blocks and would have them deleted.
    conf.setLong("dfs.namenode.startup.delay.block.deletion.sec", 86_400);
    conf.setInt("dfs.datanode.lazywriter.interval.sec", 1);
    if (types.contains(StorageType.RAM_DISK)) {
      conf.setLong("dfs.datanode.max.locked.memory", BackgroundEvents.MEMORY);
    }
    return conf;
  }

  private static String location(Path dir, List<StorageType> types, int volume) {
    return "[" + types.get(volume) + "]" + dir.resolve("volume" + volume).toUri();
  }

  @SuppressWarnings("unchecked")
  FsDatasetSpi<FsVolumeSpi> dataset() {
    return (FsDatasetSpi<FsVolumeSpi>) dataNode.getFSDataset();
  }

  StuckIo io() {
    return io;
  }

  Configuration conf() {
    return cluster.getConfiguration(0);
  }

  String pool() {
    return cluster.getNamesystem().getBlockPoolId();
  }

  /** The volume with this number in the list of types. */
  FsVolumeSpi volume(int number) throws IOException {
    Path path = dir.resolve("volume" + number);
    try (FsDatasetSpi.FsVolumeReferences volumes = dataset().getFsVolumeReferences()) {
      for (FsVolumeSpi volume : volumes) {
        if (Path.of(volume.getStorageLocation().getUri()).equals(path)) {
          return volume;
        }
      }
    }
    throw new IOException("no volume at " + path);
  }

  /** How many replica files of a block there are, over all volumes and states. */
  int files(ExtendedBlock block) throws IOException {
    int count = 0;
    for (int i = 0; i < types.size(); i++) {
      Path current = dir.resolve("volume" + i).resolve("current").resolve(pool());
      for (String state : List.of("current/rbw", "tmp")) {
        count += Files.exists(current.resolve(state).resolve(block.getBlockName())) ? 1 : 0;
      }
    }
    return count;
  }

  /** Whether a block in memory has been copied to a disk. */
  boolean persisted(ExtendedBlock block) throws IOException {
    String meta = block.getBlockName() + "_" + STAMP + ".meta";
    for (int i = 0; i < types.size(); i++) {
      Path copies = dir.resolve("volume" + i).resolve("current").resolve(pool());
      copies = copies.resolve("current").resolve("lazypersist");
      if (Files.exists(copies)) {
        try (Stream<Path> files = Files.walk(copies)) {
          if (files.anyMatch(file -> file.endsWith(meta))) {
            return true;
          }
        }
      }
    }
    return false;
  }

  /** Adds and removes volumes as an operator does, so that those not named are gone. */
  void useAllVolumesBut(Set<Integer> without) throws Exception {
    List<String> dirs = new ArrayList<>();
    for (int i = 0; i < types.size(); i++) {
      if (!without.contains(i)) {
        dirs.add(location(dir, types, i));
      }
    }
    dataNode.reconfigurePropertyImpl(DIRS, String.join(",", dirs));
  }

  /** A block nobody has; ids are sequential, as those of a NameNode. */
  ExtendedBlock newBlock() {
    return new ExtendedBlock(pool(), ids.getAndIncrement(), 0, STAMP);
  }

  /** Writes so many bytes and their checksums into a replica just created. */
  static void write(ReplicaInPipeline replica, int bytes) throws IOException {
    byte[] data = new byte[bytes];
    byte[] sums = new byte[CHECKSUM.getChecksumSize(bytes)];
    CHECKSUM.calculateChunkedSums(data, 0, bytes, sums, 0);
    try (ReplicaOutputStreams streams = replica.createStreams(true, CHECKSUM);
        DataOutputStream out = new DataOutputStream(streams.getChecksumOut())) {
      streams.getDataOut().write(data);
      BlockMetadataHeader.writeHeader(out, CHECKSUM);
      out.write(sums);
    }
    replica.setNumBytes(bytes);
    replica.setBytesAcked(bytes);
    replica.setLastChecksumAndDataLen(bytes, null);
  }

  /** A block that is written and not finalized. */
  ExtendedBlock written(StorageType type, String storageId) throws IOException {
    ExtendedBlock block = newBlock();
    try (ReplicaHandler handler = dataset().createRbw(type, storageId, block, false)) {
      write(handler.getReplica(), BLOCK);
    }
    block.setNumBytes(BLOCK);
    return block;
  }

  /** A finalized block. */
  ExtendedBlock finalized(StorageType type, String storageId) throws IOException {
    ExtendedBlock block = written(type, storageId);
    dataset().finalizeBlock(block, false);
    return block;
  }

  /** Deletes finalized blocks and waits until their files are gone. */
  void delete(List<ExtendedBlock> blocks) throws IOException, InterruptedException {
    Block[] local = blocks.stream().map(block -> block.getLocalBlock()).toArray(Block[]::new);
    dataset().invalidate(pool(), local);
    while (local.length > 0 && dataset().getPendingAsyncDeletions() > 0) {
      Thread.sleep(10);
    }
  }

  @Override
  public void close() throws IOException {
    io.letGo();
    cluster.shutdown();
    Trees.delete(dir);
  }
}
