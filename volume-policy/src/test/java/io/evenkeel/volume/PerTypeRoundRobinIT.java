package io.evenkeel.volume;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.common.json.Json;
import io.evenkeel.common.testing.Await;
import io.evenkeel.common.testing.LogLines;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants.StartupOption;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.util.VersionInfo;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A real DataNode with several DISK and SSD volumes that loads the policy by its key. */
@Timeout(180)
class PerTypeRoundRobinIT {
  private static final String[] TYPES = {"DISK", "SSD", "DISK", "DISK", "SSD", "DISK", "DISK"};

  private static final Map<String, List<Path>> DIRECTORIES = new TreeMap<>();
  private static final Configuration CONF = new HdfsConfiguration();
  private static Path own;
  private static MiniDFSCluster cluster;

  @BeforeAll
  static void start() throws IOException {
    Path base =
        Files.createDirectories(Paths.get(System.getProperty("test.build.data", "target/data")));
    own = Files.createTempDirectory(base.toAbsolutePath(), "rr");
    CONF.set(MiniDFSCluster.HDFS_MINIDFS_BASEDIR, own.toString());
    List<String> dataDirs = new ArrayList<>();
    for (String type : TYPES) {
      Path dir = Files.createDirectory(own.resolve("volume" + dataDirs.size()));
      DIRECTORIES.computeIfAbsent(type, t -> new ArrayList<>()).add(dir);
      dataDirs.add("[" + type + "]" + dir.toUri());
    }
    CONF.set("dfs.datanode.data.dir", String.join(",", dataDirs));
    CONF.set("dfs.datanode.data.dir.perm", "755");
    CONF.set(
        "dfs.datanode.fsdataset.volume.choosing.policy",
        PerTypeRoundRobinVolumeChoosingPolicy.class.getName());
    CONF.setLong(KeptFree.KEY, 1 << 20);
    cluster = new MiniDFSCluster.Builder(CONF).numDataNodes(0).build();
    startDataNode(CONF);
    cluster.waitActive();
  }

  @AfterAll
  static void stop() {
    if (cluster != null) {
      cluster.shutdown();
    }
  }

  private static DataNode startDataNode(Configuration dataNodeConf) throws IOException {
    cluster.startDataNodes(dataNodeConf, 1, false, StartupOption.REGULAR, null);
    return cluster.getDataNodes().get(cluster.getDataNodes().size() - 1);
  }

  @Test
  void dataNode_filesOfTwoStoragePolicies_fillsVolumesOfEachTypeEvenly() throws Exception {
    DistributedFileSystem fs = cluster.getFileSystem();
    fs.mkdirs(path("/hot"));
    fs.mkdirs(path("/fast"));
    fs.setStoragePolicy(path("/hot"), "HOT");
    fs.setStoragePolicy(path("/fast"), "ALL_SSD");
    for (int i = 0; i < 23; i++) {
      write(fs, "/hot/" + i);
      if (i % 3 != 0) {
        write(fs, "/fast/" + i);
      }
    }
    Map<String, List<Long>> blocks = blocksPerVolume();
    assertThat(sorted(blocks.get("DISK"))).containsExactly(4L, 4L, 5L, 5L, 5L);
    assertThat(sorted(blocks.get("SSD"))).containsExactly(7L, 8L);
  }

  @Test
  void dataNode_jmx_showsThePluginAsActive() throws Exception {
    DataNode dataNode = cluster.getDataNodes().get(0);
    URI jmx =
        URI.create(
            "http://127.0.0.1:"
                + dataNode.getInfoPort()
                + "/jmx?qry=io.evenkeel:type=Plugin,module=volume,class=PerTypeRoundRobinVolumeChoosingPolicy");
    try (InputStream in = jmx.toURL().openStream()) {
      Map<?, ?> answer =
          (Map<?, ?>) Json.parse(new String(in.readAllBytes(), StandardCharsets.UTF_8));
      Map<?, ?> bean = (Map<?, ?>) ((List<?>) answer.get("beans")).get(0);
      assertThat(bean.get("PluginClass"))
          .isEqualTo(PerTypeRoundRobinVolumeChoosingPolicy.class.getName());
      assertThat(bean.get("State")).isEqualTo("active");
      assertThat(bean.get("HadoopVersion")).isEqualTo(VersionInfo.getVersion());
      assertThat(bean.get("Settings").toString()).contains("evenkeel.volume.allow-untested=false");
    }
  }

  @Test
  void dataNode_badKey_doesNotStartAndSaysWhy() throws Exception {
    Configuration bad = new HdfsConfiguration(CONF);
    bad.set("dfs.datanode.data.dir", Files.createDirectory(own.resolve("bad")).toUri().toString());
    bad.set("evenkeel.volume.allow-untested", "perhaps");
    try (LogLines log = LogLines.of(PerTypeRoundRobinVolumeChoosingPolicy.class)) {
      DataNode dataNode = startDataNode(bad);
      Await.until("the block pool service has ended", () -> !dataNode.isDatanodeUp());
      assertThat(log.at("ERROR"))
          .singleElement()
          .asString()
          .isEqualTo(
              "This DataNode cannot start: evenkeel.volume.allow-untested = 'perhaps' is not"
                  + " allowed; use true | false");
      assertThat(dataNode.getFSDataset()).isNull();
    }
  }

  private static org.apache.hadoop.fs.Path path(String name) {
    return new org.apache.hadoop.fs.Path(name);
  }

  private static void write(DistributedFileSystem fs, String name) throws IOException {
    try (FSDataOutputStream out = fs.create(path(name), (short) 1)) {
      out.write(new byte[1000]);
    }
  }

  private static List<Long> sorted(List<Long> counts) {
    List<Long> copy = new ArrayList<>(counts);
    Collections.sort(copy);
    return copy;
  }

  /** Finalised blocks on each volume, by storage type, from the DIRECTORIES themselves. */
  private Map<String, List<Long>> blocksPerVolume() throws IOException {
    Map<String, List<Long>> counts = new TreeMap<>();
    for (Map.Entry<String, List<Path>> type : DIRECTORIES.entrySet()) {
      for (Path volume : type.getValue()) {
        try (Stream<Path> files = Files.walk(volume)) {
          long blocks = files.filter(f -> f.getFileName().toString().matches("blk_\\d+")).count();
          counts.computeIfAbsent(type.getKey(), t -> new ArrayList<>()).add(blocks);
        }
      }
    }
    return counts;
  }
}
