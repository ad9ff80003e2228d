package io.evenkeel.mover.scenario;

import static io.evenkeel.mover.scenario.Scene.B;
import static org.apache.hadoop.fs.StorageType.ARCHIVE;
import static org.apache.hadoop.fs.StorageType.DISK;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.common.testing.Await;
import io.evenkeel.mover.FileMover;
import io.evenkeel.mover.core.plan.BlockView;
import io.evenkeel.mover.hdfs.MoverCluster;
import io.evenkeel.mover.request.FileOutcome;
import io.evenkeel.mover.request.MoveReport;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * DataNodes that take one or two moves at once and refuse the others. One failed attempt would end
 * a block here, and being busy is the only refusal that is none: whatever was tried again and ended
 * well was refused for that.
 */
@Timeout(180)
class BusyDataNodesIT {
  @TempDir private Path dir;

  private Configuration conf(int quota) {
    Configuration conf = MoverCluster.conf(dir);
    conf.setInt("dfs.datanode.balance.max.concurrent.moves", quota);
    return conf;
  }

  /** That of a mover which does not know how few moves the DataNodes take. */
  private static Configuration eager(Scene scene) {
    Configuration conf = scene.cluster().conf();
    conf.setInt("dfs.datanode.balance.max.concurrent.moves", 100);
    conf.setInt("evenkeel.mover.moves-per-datanode", 16);
    conf.setInt("evenkeel.mover.attempts", 1);
    return conf;
  }

  private static org.apache.hadoop.fs.Path path(String path) {
    return new org.apache.hadoop.fs.Path(path);
  }

  private static void write(Scene scene, String directory, int files) throws Exception {
    for (int f = 0; f < files; f++) {
      scene.cluster().write(directory + "/f" + f, 2 * B, 3);
    }
    scene.policy(directory, "COLD");
  }

  /**
   * Replicas on DISK, once all are reported: 30 of five files, or fewer when a DataNode was too
   * busy to be written to, because the default policy then takes an ARCHIVE instead.
   */
  private static long onDisk(Scene scene, String directory, int files) throws Exception {
    long count = 0;
    for (int f = 0; f < files; f++) {
      String file = directory + "/f" + f;
      Await.until(
          "every replica of " + file,
          () -> scene.blocks(file).stream().allMatch(b -> b.replicas().size() == 3));
      for (BlockView block : scene.blocks(file)) {
        count += block.replicas().stream().filter(r -> r.type().equals("DISK")).count();
      }
    }
    return count;
  }

  private static MoveReport get(CompletableFuture<MoveReport> report) throws Exception {
    return report.get(120, TimeUnit.SECONDS);
  }

  @Test
  void oneMoveAtOnce_insideDataNodes_allMovedAfterRefusals() throws Exception {
    try (Scene scene = new Scene(MoverCluster.start(conf(1), 3))) {
      write(scene, "/d", 10);
      try (FileMover mover = FileMover.open(eager(scene))) {
        MoveReport report = get(mover.move(path("/d")));

        assertThat(report.files(FileOutcome.MOVED)).as(report.listed().toString()).isEqualTo(10);
        assertThat(report.counts().localReplicas()).isEqualTo(60);
        assertThat(report.counts().retries()).isPositive();
      }
    }
  }

  @Test
  void twoMovers_overTheNetwork_shareTheQuotaAndBothEnd() throws Exception {
    Configuration conf = conf(2);
    conf.setLong("dfs.datanode.balance.bandwidthPerSec", 1 << 20); // so that moves overlap
    try (Scene scene = Scene.of(conf, DISK, DISK, DISK, ARCHIVE, ARCHIVE, ARCHIVE)) {
      write(scene, "/a", 5);
      write(scene, "/b", 5);
      List<Long> due = List.of(onDisk(scene, "/a", 5), onDisk(scene, "/b", 5));
      try (FileMover one = FileMover.open(eager(scene));
          FileMover two = FileMover.open(eager(scene))) {
        CompletableFuture<MoveReport> a = one.move(path("/a"));
        CompletableFuture<MoveReport> b = two.move(path("/b"));

        List<MoveReport> reports = List.of(get(a), get(b));
        for (MoveReport report : reports) {
          assertThat(report.files(FileOutcome.MOVED)).as(report.listed().toString()).isEqualTo(5);
          assertThat(report.counts().retries()).isPositive();
        }
        assertThat(reports).extracting(r -> r.counts().remoteReplicas()).isEqualTo(due);
      }
      assertThat(scene.types("/a/f4")).containsExactly(List.of("ARCHIVE", "ARCHIVE", "ARCHIVE"));
      assertThat(scene.types("/b/f4")).containsExactly(List.of("ARCHIVE", "ARCHIVE", "ARCHIVE"));
    }
  }
}
