package io.evenkeel.bench.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.common.jmx.JmxClient;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Real DataNode processes get the volume policy's jar and key, then lose both: every byte written
 * before, meanwhile and after is read back. Volumes are those of stock in each case.
 */
@Tag("slow")
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class PluginComesAndGoesIT {
  private static final int BLOCK = 1 << 20;
  private static final String KEY = "dfs.datanode.fsdataset.volume.choosing.policy";
  private static final String POLICY = "io.evenkeel.volume.LatencyAwareVolumeChoosingPolicy";
  private static final String BEAN =
      "io.evenkeel:type=Plugin,module=volume,class=LatencyAwareVolumeChoosingPolicy";
  private static final List<String> DATA_NODES = List.of("dn1", "dn2");

  private Path parent;
  private Path dir;
  private Cluster cluster;

  @BeforeEach
  void prepare() throws IOException {
    parent = Files.createTempDirectory(Path.of("target").toAbsolutePath(), "plugin-it");
    dir = parent.resolve("c");
    cluster = Cluster.in(dir);
  }

  @AfterEach
  void endEverything() throws IOException {
    if (Files.exists(dir)) {
      cluster.stop();
    }
    Files.deleteIfExists(parent);
  }

  @ParameterizedTest
  @ValueSource(strings = {"3.4.3", "3.5.0"})
  void dataNodes_pluginAddedAndTakenAway_everythingStaysReadable(String hadoop) throws Exception {
    cluster.start(
        new ClusterRequest()
            .layout(1, 2, 1)
            .hadoop(hadoop)
            .plugins(false)
            .replication(2)
            .timeout(Duration.ofMinutes(4)),
        line -> {});
    byte[] before = write("/before", 1);
    awaitStates();

    for (String node : DATA_NODES) {
      cluster.kill(node);
      addPlugin(node);
      cluster.revive(node);
    }
    awaitStates("active", "active");
    assertThat(read("/before")).isEqualTo(before);
    byte[] meanwhile = write("/meanwhile", 2);

    for (String node : DATA_NODES) {
      cluster.kill(node);
      removePlugin(node);
      cluster.revive(node);
    }
    awaitStates();
    assertThat(read("/before")).isEqualTo(before);
    assertThat(read("/meanwhile")).isEqualTo(meanwhile);
    byte[] after = write("/after", 3);
    assertThat(read("/after")).isEqualTo(after);
  }

  /** All DataNodes are live, and those with our policy say this of it. */
  private void awaitStates(String... expected) throws InterruptedException {
    boolean reached =
        Processes.await(
            Duration.ofMinutes(1),
            () -> cluster.status().healthy() && states().equals(List.of(expected)));
    assertThat(reached).as("%s, now %s", List.of(expected), states()).isTrue();
  }

  /** The jar last on the class path, as HADOOP_CLASSPATH does, and the key. */
  private void addPlugin(String node) throws IOException {
    Path jar = pluginJar();
    edit(node, "java.args", "harness\"\n", "harness:" + jar + "\"\n");
    edit(node, "conf/hdfs-site.xml", "</configuration>", property() + "</configuration>");
  }

  private void removePlugin(String node) throws IOException {
    edit(node, "java.args", ":" + pluginJar() + "\"\n", "\"\n");
    edit(node, "conf/hdfs-site.xml", property(), "");
  }

  private static String property() {
    return "<property><name>" + KEY + "</name><value>" + POLICY + "</value></property>";
  }

  private void edit(String node, String name, String from, String to) throws IOException {
    Path file = dir.resolve("nodes").resolve(node).resolve(name);
    String text = Files.readString(file);
    assertThat(text).contains(from);
    Files.writeString(file, text.replace(from, to));
  }

  private static Path pluginJar() throws IOException {
    Path target = Path.of("..", "volume-policy", "target").toAbsolutePath().normalize();
    try (Stream<Path> files = Files.list(target)) {
      return files
          .filter(f -> f.getFileName().toString().matches("evenkeel-volume-policy-.*\\.jar"))
          .filter(f -> !f.toString().matches(".*-(sources|javadoc|tests)\\.jar"))
          .findFirst()
          .orElseThrow(() -> new IOException("no jar in " + target + "; run mvnw package"));
    }
  }

  /** State of our policy on each DataNode that has it; a DataNode without web server is "down". */
  private List<String> states() {
    List<String> states = new ArrayList<>();
    for (String node : DATA_NODES) {
      Configuration conf = new Configuration(false);
      conf.addResource(
          new org.apache.hadoop.fs.Path(
              dir.resolve("nodes").resolve(node).resolve("conf/hdfs-site.xml").toUri()));
      URI web = URI.create("http://" + conf.get("dfs.datanode.http.address"));
      try {
        Map<String, Object> bean = new JmxClient(web, 10_000).bean(BEAN);
        if (!bean.isEmpty()) {
          states.add(bean.get("State").toString());
        }
      } catch (IOException e) {
        states.add("down");
      }
    }
    return states;
  }

  private FileSystem client() throws IOException {
    Configuration conf = new Configuration();
    for (String file : List.of("core-site.xml", "hdfs-site.xml")) {
      conf.addResource(new org.apache.hadoop.fs.Path(dir.resolve("conf/" + file).toUri()));
    }
    return FileSystem.newInstance(URI.create(cluster.status().rpc()), conf);
  }

  private byte[] write(String name, int seed) throws IOException {
    byte[] data = new byte[8 * BLOCK];
    new Random(seed).nextBytes(data);
    try (FileSystem fs = client();
        var out = fs.create(new org.apache.hadoop.fs.Path(name), true, 4096, (short) 2, BLOCK)) {
      out.write(data);
    }
    return data;
  }

  private byte[] read(String name) throws IOException {
    try (FileSystem fs = client();
        var in = fs.open(new org.apache.hadoop.fs.Path(name))) {
      return in.readAllBytes();
    }
  }
}
