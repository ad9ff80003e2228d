package io.evenkeel.bench.jmh;

import io.evenkeel.bench.sim.StubVolume;
import io.evenkeel.bench.sim.VolumePolicy;
import java.io.File;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.StorageType;
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
 * disk.
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
  private RealVolumes real; // null for stubs

  /** Makes the policy and the volumes. */
  @Setup
  public void prepare() throws IOException {
    chooser = VolumePolicy.of(policy);
    File directory = new File(System.getProperty("java.io.tmpdir"));
    list =
        switch (freeSpace) {
          case "known" -> StubVolume.roomy(StorageType.DISK, volumes);
          case "statfs" -> StubVolume.of(StorageType.DISK, volumes, directory::getUsableSpace);
          default -> {
            real = RealVolumes.start(volumes);
            yield real.list();
          }
        };
  }

  /** Stops the DataNode, where there is one. */
  @TearDown
  public void stop() throws IOException {
    if (real != null) {
      real.close();
    }
  }

  /** One choice. */
  @Benchmark
  public FsVolumeSpi choose() throws IOException {
    return chooser.choose(list, BLOCK);
  }
}
