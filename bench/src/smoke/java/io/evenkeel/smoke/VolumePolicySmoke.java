package io.evenkeel.smoke;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants.StartupOption;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A DataNode with five volumes of type DISK and two of type SSD. */
@Timeout(600)
class VolumePolicySmoke {
  private static final String[] TYPES = {"DISK", "SSD", "DISK", "DISK", "SSD", "DISK", "DISK"};

  private final List<Path> disks = new ArrayList<>();
  private final List<Path> ssds = new ArrayList<>();
  private MiniDFSCluster cluster;

  private DistributedFileSystem start(String policy) throws IOException {
    Configuration conf = Smoke.conf("volumes");
    Path base = Paths.get(conf.get(MiniDFSCluster.HDFS_MINIDFS_BASEDIR));
    List<String> directories = new ArrayList<>();
    for (String type : TYPES) {
      Path directory = Files.createDirectories(base.resolve("volume" + directories.size()));
      (type.equals("SSD") ? ssds : disks).add(directory);
      directories.add("[" + type + "]" + directory.toUri());
    }
    conf.set("dfs.datanode.data.dir", String.join(",", directories));
    conf.set("dfs.datanode.fsdataset.volume.choosing.policy", policy);
    cluster = new MiniDFSCluster.Builder(conf).numDataNodes(0).build();
    cluster.startDataNodes(conf, 1, false, StartupOption.REGULAR, null);
    cluster.waitActive();
    DistributedFileSystem fs = cluster.getFileSystem();
    fs.mkdirs(Smoke.path("/hot"));
    fs.mkdirs(Smoke.path("/fast"));
    fs.setStoragePolicy(Smoke.path("/fast"), "ALL_SSD");
    return fs;
  }

  @AfterEach
  void stop() {
    if (cluster != null) {
      cluster.shutdown();
    }
  }

  @Test
  void perTypeRoundRobin_filesOfTwoPolicies_fillsVolumesOfEachTypeEvenly() throws Exception {
    String policy = "io.evenkeel.volume.PerTypeRoundRobinVolumeChoosingPolicy";
    DistributedFileSystem fs = start(policy);
    for (int i = 0; i < 23; i++) {
      Smoke.write(fs, "/hot/" + i, 1000, 1);
      if (i % 3 != 0) {
        Smoke.write(fs, "/fast/" + i, 1000, 1);
      }
    }
    Smoke.assertActive("volume", policy);
    assertThat(blocks(disks)).containsExactlyInAnyOrder(4L, 4L, 5L, 5L, 5L);
    assertThat(blocks(ssds)).containsExactlyInAnyOrder(7L, 8L);
    Smoke.assertReads(fs, "/fast/22", 1000);
  }

  @Test
  void latencyAware_filesOfTwoPolicies_usesEveryVolumeOfTheRightType() throws Exception {
    String policy = "io.evenkeel.volume.LatencyAwareVolumeChoosingPolicy";
    DistributedFileSystem fs = start(policy);
    for (int i = 0; i < 50; i++) {
      Smoke.write(fs, "/hot/" + i, 1000, 1);
      Smoke.write(fs, "/fast/" + i, 1000, 1);
    }
    Smoke.assertActive("volume", policy);
    assertThat(blocks(disks)).allMatch(count -> count > 0);
    assertThat(blocks(disks).stream().mapToLong(count -> count).sum()).isEqualTo(50);
    assertThat(blocks(ssds)).allMatch(count -> count > 0);
    assertThat(blocks(ssds).stream().mapToLong(count -> count).sum()).isEqualTo(50);
    Smoke.assertReads(fs, "/hot/49", 1000);
  }

  /** Block files in each volume, from the directories themselves. */
  private static List<Long> blocks(List<Path> volumes) throws IOException {
    List<Long> counts = new ArrayList<>();
    for (Path volume : volumes) {
      try (Stream<Path> files = Files.walk(volume)) {
        counts.add(files.filter(f -> f.getFileName().toString().matches("blk_\\d+")).count());
      }
    }
    return counts;
  }
}
