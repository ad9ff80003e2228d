package io.evenkeel.mover.scenario;

import static io.evenkeel.mover.scenario.Scene.B;
import static org.apache.hadoop.fs.StorageType.ARCHIVE;
import static org.apache.hadoop.fs.StorageType.DISK;
import static org.apache.hadoop.fs.StorageType.SSD;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.common.cli.CommandException;
import io.evenkeel.mover.FileMover;
import io.evenkeel.mover.hdfs.MoverCluster;
import io.evenkeel.mover.request.FileOutcome;
import io.evenkeel.mover.request.FileReport;
import io.evenkeel.mover.request.MoveReport;
import io.evenkeel.mover.request.MoveRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.MiniDFSNNTopology;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Two namespaces over the same DataNodes, named as they are and through a mount table. */
@Timeout(180)
class FederationIT {
  private static final List<String> ARCHIVE3 = List.of("ARCHIVE", "ARCHIVE", "ARCHIVE");

  @TempDir private static Path dir;

  private static Configuration conf;
  private static MiniDFSCluster mini;
  private static Scene first;
  private static Scene second;

  @BeforeAll
  static void start() throws IOException {
    conf = MoverCluster.conf(dir);
    StorageType[] each = {DISK, SSD, ARCHIVE};
    mini =
        new MiniDFSCluster.Builder(conf)
            .nnTopology(MiniDFSNNTopology.simpleFederatedTopology(2))
            .numDataNodes(3)
            .storagesPerDatanode(each.length)
            .storageTypes(each)
            .build();
    mini.waitActive();
    DFSTestUtil.setFederatedConfiguration(mini, conf);
    first = new Scene(MoverCluster.of(mini, 0));
    second = new Scene(MoverCluster.of(mini, 1));
  }

  @AfterAll
  static void stop() {
    mini.shutdown();
  }

  private static void write(Scene scene, String directory, String... files) throws Exception {
    for (String file : files) {
      scene.cluster().write(directory + "/" + file, 2 * B, 3);
    }
    scene.policy(directory, "COLD");
  }

  private static org.apache.hadoop.fs.Path path(String path) {
    return new org.apache.hadoop.fs.Path(path);
  }

  private static MoveReport get(CompletableFuture<MoveReport> report) throws Exception {
    return report.get(120, TimeUnit.SECONDS);
  }

  @Test
  void twoMovers_oneForEachNamespace_atOnce() throws Exception {
    write(first, "/side", "a", "b");
    write(second, "/side", "a", "c");
    try (FileMover one = FileMover.open(conf, mini.getURI(0));
        FileMover two = FileMover.open(conf, mini.getURI(1))) {
      CompletableFuture<MoveReport> a = one.move(path("/side"));
      CompletableFuture<MoveReport> b = two.move(path("/side/a"), path(mini.getURI(1) + "/side/c"));

      assertThat(get(a).files(FileOutcome.MOVED)).as(get(a).listed().toString()).isEqualTo(2);
      assertThat(get(b).files(FileOutcome.MOVED)).as(get(b).listed().toString()).isEqualTo(2);
    }
    assertThat(first.types("/side/b")).containsExactly(ARCHIVE3);
    assertThat(second.types("/side/c")).containsExactly(ARCHIVE3);
  }

  @Test
  void command_pathsOfBoth_movedAndNamed() throws Exception {
    write(first, "/tool", "f");
    write(second, "/tool", "f", "g");
    String one = mini.getURI(0).toString();
    String two = mini.getURI(1).toString();

    assertThat(Scene.command(conf, one + "/tool", two + "/tool/*")).startsWith("0 files: 3 moved");
    assertThat(first.types("/tool/f")).containsExactly(ARCHIVE3);
    assertThat(second.types("/tool/g")).containsExactly(ARCHIVE3);
    assertThat(Scene.command(conf, one + "/tool", two + "/none"))
        .startsWith("4 ")
        .contains(two + "/none: missing");
  }

  private static Configuration mounts() throws IOException {
    Configuration mounts = new Configuration(conf);
    mounts.set("fs.defaultFS", "viewfs://table/");
    String link = "fs.viewfs.mounttable.table.link.";
    mounts.set(link + "/m/one", mini.getURI(0) + "/mounted");
    mounts.set(link + "/m/two", mini.getURI(1) + "/mounted");
    mounts.set(link + "/local", Files.createDirectories(dir.resolve("local")).toUri().toString());
    return mounts;
  }

  /** A path without a scheme is one of the mover's NameNode. */
  @Test
  void mountTable_pathsLeadToTheirNamespaceOrAreRefused() throws Exception {
    write(first, "/mounted", "f", "g", "p1", "p2");
    write(second, "/mounted", "f");
    Configuration mounts = mounts();
    FileSystem.get(mounts).create(path("/local/x")).close();
    try (FileMover mover = FileMover.open(mounts, mini.getURI(0))) {
      MoveReport report =
          get(
              mover.move(
                  MoveRequest.of(
                          "viewfs://table/m/one/f", "viewfs://table/m/one/none", "/mounted/g")
                      .paths(
                          List.of(
                              "viewfs://table/m/two/f",
                              "viewfs://table/local/x",
                              "viewfs://table/nowhere/x"))
                      .globs("viewfs://table/m/one/p*")
                      .build()));

      assertThat(report.files(FileOutcome.MOVED)).as(report.listed().toString()).isEqualTo(4);
      assertThat(report.listed())
          .extracting(FileReport::toString)
          .anyMatch(line -> line.startsWith("/mounted/none: missing"))
          .anyMatch(line -> line.contains("/m/two/f: failed") && line.contains("not of hdfs:"))
          .anyMatch(line -> line.contains("/local/x: failed") && line.contains("not in HDFS"))
          .anyMatch(line -> line.contains("/nowhere/x: failed") && line.contains("not in HDFS"));
    }
    assertThat(first.types("/mounted/g")).containsExactly(ARCHIVE3);
    assertThat(second.types("/mounted/f")).containsExactly(List.of("DISK", "DISK", "DISK"));
  }

  @Test
  void mountTableAsDefault_isNoNameNode_said() throws Exception {
    Configuration mounts = mounts();
    assertThatThrownBy(() -> FileMover.open(mounts))
        .isInstanceOf(CommandException.class)
        .hasMessageContaining("viewfs://table")
        .hasMessageContaining("hdfs://authority");
    assertThat(Scene.command(mounts, "/m/one"))
        .startsWith("64 mover: '/m/one' names no NameNode")
        .contains("viewfs://table");
  }
}
