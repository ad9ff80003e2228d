package io.evenkeel.volume;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.evenkeel.common.json.Json;
import io.evenkeel.common.testing.Await;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants.StartupOption;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Two real DataNodes with the latency-aware policy, seen through their own web servers. */
@Timeout(180)
class VolumesVisibleIT {
  private static final int BLOCKS = 6;

  private static MiniDFSCluster cluster;

  @BeforeAll
  static void start() throws IOException {
    Path base =
        Files.createDirectories(Paths.get(System.getProperty("test.build.data", "target/data")));
    Configuration conf = new HdfsConfiguration();
    conf.set(
        MiniDFSCluster.HDFS_MINIDFS_BASEDIR,
        Files.createTempDirectory(base.toAbsolutePath(), "seen").toString());
    conf.set(
        "dfs.datanode.fsdataset.volume.choosing.policy",
        LatencyAwareVolumeChoosingPolicy.class.getName());
    conf.set("dfs.datanode.data.dir.perm", "755");
    conf.setBoolean("hadoop.prometheus.endpoint.enabled", true);
    conf.setLong(KeptFree.KEY, 1 << 20);
    cluster = new MiniDFSCluster.Builder(conf).numDataNodes(0).build();
    cluster.startDataNodes(conf, 2, true, StartupOption.REGULAR, null);
    cluster.waitActive();
    DistributedFileSystem fs = cluster.getFileSystem();
    for (int i = 0; i < BLOCKS; i++) {
      try (FSDataOutputStream out = fs.create(new org.apache.hadoop.fs.Path("/" + i), (short) 2)) {
        out.write(new byte[1000]);
      }
    }
  }

  @AfterAll
  static void stop() {
    if (cluster != null) {
      cluster.shutdown();
    }
  }

  private static String dataNode(String path) throws IOException {
    return get("http://127.0.0.1:" + cluster.getDataNodes().get(0).getInfoPort() + path);
  }

  private static String get(String uri) throws IOException {
    try (InputStream in = URI.create(uri).toURL().openStream()) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @SuppressWarnings("unchecked")
  private static List<Map<String, Object>> beans(String query) throws IOException {
    return (List<Map<String, Object>>)
        ((Map<String, Object>) Json.parse(dataNode("/jmx?qry=" + query))).get("beans");
  }

  /** Beans whose policy lives; a test before this one may have left others. */
  private static List<Map<String, Object>> liveBeans() throws IOException {
    return beans(VolumesBean.NAME + ",*").stream()
        .filter(bean -> "active".equals(bean.get("State")))
        .filter(bean -> !((List<?>) bean.get("Volumes")).isEmpty())
        .filter(bean -> bean.get("Volumes").toString().contains(cluster.getDataDirectory()))
        .collect(Collectors.toList());
  }

  @SuppressWarnings("unchecked")
  private static List<Map<String, Object>> volumes(Map<String, Object> bean) {
    return (List<Map<String, Object>>) bean.get("Volumes");
  }

  @Test
  void jmx_ofADataNode_showsVolumesAsObjects() throws Exception {
    assertThat(dataNode("/jmx?qry=io.evenkeel:*")).doesNotContain("NaN").doesNotContain("Infinity");
    List<Map<String, Object>> beans = liveBeans();
    assertThat(beans).hasSize(2);
    for (Map<String, Object> bean : beans) {
      assertThat(bean).containsEntry("Choices", (long) BLOCKS).containsEntry("Rescued", 0L);
      List<Map<String, Object>> volumes = volumes(bean);
      assertThat(volumes).hasSize(2);
      assertThat(volumes)
          .allSatisfy(
              volume ->
                  assertThat(volume)
                      .containsEntry("storageType", "DISK")
                      .containsEntry("health", "in_use")
                      .containsEntry("reason", "")
                      .containsKeys("score", "latencyMillis", "signal", "share"));
      long sum = volumes.stream().mapToLong(volume -> (Long) volume.get("choices")).sum();
      assertThat(sum).isEqualTo(BLOCKS);
    }
  }

  @Test
  void jmx_secondDataNodeOfTheJvm_hasANumber() throws Exception {
    List<Object> names = new ArrayList<>();
    liveBeans().forEach(bean -> names.add(bean.get("name")));
    assertThat(names).hasSize(2).doesNotHaveDuplicates();
    assertThat(names.toString()).contains(",instance=");
  }

  @Test
  void metrics_inJmx_haveARecordPerVolume() throws Exception {
    String query = "Hadoop:service=*,name=EvenkeelVolumes";
    // Hadoop keeps what it shows for ten seconds
    Await.until("the volumes show", () -> beans(query).toString().contains("tag.volume"));
    assertThat(beans(query).toString())
        .contains("Choices", "tag.storageType", "tag.health", "Rescued");
  }

  @Test
  void prometheusPage_ofADataNode_hasASeriesPerVolume() throws Exception {
    assumeTrue(prometheusServed(), "this Hadoop has no /prom");
    // The first web server of a JVM has the sink: here that of the NameNode, else its own.
    String page = get(cluster.getHttpUri(0) + "/prom");
    for (Map<String, Object> bean : liveBeans()) {
      for (Map<String, Object> volume : volumes(bean)) {
        assertThat(page.split("\n"))
            .anyMatch(
                line ->
                    line.startsWith("evenkeel_volumes_choices{")
                        && line.contains("volume=\"" + volume.get("directory") + "\"")
                        && line.endsWith("} " + volume.get("choices")));
      }
    }
  }

  private static boolean prometheusServed() {
    try {
      Class.forName("org.apache.hadoop.metrics2.sink.PrometheusMetricsSink");
      return true;
    } catch (ClassNotFoundException e) {
      return false;
    }
  }
}
