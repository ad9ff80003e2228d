package io.evenkeel.mover.scenario;

import static io.evenkeel.mover.scenario.Scene.B;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.common.testing.Await;
import io.evenkeel.mover.FileMover;
import io.evenkeel.mover.hdfs.MoverCluster;
import io.evenkeel.mover.request.FileOutcome;
import io.evenkeel.mover.request.MoveListener;
import io.evenkeel.mover.request.MoveReport;
import io.evenkeel.mover.request.MoveRequest;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.tools.DFSAdmin;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Stock's scenarios of its mover and satisfier, on six DataNodes with DISK, SSD and ARCHIVE. */
@Timeout(240)
class StorageMoverScenariosIT {
  private static final List<String> ARCHIVE3 = List.of("ARCHIVE", "ARCHIVE", "ARCHIVE");
  private static final List<String> DISK3 = List.of("DISK", "DISK", "DISK");
  private static final List<String> SSD3 = List.of("SSD", "SSD", "SSD");

  private static Scene scene;

  @BeforeAll
  static void start(@TempDir Path dir) throws IOException {
    scene = new Scene(MoverCluster.start(MoverCluster.conf(dir), 6));
  }

  @AfterAll
  static void stop() {
    scene.close();
  }

  private static org.apache.hadoop.fs.Path path(String path) {
    return new org.apache.hadoop.fs.Path(path);
  }

  private static byte[] write(String path, int bytes) throws Exception {
    return scene.cluster().write(path, bytes, 3);
  }

  private static byte[] read(String path) throws IOException {
    return scene.cluster().read(path);
  }

  @Test
  void hotWarmColdDirectories_eachFollowsItsPolicyAndBack() throws Exception {
    byte[] hot = write("/hwc/hot/f", 2 * B);
    byte[] warm = write("/hwc/warm/f", 2 * B);
    byte[] cold = write("/hwc/cold/f", 2 * B);
    scene.policy("/hwc/warm", "WARM");
    scene.policy("/hwc/cold", "COLD");

    MoveReport report = scene.move("/hwc");

    assertThat(report.files(FileOutcome.SATISFIED)).isEqualTo(1);
    assertThat(report.files(FileOutcome.MOVED)).isEqualTo(2);
    assertThat(report.counts().replicas()).isEqualTo(4 + 6);
    assertThat(scene.types("/hwc/hot/f")).containsExactly(DISK3);
    assertThat(scene.types("/hwc/warm/f")).containsExactly(List.of("ARCHIVE", "ARCHIVE", "DISK"));
    assertThat(scene.types("/hwc/cold/f")).containsExactly(ARCHIVE3);
    scene.policy("/hwc/hot", "WARM");
    scene.policy("/hwc/warm", "COLD");
    scene.policy("/hwc/cold", "HOT");
    assertThat(scene.move("/hwc").files(FileOutcome.MOVED)).isEqualTo(3);
    assertThat(scene.types("/hwc/hot/f")).containsExactly(List.of("ARCHIVE", "ARCHIVE", "DISK"));
    assertThat(scene.types("/hwc/warm/f")).containsExactly(ARCHIVE3);
    assertThat(scene.types("/hwc/cold/f")).containsExactly(DISK3);
    assertThat(read("/hwc/hot/f")).isEqualTo(hot);
    assertThat(read("/hwc/warm/f")).isEqualTo(warm);
    assertThat(read("/hwc/cold/f")).isEqualTo(cold);
  }

  @Test
  void ssdPolicies_oneOrAll_insideTheDataNodes() throws Exception {
    write("/ssd/one", 2 * B);
    write("/ssd/all", 2 * B);
    fs().setStoragePolicy(path("/ssd/one"), "ONE_SSD");
    fs().setStoragePolicy(path("/ssd/all"), "ALL_SSD");

    MoveReport report = scene.move("/ssd");

    assertThat(report.files(FileOutcome.MOVED)).isEqualTo(2);
    assertThat(report.counts().localReplicas()).isEqualTo(2 + 6);
    assertThat(report.counts().remoteReplicas()).isZero();
    assertThat(scene.types("/ssd/one")).containsExactly(List.of("DISK", "DISK", "SSD"));
    assertThat(scene.types("/ssd/all")).containsExactly(SSD3);
    // the type is there already on one DataNode: nothing else is touched
    assertThat(scene.move("/ssd/one").counts().replicas()).isZero();
  }

  private static org.apache.hadoop.hdfs.DistributedFileSystem fs() throws IOException {
    return scene.fs();
  }

  @Test
  void policyUnset_goesBackToTheDefault() throws Exception {
    write("/unset/f", B);
    scene.policy("/unset", "COLD");
    assertThat(scene.move("/unset").isSatisfied()).isTrue();
    assertThat(scene.types("/unset/f")).containsExactly(ARCHIVE3);
    fs().unsetStoragePolicy(path("/unset"));

    assertThat(scene.move("/unset").files(FileOutcome.MOVED)).isEqualTo(1);

    assertThat(scene.types("/unset/f")).containsExactly(DISK3);
  }

  @Test
  void specificPaths_othersStay() throws Exception {
    write("/some/a/f", B);
    write("/some/b/f", B);
    write("/some/c", B);
    scene.policy("/some", "COLD");

    MoveReport report = scene.move("/some/a", "/some/c");

    assertThat(report.fileCount()).isEqualTo(2);
    assertThat(scene.types("/some/a/f")).containsExactly(ARCHIVE3);
    assertThat(scene.types("/some/c")).containsExactly(ARCHIVE3);
    assertThat(scene.types("/some/b/f")).containsExactly(DISK3);
  }

  @Test
  void oddTrees_emptyFilesDeepDirectoriesAndNames() throws Exception {
    String deep = "/odd" + "/d".repeat(40);
    List<String> names =
        List.of("/odd/a b", "/odd/100%", "/odd/%20", "/odd/ä€ü𝄞", "/odd/a+b;c", deep + "/f");
    for (String name : names) {
      write(name, B);
    }
    scene.cluster().write("/odd/empty", 0, 3);
    fs().mkdirs(path("/odd/nothing/in/here"));
    scene.policy("/odd", "COLD");

    MoveReport report = scene.move("/odd");

    assertThat(report.isSatisfied()).as(report.listed().toString()).isTrue();
    assertThat(report.files(FileOutcome.MOVED)).isEqualTo(names.size());
    assertThat(report.files(FileOutcome.SATISFIED)).isEqualTo(1);
    for (String name : names) {
      assertThat(scene.types(name)).as(name).containsExactly(ARCHIVE3);
      assertThat(scene.move(name).files(FileOutcome.SATISFIED)).as(name).isEqualTo(1);
    }
    assertThat(scene.move("/odd/nothing").fileCount()).isZero();
  }

  @Test
  void moreReplicasThanDataNodes_thoseThereAreMoved() throws Exception {
    scene.cluster().write("/many/f", B, 6);
    fs().setReplication(path("/many/f"), (short) 9);
    scene.policy("/many", "COLD");

    MoveReport report = scene.move("/many");

    assertThat(scene.types("/many/f").get(0)).hasSize(6).containsOnly("ARCHIVE");
    assertThat(report.files(FileOutcome.MOVED)).as(report.listed().toString()).isEqualTo(1);
    assertThat(report.listed().get(0).reason()).contains("6 of 9 replicas");
  }

  @Test
  void openFile_pendingThenMovedAfterItsClose() throws Exception {
    scene.policy("/open", "HOT");
    try (OutputStream out = fs().create(path("/open/f"), (short) 3)) {
      out.write(new byte[B + 100]);
      ((org.apache.hadoop.fs.FSDataOutputStream) out).hflush();
      scene.policy("/open", "COLD");
      assertThat(scene.move("/open").files(FileOutcome.PENDING_OPEN)).isEqualTo(1);
      out.write(new byte[B]);
    }

    assertThat(scene.move("/open").files(FileOutcome.MOVED)).isEqualTo(1);

    assertThat(scene.types("/open/f")).containsExactly(ARCHIVE3);
    assertThat(read("/open/f")).hasSize(2 * B + 100);
  }

  @Test
  void directoryMovedInBetween_itsFilesAreFollowed() throws Exception {
    for (int f = 0; f < 10; f++) {
      write("/from/d/f" + f, 2 * B);
    }
    scene.policy("/from/d", "COLD");
    AtomicBoolean renamed = new AtomicBoolean();
    MoveListener rename =
        new MoveListener() {
          @Override
          public void replicaMoved(String file, boolean local, long bytes) {
            if (renamed.compareAndSet(false, true)) {
              try {
                fs().rename(path("/from/d"), path("/to"));
              } catch (IOException e) {
                throw new IllegalStateException(e);
              }
            }
          }
        };

    MoveReport report = scene.move(MoveRequest.of("/from").listener(rename));

    assertThat(report.files(FileOutcome.MOVED)).as(report.listed().toString()).isEqualTo(10);
    for (int f = 0; f < 10; f++) {
      assertThat(scene.types("/to/f" + f)).containsExactly(ARCHIVE3);
    }
  }

  @Test
  void snapshotAndCurrentFile_shareTheirBlocks() throws Exception {
    byte[] data = write("/snap/f", 2 * B);
    fs().allowSnapshot(path("/snap"));
    fs().createSnapshot(path("/snap"), "s");
    scene.policy("/snap", "COLD");

    MoveReport report = scene.move(MoveRequest.of("/snap").snapshots(true));

    assertThat(report.isSatisfied()).as(report.listed().toString()).isTrue();
    assertThat(report.counts().replicas()).isEqualTo(6);
    assertThat(read("/snap/.snapshot/s/f")).isEqualTo(data);
    assertThat(scene.types("/snap/f")).containsExactly(ARCHIVE3);
  }

  /** The NameNode goes by the file as it is now, and would undo what its snapshot asks for. */
  @Test
  void fileRenamedUnderAnotherPolicySinceItsSnapshot_staysWhereThatOneWantsIt() throws Exception {
    write("/before/f", 2 * B);
    write("/before/g", B);
    fs().allowSnapshot(path("/before"));
    fs().createSnapshot(path("/before"), "s");
    scene.policy("/before", "ALL_SSD");
    write("/after/h", B);
    scene.policy("/after", "COLD");
    fs().rename(path("/before/f"), path("/after/f"));
    fs().rename(path("/before/g"), path("/after/g"));
    assertThat(scene.move("/after").isSatisfied()).isTrue();

    MoveReport report = scene.move(MoveRequest.of("/before").snapshots(true));

    assertThat(report.isSatisfied()).as(report.listed().toString()).isTrue();
    assertThat(report.counts().replicas()).isZero();
    MoveReport named = scene.move("/before/.snapshot/s/f", "/before/.snapshot/s/g");
    assertThat(named.isSatisfied()).as(named.listed().toString()).isTrue();
    assertThat(named.counts().replicas()).isZero();
    assertThat(scene.types("/after/f")).containsExactly(ARCHIVE3);
  }

  /** The NameNode keeps as many as the snapshot has. */
  @Test
  void replicationLoweredSinceTheSnapshot_allReplicasMove() throws Exception {
    byte[] data = write("/more/f", 2 * B);
    fs().allowSnapshot(path("/more"));
    fs().createSnapshot(path("/more"), "s");
    fs().setReplication(path("/more/f"), (short) 2);
    scene.policy("/more", "COLD");

    MoveReport report = scene.move("/more/.snapshot/s");

    assertThat(report.isSatisfied()).as(report.listed().toString()).isTrue();
    assertThat(report.counts().replicas()).isEqualTo(6);
    assertThat(scene.types("/more/.snapshot/s/f")).containsExactly(ARCHIVE3);
    assertThat(read("/more/.snapshot/s/f")).isEqualTo(data);
  }

  /** So does the file itself. */
  @Test
  void replicationRaisedSinceTheSnapshot_noneIsInExcess() throws Exception {
    write("/less/f", B);
    fs().allowSnapshot(path("/less"));
    fs().createSnapshot(path("/less"), "s");
    DFSTestUtil.waitReplication(fs(), path("/less/f"), (short) 3);
    fs().setReplication(path("/less/f"), (short) 4);
    DFSTestUtil.waitReplication(fs(), path("/less/f"), (short) 4);

    MoveReport report = scene.move("/less/.snapshot/s");

    assertThat(report.isSatisfied()).as(report.listed().toString()).isTrue();
    assertThat(report.counts().replicas()).isZero();
  }

  /** Inodes that no path but the snapshot's leads to: the NameNode fails where they are named. */
  @Test
  void treeRenamedAndDeletedSinceItsSnapshot_isMovedAsTheSnapshotSays() throws Exception {
    byte[] data = write("/gone/d/e/f", 2 * B);
    write("/gone/g", B);
    long id = fs().getClient().getFileInfo("/gone/d/e/f").getFileId();
    fs().allowSnapshot(path("/gone"));
    scene.policy("/gone", "COLD");
    scene.policy("/gone/d", "COLD"); // its own, since it loses what is above it
    fs().createSnapshot(path("/gone"), "s");
    fs().mkdirs(path("/elsewhere"));
    fs().rename(path("/gone/d"), path("/elsewhere/d"));
    fs().delete(path("/elsewhere"), true);

    MoveReport report = scene.move(MoveRequest.of("/gone").snapshots(true));

    assertThat(report.isSatisfied()).as(report.listed().toString()).isTrue();
    assertThat(scene.types("/gone/.snapshot/s/d/e/f")).containsExactly(ARCHIVE3);
    assertThat(scene.types("/gone/g")).containsExactly(ARCHIVE3);
    assertThat(read("/gone/.snapshot/s/d/e/f")).isEqualTo(data);
    MoveReport named = scene.move(MoveRequest.of(MoveRequest.inode(id)));
    assertThat(named.files(FileOutcome.MISSING)).as(named.listed().toString()).isEqualTo(1);
  }

  private static void safeMode(String action) throws Exception {
    String[] args = {"-safemode", action};
    assertThat(new DFSAdmin(scene.cluster().conf()).run(args)).isZero();
  }

  @Test
  void safeMode_nothingIsMovedInsideDataNodesUntilItIsLeft() throws Exception {
    write("/safe/f", B);
    scene.policy("/safe", "COLD");
    try (FileMover mover = FileMover.open(scene.cluster().conf())) {
      safeMode("enter");
      AtomicInteger moved = new AtomicInteger();
      MoveListener counting =
          new MoveListener() {
            @Override
            public void replicaMoved(String file, boolean local, long bytes) {
              moved.incrementAndGet();
            }
          };
      CompletableFuture<MoveReport> future =
          mover.move(
              MoveRequest.of("/safe").deadline(Duration.ofSeconds(60)).listener(counting).build());
      Await.pause(5_000);
      assertThat(moved).as("the lease cannot be taken").hasValue(0);
      assertThat(future).isNotDone();
      safeMode("leave");

      assertThat(future.get(90, TimeUnit.SECONDS).isSatisfied()).isTrue();
    } finally {
      safeMode("leave");
    }
    assertThat(scene.types("/safe/f")).containsExactly(ARCHIVE3);
  }

  @Test
  void erasureCoded_ssdAndColdMoved_warmRefused() throws Exception {
    String ec = "RS-3-2-1024k";
    fs().enableErasureCodingPolicy(ec);
    fs().mkdirs(path("/ec"));
    fs().setErasureCodingPolicy(path("/ec"), ec);
    byte[] data = new byte[5 * 1024 * 1024 + 17];
    new java.util.Random(3).nextBytes(data);
    try (OutputStream out = fs().create(path("/ec/f"), true, 4096, (short) 1, 4L << 20)) {
      out.write(data);
    }
    for (String policy : List.of("ALL_SSD", "COLD", "HOT")) {
      scene.policy("/ec", policy);
      MoveReport report = scene.move("/ec");
      assertThat(report.files(FileOutcome.MOVED)).as(report.listed().toString()).isEqualTo(1);
      assertThat(report.counts().replicas()).isEqualTo(5);
    }
    assertThat(read("/ec/f")).isEqualTo(data);
    scene.policy("/ec", "WARM");

    MoveReport warm = scene.move("/ec");

    assertThat(warm.files(FileOutcome.UNSUPPORTED_EC_POLICY)).isEqualTo(1);
    assertThat(warm.listed().get(0).reason()).contains("WARM");
    assertThat(scene.types("/ec/f"))
        .containsExactly(List.of("DISK", "DISK", "DISK", "DISK", "DISK"));
  }
}
