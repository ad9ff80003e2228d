package io.evenkeel.bench.jmh;

import io.evenkeel.bench.embedded.EmbeddedHdfs;
import io.evenkeel.bench.embedded.HostPlan;
import io.evenkeel.bench.runtime.Layout;
import io.evenkeel.bench.runtime.Trees;
import io.evenkeel.bench.sim.StubVolume;
import io.evenkeel.bench.sim.VolumePolicy;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Time and allocation of one choice among volumes of one storage type, all with room.
 *
 * <p>{@code freeSpace=known} shows the policy alone. With {@code statfs} each question for free
 * space is a system call on the temporary directory, as on a DataNode, where it outweighs the rest
 * and where a lock held meanwhile shows with many threads. With {@code real} the volumes are those
 * of a DataNode that runs in the same JVM, idle, each a directory of the temporary directory's
 * disk. Apart from {@link VolumeChooserExperiment} because JMH runs it in JVMs of its own.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class VolumeChooserBenchmark {
  private static final long BLOCK = 128L;

  /** Which policy chooses. */
  @Param({
    VolumePolicy.STOCK,
    VolumePolicy.AVAILABLE_SPACE,
    VolumePolicy.EVENKEEL,
    VolumePolicy.LATENCY_AWARE
  })
  public String policy;

  /** How free space is found: at no cost, by a system call, or as a DataNode's volumes do. */
  @Param({"known", "statfs", "real"})
  public String freeSpace;

  /** How many volumes there are. */
  @Param("12")
  public int volumes;

  private VolumePolicy chooser;
  private List<FsVolumeSpi> list;
  private EmbeddedHdfs hdfs; // null for stubs
  private Path dir;

  /** Makes the policy and the volumes. */
  @Setup
  public void prepare() throws IOException, InterruptedException {
    chooser = VolumePolicy.of(policy);
    File directory = new File(System.getProperty("java.io.tmpdir"));
    list =
        switch (freeSpace) {
          case "known" -> StubVolume.roomy(StorageType.DISK, volumes);
          case "statfs" -> StubVolume.of(StorageType.DISK, volumes, directory::getUsableSpace);
          default -> {
            dir = Files.createTempDirectory("volumes");
            HostPlan plan = HostPlan.of(new Layout(1, 1, 1));
            hdfs = new EmbeddedHdfs(dir, plan, Collections.nCopies(volumes, "DISK"), Map.of());
            yield volumes(hdfs.dataNodes().get(plan.vms().get(0)));
          }
        };
  }

  private static List<FsVolumeSpi> volumes(DataNode dataNode) throws IOException {
    List<FsVolumeSpi> found = new ArrayList<>();
    try (FsDatasetSpi.FsVolumeReferences references =
        dataNode.getFSDataset().getFsVolumeReferences()) {
      references.forEach(found::add);
    }
    return found;
  }

  /** Stops the DataNode, where there is one. */
  @TearDown
  public void stop() throws IOException {
    if (hdfs != null) {
      hdfs.close();
      Trees.delete(dir);
    }
  }

  /** One choice. */
  @Benchmark
  public FsVolumeSpi choose() throws IOException {
    return chooser.choose(list, BLOCK);
  }
}
