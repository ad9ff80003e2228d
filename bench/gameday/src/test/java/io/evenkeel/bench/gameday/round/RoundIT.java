package io.evenkeel.bench.gameday.round;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.evenkeel.bench.gameday.cluster.ClusterDescription;
import io.evenkeel.bench.gameday.cluster.DataNodePlace;
import io.evenkeel.bench.gameday.cluster.GameCluster;
import io.evenkeel.bench.gameday.fault.ControlFile;
import io.evenkeel.bench.gameday.fault.DiskOrder;
import io.evenkeel.bench.gameday.history.Finding;
import io.evenkeel.bench.gameday.history.Finding.Kind;
import io.evenkeel.bench.gameday.history.History;
import io.evenkeel.bench.gameday.schedule.Schedule;
import io.evenkeel.bench.runtime.Layout;
import io.evenkeel.common.testing.Await;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.util.VersionInfo;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A round tells the truth: of a quiet one that nothing is wrong, and of planted lies each. */
@Tag("slow")
@Timeout(900)
class RoundIT {
  private static final Schedule QUIET = new Schedule(3, 400, List.of());

  @TempDir private Path dir;
  private Path cluster;

  @BeforeEach
  void shortPath() throws IOException {
    cluster = Files.createDirectories(dir.resolve("c"));
  }

  private RoundResult run(Map<String, String> conf, List<Round.Lie> lies) throws Exception {
    ClusterDescription description =
        new ClusterDescription(
            new Layout(3, 2, 2),
            1,
            VersionInfo.getVersion(),
            List.of("DISK", "SSD", "ARCHIVE"),
            false,
            null,
            false,
            conf);
    Round.Limits limits = new Round.Limits(Duration.ofMinutes(4), Duration.ofSeconds(60));
    return new Round(cluster, description, limits, System.out::println, lies).run(QUIET);
  }

  /** Stock with node groups, so that it keeps replicas on different hosts. */
  private static Map<String, String> nodeGroups() {
    return GameDay.STOCK;
  }

  @Test
  void quietRound_nothingIsFound() throws Exception {
    RoundResult result = run(nodeGroups(), List.of());
    assertThat(result.findings()).isEmpty();
    assertThat(result.read().files()).isPositive();
    assertThat(result.read().replicas()).isGreaterThan(result.read().files());
    assertThat(result.perSecond().values().stream().mapToLong(n -> n).sum())
        .isGreaterThanOrEqualTo(QUIET.acknowledgements());
  }

  @Test
  void lies_eachIsFoundInTheSameRound() throws Exception {
    List<String> told = new ArrayList<>();
    RoundResult result =
        run(
            nodeGroups(),
            List.of((c, fs, h) -> changeByte(c, fs, h, told), removeFile(told), leak()));
    assertThat(told).hasSize(2);
    assertThat(result.findings())
        .extracting(Finding::kind, Finding::path)
        .contains(
            tuple(Kind.UNREADABLE, told.get(0)),
            tuple(Kind.LOST_FILE, told.get(1)),
            tuple(Kind.LEAK, ""));
  }

  @Test
  void replicasThatAreWrongAfterTheMover_areFound() throws Exception {
    List<String> told = new ArrayList<>();
    Round.Lie late =
        new Round.Lie() {
          @Override
          public void tell(GameCluster c, DistributedFileSystem fs, History h) throws IOException {
            changeByte(c, fs, h, told);
          }

          @Override
          public boolean afterMover() {
            return true;
          }
        };
    assertThat(run(nodeGroups(), List.of(late)).findings())
        .extracting(Finding::kind, Finding::path)
        .contains(tuple(Kind.UNREADABLE, told.get(0)));
  }

  /** Changes one byte of the first block of a file in each of its replicas. */
  private static void changeByte(
      GameCluster cluster, DistributedFileSystem fs, History history, List<String> told)
      throws IOException {
    String path = certain(history).get(0);
    long block = fs.getClient().getLocatedBlocks(path, 0, 1).get(0).getBlock().getBlockId();
    int changed = 0;
    for (DataNodePlace node : cluster.view().dataNodes()) {
      for (DataNodePlace.Volume volume : node.volumes()) {
        try (Stream<Path> files = Files.walk(volume.directory())) {
          for (Path file : files.filter(f -> f.endsWith("blk_" + block)).toList()) {
            try (RandomAccessFile data = new RandomAccessFile(file.toFile(), "rw")) {
              int was = data.read();
              data.seek(0);
              data.write(was ^ 1);
            }
            changed++;
          }
        }
      }
    }
    assertThat(changed).isGreaterThan(1);
    told.add(path);
  }

  private static Round.Lie removeFile(List<String> told) {
    return (cluster, fs, history) -> {
      String path = certain(history).get(1);
      assertThat(fs.delete(new org.apache.hadoop.fs.Path(path), false)).isTrue();
      told.add(path);
    };
  }

  /** Has a DataNode obtain a reference of a volume that nobody gives back. */
  private static Round.Lie leak() {
    return (cluster, fs, history) -> {
      DataNodePlace node = cluster.view().dataNode("dn1");
      Path home = node.volumes().get(0).directory().getParent().getParent();
      DiskOrder order = new DiskOrder("ssd", DiskOrder.Effect.LEAK);
      Files.writeString(
          home.resolve(GameCluster.CONTROL_FILE),
          new ControlFile(1_000_000, List.of(order), "").toText());
      Await.until(
          "it is kept",
          () ->
              cluster.view().state("dn1").volumes().stream()
                  .anyMatch(v -> v.name().equals("ssd") && v.references() > 0));
    };
  }

  /** Files with acknowledged bytes, outside of snapshots. */
  private static List<String> certain(History history) {
    return history.present().stream()
        .filter(path -> !path.contains("snapshot") && !path.contains("XOR"))
        .filter(path -> history.acknowledged(path) > 0)
        .toList();
  }

  /** A table that says of two DataNodes of one host that they are on two. */
  @Test
  void mappingThatLies_sharedHostsAreFound() throws Exception {
    Path table = dir.resolve("table");
    StringBuilder lines = new StringBuilder();
    for (Layout.Vm vm : new Layout(3, 2, 2).vms()) {
      String location = "/" + vm.rack() + "/each" + vm.number();
      lines.append(vm.address()).append(' ').append(location).append('\n');
      lines.append(vm.name()).append(' ').append(location).append('\n');
    }
    Files.writeString(table, lines);
    Map<String, String> conf = new HashMap<>(nodeGroups());
    conf.put("net.topology.node.switch.mapping.impl", "org.apache.hadoop.net.TableMapping");
    conf.put("net.topology.table.file.name", table.toString());
    assertThat(run(conf, List.of()).findings())
        .extracting(Finding::kind)
        .contains(Kind.SHARED_HOST);
  }
}
