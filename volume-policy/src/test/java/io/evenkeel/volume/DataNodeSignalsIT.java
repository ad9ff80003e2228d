package io.evenkeel.volume;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.common.testing.Await;
import io.evenkeel.volume.core.DeviceCounters;
import io.evenkeel.volume.core.VolumeSignals;
import io.evenkeel.volume.signal.DataNodeSignals;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants.StartupOption;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The signals of the volumes of a real DataNode, on the release of this run. */
@Timeout(180)
class DataNodeSignalsIT {
  private static final long BLOCK = 8 << 20;
  private static final boolean HAS_METRICS =
      Arrays.stream(FsVolumeSpi.class.getMethods()).anyMatch(m -> m.getName().equals("getMetrics"));

  private static MiniDFSCluster cluster;

  /** The policy, which also keeps what the DataNode gave it and got. */
  public static final class Recorder<V extends FsVolumeSpi>
      extends LatencyAwareVolumeChoosingPolicy<V> {
    private static volatile List<FsVolumeSpi> volumes;
    private static volatile FsVolumeSpi chosen;

    @Override
    public V chooseVolume(List<V> given, long replicaSize, String storageId) throws IOException {
      V choice = super.chooseVolume(given, replicaSize, storageId);
      volumes = new ArrayList<>(given);
      chosen = choice;
      return choice;
    }
  }

  @BeforeAll
  static void startCluster() throws IOException {
    Configuration conf = new HdfsConfiguration();
    Path base =
        Files.createDirectories(Paths.get(System.getProperty("test.build.data", "target/data")));
    Path own = Files.createTempDirectory(base.toAbsolutePath(), "signals");
    conf.set(MiniDFSCluster.HDFS_MINIDFS_BASEDIR, own.toString());
    List<String> dataDirs = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      Path dir = Files.createDirectory(own.resolve("volume" + i));
      dataDirs.add("[DISK]" + dir.toUri());
    }
    conf.set("dfs.datanode.data.dir", String.join(",", dataDirs));
    conf.set("dfs.datanode.data.dir.perm", "755");
    conf.setInt("dfs.datanode.fileio.profiling.sampling.percentage", 100);
    conf.set("dfs.datanode.fsdataset.volume.choosing.policy", Recorder.class.getName());
    conf.setLong("dfs.blocksize", BLOCK);
    conf.setLong("dfs.datanode.du.reserved", 1 << 20);
    cluster = new MiniDFSCluster.Builder(conf).numDataNodes(0).build();
    cluster.startDataNodes(conf, 1, false, StartupOption.REGULAR, null);
    cluster.waitActive();
  }

  @AfterAll
  static void stop() {
    if (cluster != null) {
      cluster.shutdown();
    }
  }

  @AfterEach
  void forget() {
    Recorder.volumes = null;
    Recorder.chosen = null;
  }

  private void write(String name, int bytes) throws IOException {
    try (FSDataOutputStream out = create(name)) {
      out.write(new byte[bytes]);
    }
  }

  private FSDataOutputStream create(String name) throws IOException {
    DistributedFileSystem fs = cluster.getFileSystem();
    return fs.create(new org.apache.hadoop.fs.Path(name), (short) 1);
  }

  private static FsVolumeSpi otherThan(FsVolumeSpi volume) {
    return Recorder.volumes.stream().filter(v -> v != volume).findAny().orElseThrow();
  }

  @Test
  void openFile_showsOnItsVolumeAndOnNoOther() throws Exception {
    write("/first", 100);
    DataNodeSignals signals = DataNodeSignals.create("auto", VolumeDirectory::of);
    assertThat(Recorder.volumes).hasSize(2);
    for (FsVolumeSpi v : Recorder.volumes) {
      Await.until("idle", () -> idle(signals, v));
    }
    FsVolumeSpi busy;
    FsVolumeSpi other;
    try (FSDataOutputStream out = create("/open")) {
      out.write(new byte[1000]);
      out.hflush();
      busy = Recorder.chosen;
      other = otherThan(busy);
      Await.until(
          "the file shows",
          () ->
              signals.references(busy) == 1 + signals.references(other)
                  && signals.unacknowledgedBytes(busy) == BLOCK - 1000);
      assertThat(signals.unacknowledgedBytes(other)).isZero();
    }
    Await.until("it shows no more", () -> idle(signals, busy) && idle(signals, other));
  }

  private static boolean idle(VolumeSignals<FsVolumeSpi> signals, FsVolumeSpi volume) {
    long references = signals.references(volume);
    return references >= 0 && references <= 1 && signals.unacknowledgedBytes(volume) == 0;
  }

  @Test
  void space_isThatOfTheVolumeAndNeedsNoLockOfTheDataset() throws Exception {
    write("/first", 100_000);
    DataNodeSignals signals = DataNodeSignals.create("auto", VolumeDirectory::of);
    FsVolumeSpi volume = Recorder.chosen;
    DataNode dataNode = cluster.getDataNodes().get(0);
    long available;
    long capacity;
    synchronized (dataNode.getFSDataset()) { // Hadoop 2.7 chooses under this lock
      CompletableFuture<long[]> answer = CompletableFuture.supplyAsync(() -> ask(signals, volume));
      available = answer.get(60, TimeUnit.SECONDS)[0];
      capacity = answer.get()[1];
    }
    // Others write to the disk while the test runs.
    assertThat(available)
        .isBetween(volume.getAvailable() - (1L << 30), volume.getAvailable() + (1L << 30));
    Path directory = Paths.get(VolumeDirectory.of(volume));
    assertThat(capacity).isEqualTo(directory.toFile().getTotalSpace() - (1 << 20));
  }

  private static long[] ask(DataNodeSignals signals, FsVolumeSpi volume) {
    try {
      return new long[] {signals.space(volume).available(), signals.space(volume).capacity()};
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void device_isThatOfTheDirectoryWhereThereIsOne() throws Exception {
    write("/first", 100);
    DataNodeSignals signals = DataNodeSignals.create("device", VolumeDirectory::of);
    FsVolumeSpi volume = Recorder.chosen;
    signals.space(volume);
    DeviceCounters counters = signals.device(volume);
    if (counters == null) {
      assertThat(signals.describe(volume)).isEqualTo("references");
    } else {
      assertThat(signals.describe(volume)).matches("references, device \\d+:\\d+");
      assertThat(counters.completed()).isGreaterThanOrEqualTo(counters.writes());
      assertThat(counters.writes()).isPositive();
    }
  }

  @Test
  void metrics_whileProfiling_countTheWritesOfTheVolume() throws Exception {
    write("/first", 100_000);
    DataNodeSignals signals = DataNodeSignals.create("metrics", VolumeDirectory::of);
    FsVolumeSpi volume = Recorder.chosen;
    signals.space(volume);
    if (!HAS_METRICS) {
      assertThat(signals.device(volume)).isNull();
      return;
    }
    Await.until("writes are counted", () -> signals.device(volume) != null);
    long before = signals.device(volume).writes();
    for (int i = 0; i < 4; i++) { // in turns, so that each volume gets some
      write("/more" + i, 100_000);
    }
    assertThat(signals.device(volume).writes()).isGreaterThan(before);
    assertThat(signals.describe(volume)).isEqualTo("references, metrics");
  }
}
