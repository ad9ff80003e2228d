package io.evenkeel.mover.scenario;

import static io.evenkeel.mover.scenario.Scene.B;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.common.testing.Await;
import io.evenkeel.mover.FileMover;
import io.evenkeel.mover.hdfs.MoverCluster;
import io.evenkeel.mover.request.FileOutcome;
import io.evenkeel.mover.request.FileReport;
import io.evenkeel.mover.request.MoveReport;
import io.evenkeel.mover.request.MoveRequest;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.MiniDFSCluster.DataNodeProperties;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.DataNodeTestUtils;
import org.apache.hadoop.hdfs.server.mover.Mover;
import org.apache.hadoop.util.ToolRunner;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** DataNodes that are away for a moment, as in a rolling restart, and will be back. */
@Timeout(240)
class DataNodeAwayIT {
  private static final int FILES = 20;
  private static final List<String> ARCHIVE3 = Collections.nCopies(3, "ARCHIVE");

  @TempDir private Path dir;

  private interface Moving {
    Object move(String directory) throws Exception;
  }

  /** Its replicas are alone in their racks in part, so that they are read from it or not at all. */
  @Test
  @Tag("once")
  void oneIsRestarted_stocksMoverAndOursMoveEverything() throws Exception {
    String[] racks = {"/r1", "/r1", "/r2", "/r2", "/r3", "/r3"};
    try (Scene scene = new Scene(MoverCluster.start(MoverCluster.conf(dir), 6, racks))) {
      for (int i = 0; i < FILES; i++) {
        scene.cluster().write("/ours/f" + i, B, 3);
        scene.cluster().write("/stock/f" + i, B, 3);
      }
      Object code =
          whileOneIsAway(
              scene,
              "/stock",
              path ->
                  ToolRunner.run(
                      scene.cluster().conf(), new Mover.Cli(), new String[] {"-p", path}));
      assertThat(code).isEqualTo(0);
      assertMoved(scene, "/stock");

      MoveReport report = (MoveReport) whileOneIsAway(scene, "/ours", path -> move(scene, path));
      assertThat(report.files(FileOutcome.MOVED)).as(report.listed().toString()).isEqualTo(FILES);
      assertMoved(scene, "/ours");
    }
  }

  /** With the waits of the defaults. */
  private static MoveReport move(Scene scene, String path) throws Exception {
    try (FileMover mover = FileMover.open(scene.cluster().conf())) {
      return mover.move(MoveRequest.of(path).build()).get(3, TimeUnit.MINUTES);
    }
  }

  private static Object whileOneIsAway(Scene scene, String path, Moving moving) throws Exception {
    MiniDFSCluster mini = scene.cluster().mini();
    scene.policy(path, "COLD");
    DataNodeProperties stopped = mini.stopDataNode(0);
    CompletableFuture<Void> back =
        CompletableFuture.runAsync(
            () -> {
              try {
                Await.pause(8_000);
                mini.restartDataNode(stopped, true);
              } catch (Exception e) {
                throw new IllegalStateException(e);
              }
            });
    Object result = moving.move(path);
    back.join();
    mini.waitActive();
    return result;
  }

  private static void assertMoved(Scene scene, String path) throws Exception {
    for (int i = 0; i < FILES; i++) {
      String file = path + "/f" + i;
      Await.until("all on ARCHIVE", () -> scene.types(file).equals(List.of(ARCHIVE3)));
    }
  }

  /** None has reported to a NameNode that was started again: nothing is known to be missing. */
  @Test
  void noneHasReportedYet_pendingNotMissing() throws Exception {
    try (Scene scene = new Scene(MoverCluster.start(MoverCluster.conf(dir), 3))) {
      MiniDFSCluster mini = scene.cluster().mini();
      scene.cluster().write("/m/f", 3 * B, 3); // of one it would not wait in safe mode
      scene.policy("/m", "COLD");
      for (DataNode node : mini.getDataNodes()) {
        DataNodeTestUtils.setHeartbeatsDisabledForTests(node, true);
      }
      mini.restartNameNode(0, false);
      FileReport file = scene.move("/m").listed().get(0);
      assertThat(file.outcome()).isEqualTo(FileOutcome.PENDING_REPLICATION);
      assertThat(file.reason()).contains("no live replica", "safe mode");

      for (DataNode node : mini.getDataNodes()) {
        DataNodeTestUtils.setHeartbeatsDisabledForTests(node, false);
      }
      mini.waitActive();
      assertThat(scene.move("/m").files(FileOutcome.MOVED)).isEqualTo(1);
    }
  }
}
