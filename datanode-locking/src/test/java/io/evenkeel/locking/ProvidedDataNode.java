package io.evenkeel.locking;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.conf.ReconfigurationException;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.BlockListAsLongs;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.common.FileRegion;
import org.apache.hadoop.hdfs.server.datanode.DataNodeTestUtils;
import org.apache.hadoop.hdfs.server.datanode.ReplicaHandler;
import org.apache.hadoop.hdfs.server.datanode.ReplicaInfo;
import org.apache.hadoop.hdfs.server.datanode.StorageLocation;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi.FsVolumeReferences;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi.ScanInfo;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.RoundRobinVolumeChoosingPolicy;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.AsyncDeletions;

/** A DataNode with two volumes of DISK and one of PROVIDED, which has {@link ProvidedRegions}. */
final class ProvidedDataNode implements AutoCloseable {
  /** What the map has of a block nobody touched. */
  static final String UNTOUCHED = "FINALIZED 1000 PROVIDED";

  /** What the map has of a block it does not know. */
  static final String UNKNOWN = "none";

  private final OneDataNode one;
  private final Path dir;

  private ProvidedDataNode(OneDataNode one, Path dir) {
    this.one = one;
    this.dir = dir;
  }

  static ProvidedDataNode start(Path dir, boolean ours) throws IOException {
    return start(dir, conf(ours), StorageType.DISK, StorageType.DISK, StorageType.PROVIDED);
  }

  /** Without the PROVIDED volume, which {@link #addProvided} adds. */
  static ProvidedDataNode startWithout(Path dir, boolean ours) throws IOException {
    Configuration conf = conf(ours);
    conf.set(ProvidedRegions.DIRECTORY, dir.resolve("provided").toUri().toString());
    return start(dir, conf, StorageType.DISK, StorageType.DISK);
  }

  private static Configuration conf(boolean ours) {
    Configuration conf = OneDataNode.conf(ours);
    conf.set("dfs.provided.aliasmap.class", ProvidedRegions.class.getName());
    conf.set("dfs.datanode.fsdataset.volume.choosing.policy", Gap.class.getName());
    return conf;
  }

  private static ProvidedDataNode start(Path dir, Configuration conf, StorageType... types)
      throws IOException {
    OneDataNode one = OneDataNode.start(dir, conf, types);
    // The NameNode knows none of these blocks and would have them deleted.
    DataNodeTestUtils.setHeartbeatsDisabledForTests(one.node(), true);
    Path file = Path.of(ProvidedRegions.file(one.node().getConf()).toUri().getPath());
    Files.createDirectories(file.getParent());
    Files.write(file, ProvidedRegions.content());
    return new ProvidedDataNode(one, dir);
  }

  void addProvided() throws ReconfigurationException {
    Configuration conf = one.node().getConf();
    String all = conf.get(OneDataNode.DIRS) + ",[PROVIDED]" + conf.get(ProvidedRegions.DIRECTORY);
    one.node().reconfigurePropertyImpl(OneDataNode.DIRS, all);
  }

  /**
   * Not as an operator does it: {@code DataNode#refreshVolumes} asks PROVIDED volumes for their
   * root, and they have none.
   */
  void removeProvided() throws IOException {
    StorageLocation location = volume(StorageType.PROVIDED).getStorageLocation();
    dataset().removeVolumes(List.of(location), true);
  }

  OneDataNode one() {
    return one;
  }

  FsDatasetSpi<?> dataset() {
    return one.dataset();
  }

  Replicas replicas() {
    return new Replicas(one, dir);
  }

  ExtendedBlock block(int number) {
    return new ExtendedBlock(one.pool(), ProvidedRegions.block(number));
  }

  /** The block whose file is not there. */
  ExtendedBlock missing() {
    return block(ProvidedRegions.BLOCKS - 1);
  }

  /** What a scan finds of a block in the PROVIDED volume. */
  ScanInfo scanned(ExtendedBlock b) throws IOException {
    FileRegion region = ProvidedRegions.region(one.node().getConf(), b.getLocalBlock());
    return new ScanInfo(
        b.getBlockId(), volume(StorageType.PROVIDED), region, ProvidedRegions.LENGTH);
  }

  /** Puts the files of a replica on a DISK without a word, and says what a scan finds. */
  ScanInfo onDisk(ExtendedBlock b, long stamp) throws IOException {
    ReplicaInfo known = replica(replicas().finalized(StorageType.DISK));
    File in = new File(known.getBlockURI()).getParentFile();
    String data = "blk_" + b.getBlockId();
    String meta = data + "_" + stamp + ".meta";
    Files.copy(Path.of(known.getBlockURI()), in.toPath().resolve(data));
    Files.copy(Path.of(known.getMetadataURI()), in.toPath().resolve(meta));
    return new ScanInfo(b.getBlockId(), in, data, meta, known.getVolume());
  }

  /** Any volume of a type. */
  FsVolumeSpi volume(StorageType type) throws IOException {
    try (FsVolumeReferences volumes = dataset().getFsVolumeReferences()) {
      for (FsVolumeSpi volume : volumes) {
        if (volume.getStorageType() == type) {
          return volume;
        }
      }
    }
    throw new IOException("no volume of " + type);
  }

  /** A copy of the block comes in to a DISK, with this generation stamp. */
  String copyIn(ExtendedBlock b, long stamp, boolean transfer) throws IOException {
    try (ReplicaHandler handler =
        dataset().createTemporary(StorageType.DISK, null, Replicas.at(b, stamp), transfer)) {
      Replicas.fill(handler.getReplica());
    }
    return "created";
  }

  /** Whether {@code in} has the block's bytes from there on. */
  String read(InputStream in, ExtendedBlock b, int from) throws IOException {
    try (InputStream closed = in) {
      byte[] region = ProvidedRegions.content(b.getLocalBlock());
      byte[] read = closed.readNBytes(region.length - from);
      byte[] wanted = Arrays.copyOfRange(region, from, region.length);
      return Arrays.equals(read, wanted) ? "its bytes" : "others";
    }
  }

  /** Has the block deleted; whether its files then count as being deleted. */
  String invalidate(ExtendedBlock b) throws IOException {
    dataset().invalidate(b.getBlockPoolId(), new Block[] {b.getLocalBlock()});
    AsyncDeletions.await(dataset());
    return dataset().isDeletingBlock(b.getBlockPoolId(), b.getBlockId()) ? "deleting" : "not";
  }

  /** The types of the volumes with which a block report has the block. */
  List<StorageType> reported(ExtendedBlock b) {
    List<StorageType> types = new ArrayList<>();
    dataset()
        .getBlockReports(b.getBlockPoolId())
        .forEach(
            (storage, report) -> {
              for (BlockListAsLongs.BlockReportReplica each : report) {
                if (each.getBlockId() == b.getBlockId()) {
                  types.add(storage.getStorageType());
                }
              }
            });
    return types;
  }

  private ReplicaInfo replica(ExtendedBlock b) {
    return (ReplicaInfo) dataset().getReplica(b.getBlockPoolId(), b.getBlockId());
  }

  /** State, generation stamp and type of the volume of the replica in the map. */
  String inMap(ExtendedBlock b) {
    ReplicaInfo r = replica(b);
    return r == null
        ? UNKNOWN
        : r.getState() + " " + r.getGenerationStamp() + " " + r.getVolume().getStorageType();
  }

  /** Without what differs between two DataNodes that do the same. */
  String normalised(String text) {
    return text.replace(one.pool(), "POOL")
        .replace(dir.toString(), "DIR")
        .replaceAll("DS-[0-9a-f-]{36}", "DS");
  }

  @Override
  public void close() {
    Gap.open();
    one.close();
  }

  /**
   * Holds those who choose a volume: a creation chooses it after it looked for a replica, before it
   * makes one. One for all DataNodes.
   */
  public static final class Gap extends RoundRobinVolumeChoosingPolicy<FsVolumeSpi> {
    private static final AtomicInteger INSIDE = new AtomicInteger();
    private static volatile CountDownLatch barrier = new CountDownLatch(0);

    /** Made by the dataset. */
    public Gap() {}

    static void shut() {
      INSIDE.set(0);
      barrier = new CountDownLatch(1);
    }

    /** How many have come so far. */
    static int inside() {
      return INSIDE.get();
    }

    static void open() {
      barrier.countDown();
    }

    @Override
    public FsVolumeSpi chooseVolume(List<FsVolumeSpi> volumes, long size, String storageId)
        throws IOException {
      INSIDE.incrementAndGet();
      try {
        barrier.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      return super.chooseVolume(volumes, size, storageId);
    }
  }
}
