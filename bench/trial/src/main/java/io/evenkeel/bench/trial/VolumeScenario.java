package io.evenkeel.bench.trial;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * A DataNode with five volumes of type DISK and two of type SSD. Apart from {@link Trial}, which
 * loads one of them at a time: this Hadoop may lack what another needs.
 */
final class VolumeScenario {
  private static final String ROUND_ROBIN =
      "io.evenkeel.volume.PerTypeRoundRobinVolumeChoosingPolicy";
  private static final String LATENCY_AWARE = "io.evenkeel.volume.LatencyAwareVolumeChoosingPolicy";
  private static final String KEY = "dfs.datanode.fsdataset.volume.choosing.policy";
  private static final int SIZE = 1000;

  private final Hdfs hdfs;

  private VolumeScenario(Path dir) throws IOException {
    hdfs = new Hdfs(dir, 1, i -> "/r0", "DISK", "SSD", "DISK", "DISK", "SSD", "DISK", "DISK");
  }

  static Scenario in(Path dir) throws IOException {
    VolumeScenario volumes = new VolumeScenario(dir);
    return new Scenario()
        .step("round robin fills the volumes of each type evenly", volumes::roundRobin)
        .step("a volume that is taken out gets nothing, the others go on", volumes::takeOut)
        .step("latency-aware uses every volume of the right type", volumes::latencyAware)
        .step("stock reads all on the same directories", volumes::back)
        .atEnd(volumes.hdfs::close);
  }

  private void roundRobin() throws Exception {
    hdfs.set(KEY, ROUND_ROBIN);
    hdfs.create();
    hdfs.fs().mkdirs(Hdfs.path("/hot"));
    hdfs.fs().mkdirs(Hdfs.path("/fast"));
    hdfs.fs().setStoragePolicy(Hdfs.path("/fast"), "ALL_SSD");
    for (int i = 0; i < 23; i++) {
      hdfs.write("/hot/" + i, SIZE, 1);
      if (i % 3 != 0) {
        hdfs.write("/fast/" + i, SIZE, 1);
      }
    }
    Check.active("volume", ROUND_ROBIN);
    expect("DISK", Arrays.asList(4L, 4L, 5L, 5L, 5L));
    expect("SSD", Arrays.asList(7L, 8L));
    hdfs.readAll();
  }

  private void expect(String type, List<Long> counts) throws IOException {
    List<Long> found = hdfs.blockFiles(0, type);
    Check.that(found.equals(counts), "blocks of the volumes of type " + type + ": " + found);
  }

  private void takeOut() throws Exception {
    Path out = hdfs.volumes(0).get(6);
    hdfs.reconfigureVolumes(0, hdfs.volumes(0).subList(0, 6));
    long before = Hdfs.blockFiles(out);
    for (int i = 0; i < 20; i++) {
      hdfs.write("/less/" + i, SIZE, 1);
    }
    Check.that(Hdfs.blockFiles(out) == before, out + " was taken out and written to");
    long written = 0;
    for (long count : hdfs.blockFiles(0, "DISK")) {
      written += count;
    }
    Check.that(written == 23 + 20, "blocks on type DISK: " + written);
    // Put back by a restart: 2.7.7 forgets all other replicas when one is added to a running
    // DataNode, whatever the policy.
    hdfs.stopDataNode(0);
    hdfs.startDataNode(0);
    hdfs.awaitReplicas(60, 1, hdfs.names());
    hdfs.readAll();
  }

  private void latencyAware() throws Exception {
    hdfs.stop();
    hdfs.set(KEY, LATENCY_AWARE);
    hdfs.start();
    List<Long> disks = hdfs.blockFiles(0, "DISK");
    List<Long> ssds = hdfs.blockFiles(0, "SSD");
    for (int i = 0; i < 50; i++) {
      hdfs.write("/hot/more" + i, SIZE, 1);
      hdfs.write("/fast/more" + i, SIZE, 1);
    }
    Check.active("volume", LATENCY_AWARE);
    grown("DISK", disks);
    grown("SSD", ssds);
    hdfs.readAll();
  }

  /** That 50 blocks came to a type, and some to each volume. */
  private void grown(String type, List<Long> before) throws IOException {
    List<Long> now = hdfs.blockFiles(0, type);
    long more = 0;
    for (int i = 0; i < now.size(); i++) {
      more += now.get(i) - before.get(i);
    }
    Check.that(
        more == 50 && now.get(0) > before.get(0),
        "blocks of the volumes of type " + type + ": " + now + ", before: " + before);
  }

  private void back() throws Exception {
    hdfs.stop();
    hdfs.unset(KEY);
    hdfs.start();
    hdfs.readAll();
    hdfs.write("/fast/stock", SIZE, 1);
    hdfs.read("/fast/stock");
  }
}
