package io.evenkeel.bench.locking;

import io.evenkeel.bench.embedded.EmbeddedHdfs;
import io.evenkeel.bench.embedded.HostPlan;
import io.evenkeel.bench.runtime.Layout;
import io.evenkeel.bench.runtime.Trees;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
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
 * A DataNode in this JVM whose dataset is called as the DataNode's own threads call it. Calls on
 * the dataset may come from many threads; the rest is confined to one.
 */
final class OneDataNode implements AutoCloseable {
  /** System property that names a directory in memory for its files. */
  static final String MEMORY = "evenkeel.bench.memory";

  static final List<StorageType> FOUR_SSD = Collections.nCopies(4, StorageType.SSD);

  /** Bytes of the blocks it writes. */
  static final int BLOCK = 1024;

  static final long STAMP = 1000;

  private static final DataChecksum CHECKSUM =
      DataChecksum.newDataChecksum(DataChecksum.Type.CRC32C, 512);

  private final Path dir;
  private final int volumes;
  private final Layout.Vm vm;
  private final EmbeddedHdfs hdfs;
  private final DataNode dataNode;
  private final StuckIo io;
  private final AtomicLong ids = new AtomicLong(1L << 30);

  private OneDataNode(List<StorageType> types, Map<String, String> keys)
      throws IOException, InterruptedException {
    Path memory = Path.of(System.getProperty(MEMORY, "/dev/shm"));
    dir =
        Files.isWritable(memory)
            ? Files.createTempDirectory(memory, "locking")
            : Files.createTempDirectory("locking");
    volumes = types.size();
    HostPlan plan = HostPlan.of(new Layout(1, 1, 1));
    vm = plan.vms().get(0);
    List<String> storages = types.stream().map(StorageType::name).toList();
    hdfs = Trees.orDelete(dir, () -> new EmbeddedHdfs(dir, plan, storages, keys));
    dataNode = hdfs.dataNodes().get(vm);
    try {
      io = StuckIo.in(dataNode);
    } catch (IOException | RuntimeException | LinkageError e) {
      hdfs.close();
      Trees.delete(dir);
      throw e;
    }
  }

  /** Starts one with stock's dataset, in memory where the system has a directory for that. */
  static OneDataNode stock(List<StorageType> types) throws Exception {
    return stock(types, Map.of());
  }

  /** The same with keys of its own. */
  static OneDataNode stock(List<StorageType> types, Map<String, String> keys) throws Exception {
    return start(types, keys, true);
  }

  /**
   * Starts one with our dataset.
   *
   * @throws IllegalStateException when it falls back to stock's
   */
  static OneDataNode ours(List<StorageType> types) throws Exception {
    String factory = "io.evenkeel.locking.FineGrainedDatasetFactory";
    return start(types, Map.of("dfs.datanode.fsdataset.factory", factory), false);
  }

  private static OneDataNode start(
      List<StorageType> types, Map<String, String> dataset, boolean stock) throws Exception {
    // Blocks in memory need no right to lock pages here.
    NativeIO.POSIX.setCacheManipulator(new NativeIO.POSIX.NoMlockCacheManipulator());
    Map<String, String> keys = new HashMap<>(dataset);
    keys.put("dfs.datanode.fsdataset.volume.choosing.policy", ChosenVolume.class.getName());
    keys.put("dfs.datanode.failed.volumes.tolerated", "1");
    // The NameNode knows none of the blocks and would have them deleted.
    keys.put("dfs.namenode.startup.delay.block.deletion.sec", "86400");
    keys.put("dfs.datanode.lazywriter.interval.sec", "1");
    if (types.contains(StorageType.RAM_DISK)) {
      keys.put("dfs.datanode.max.locked.memory", String.valueOf(BackgroundEvents.MEMORY));
    }
    OneDataNode started = new OneDataNode(types, keys);
    String runs = started.dataset().getClass().getSimpleName();
    if (runs.equals("FsDatasetImpl") != stock) {
      started.close();
      throw new IllegalStateException("the DataNode runs " + runs);
    }
    return started;
  }

  @SuppressWarnings("unchecked")
  FsDatasetSpi<FsVolumeSpi> dataset() {
    return (FsDatasetSpi<FsVolumeSpi>) dataNode.getFSDataset();
  }

  StuckIo io() {
    return io;
  }

  Configuration conf() {
    return dataNode.getConf();
  }

  String pool() {
    return hdfs.nameNode().getNamesystem().getBlockPoolId();
  }

  /** The volume with this number in the list of types. */
  FsVolumeSpi volume(int number) throws IOException {
    Path path = hdfs.volumeDir(vm, number);
    try (FsDatasetSpi.FsVolumeReferences references = dataset().getFsVolumeReferences()) {
      for (FsVolumeSpi volume : references) {
        if (Path.of(volume.getStorageLocation().getUri()).equals(path)) {
          return volume;
        }
      }
    }
    throw new IOException("no volume at " + path);
  }

  private Path poolDir(int volume) {
    return hdfs.volumeDir(vm, volume).resolve("current").resolve(pool());
  }

  /** How many replica files of a block there are, over all volumes and states. */
  int files(ExtendedBlock block) {
    int count = 0;
    for (int i = 0; i < volumes; i++) {
      for (String state : List.of("current/rbw", "tmp")) {
        count += Files.exists(poolDir(i).resolve(state).resolve(block.getBlockName())) ? 1 : 0;
      }
    }
    return count;
  }

  /** Whether a block in memory has been copied to a disk. */
  boolean persisted(ExtendedBlock block) throws IOException {
    String meta = block.getBlockName() + "_" + STAMP + ".meta";
    for (int i = 0; i < volumes; i++) {
      Path copies = poolDir(i).resolve("current/lazypersist");
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
    for (int i = 0; i < volumes; i++) {
      if (!without.contains(i)) {
        dirs.add(hdfs.location(vm, i));
      }
    }
    dataNode.reconfigurePropertyImpl("dfs.datanode.data.dir", String.join(",", dirs));
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
    hdfs.close();
    Trees.delete(dir);
  }
}
