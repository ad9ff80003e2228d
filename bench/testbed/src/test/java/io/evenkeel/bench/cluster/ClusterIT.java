package io.evenkeel.bench.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.common.cli.CommandException;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Real processes: 1 NameNode and 4 DataNodes on 2 hosts. With 3 replicas no host holds all. */
@Tag("slow")
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class ClusterIT {
  private static final int BLOCK = 1 << 20;
  private static final int BLOCKS = 8;

  private Path parent;
  private Path dir;
  private Cluster cluster;

  @BeforeEach
  void prepare() throws IOException {
    parent = Files.createTempDirectory(Path.of("target").toAbsolutePath(), "cluster-it");
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

  private static ClusterRequest request(String hadoop) {
    return new ClusterRequest()
        .layout(2, 2, 1)
        .hadoop(hadoop)
        .plugins(false)
        .timeout(Duration.ofMinutes(4));
  }

  @ParameterizedTest
  @ValueSource(strings = {"3.4.3", "3.5.0"})
  void cluster_oneHostKilled_dataStaysReadableAndNothingIsLeft(String hadoop) throws Exception {
    List<String> progress = new ArrayList<>();
    cluster.start(request(hadoop), progress::add);
    assertThat(progress).last().asString().endsWith("4 of 4 DataNodes live");
    assertThat(cluster.status().healthy()).isTrue();
    assertThatThrownBy(() -> cluster.start(request(hadoop), progress::add))
        .isInstanceOf(CommandException.class)
        .hasMessageContaining("a cluster is running in " + dir);

    byte[] data = new byte[BLOCKS * BLOCK];
    new Random(1).nextBytes(data);
    write("/file", data);
    assertThat(read("/file")).isEqualTo(data);
    assertThat(filesOpenElsewhere()).isEmpty();

    assertThat(cluster.kill("host1")).containsExactly("dn1", "dn2");
    assertThat(cluster.status().healthy()).isFalse();
    assertThat(states())
        .containsExactly("nn true", "dn1 false", "dn2 false", "dn3 true", "dn4 true");
    assertThat(read("/file")).isEqualTo(data);

    assertThat(cluster.revive("host1")).containsExactly("dn1", "dn2");
    assertThat(cluster.status().healthy()).isTrue();
    assertThat(cluster.kill("host2")).containsExactly("dn3", "dn4");
    assertThat(read("/file")).isEqualTo(data);

    assertThat(cluster.stop()).isEqualTo(3);
    assertThat(new Processes(dir).all()).isEmpty();
    assertThat(parent).isEmptyDirectory();
  }

  @Test
  void revive_nameNode_keepsTheNamespace() throws Exception {
    cluster.start(request("3.4.3"), line -> {});
    byte[] data = {1, 2, 3};
    write("/file", data);
    assertThat(cluster.kill("nn")).containsExactly("nn");
    assertThat(cluster.revive("nn")).containsExactly("nn");
    boolean back = Processes.await(Duration.ofMinutes(1), () -> cluster.status().healthy());
    assertThat(back).isTrue();
    assertThat(read("/file")).isEqualTo(data);
    cluster.stop();
  }

  @Test
  void start_badConfiguration_endsEverythingAndNamesTheCause() throws Exception {
    ClusterRequest bad =
        request("3.4.3").conf(List.of("dfs.block.replicator.classname=no.such.Policy"));
    assertThatThrownBy(() -> cluster.start(bad, line -> {}))
        .isInstanceOf(CommandException.class)
        .hasMessageContaining("nn ended while starting")
        .hasMessageContaining("no.such.Policy");
    assertThat(new Processes(dir).all()).isEmpty();
    assertThat(dir.resolve("nodes/nn/nn.log")).isNotEmptyFile();
    assertThat(ClusterState.read(dir)).isEmpty();
  }

  private List<String> states() {
    return cluster.status().rows().stream().map(r -> r.member().name() + " " + r.alive()).toList();
  }

  private FileSystem client() throws IOException {
    Configuration conf = new Configuration();
    for (String file : new String[] {"core-site.xml", "hdfs-site.xml"}) {
      conf.addResource(new org.apache.hadoop.fs.Path(dir.resolve("conf/" + file).toUri()));
    }
    // A first call may be given a connection to the NameNode that listened on this port before.
    conf.setBoolean("dfs.client.retry.policy.enabled", true);
    conf.set("dfs.client.retry.policy.spec", "200,10");
    return FileSystem.newInstance(URI.create(cluster.status().rpc()), conf);
  }

  private void write(String name, byte[] data) throws IOException {
    org.apache.hadoop.fs.Path path = new org.apache.hadoop.fs.Path(name);
    try (FileSystem fs = client()) {
      try (var out = fs.create(path, true, 4096, (short) 3, BLOCK)) {
        out.write(data);
      }
      boolean complete = Processes.await(Duration.ofSeconds(30), () -> replicas(fs, path) == 3);
      assertThat(complete).as("3 replicas of every block").isTrue();
    }
  }

  private static int replicas(FileSystem fs, org.apache.hadoop.fs.Path path) {
    try {
      FileStatus status = fs.getFileStatus(path);
      int fewest = Integer.MAX_VALUE;
      for (BlockLocation block : fs.getFileBlockLocations(status, 0, status.getLen())) {
        fewest = Math.min(fewest, new HashSet<>(List.of(block.getHosts())).size());
      }
      return fewest;
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private byte[] read(String name) throws IOException {
    try (FileSystem fs = client();
        var in = fs.open(new org.apache.hadoop.fs.Path(name))) {
      return in.readAllBytes();
    }
  }

  /** Files that daemons hold open and that are neither theirs, nor jars, nor the system's. */
  private List<String> filesOpenElsewhere() throws IOException {
    List<String> found = new ArrayList<>();
    for (ProcessHandle process : new Processes(dir).all()) {
      Path fds = Path.of("/proc", Long.toString(process.pid()), "fd");
      if (!Files.isDirectory(fds)) {
        continue; // no such thing on this system
      }
      try (Stream<Path> links = Files.list(fds)) {
        for (Path link : links.toList()) {
          String target = target(link);
          boolean expected =
              !target.startsWith("/")
                  || target.startsWith(dir + "/")
                  || target.startsWith(System.getProperty("java.home"))
                  || target.endsWith(".jar")
                  || target.matches("/(dev|proc|sys)/.*");
          if (!expected) {
            found.add(target);
          }
        }
      }
    }
    return found;
  }

  private static String target(Path link) {
    try {
      return Files.readSymbolicLink(link).toString();
    } catch (IOException e) {
      return ""; // closed meanwhile
    }
  }
}
