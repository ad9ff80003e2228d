package io.evenkeel.mover.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;

import io.evenkeel.common.cli.CommandException;
import io.evenkeel.common.cli.ExitCode;
import io.evenkeel.mover.FileMover;
import io.evenkeel.mover.core.plan.FileView;
import io.evenkeel.mover.request.FileOutcome;
import io.evenkeel.mover.request.FileReport;
import io.evenkeel.mover.request.MoveReport;
import io.evenkeel.mover.request.MoveRequest;
import java.io.IOException;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.QuotaByStorageTypeExceededException;
import org.apache.hadoop.hdfs.protocol.QuotaExceededException;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The whole mover on a real HDFS of five DataNodes with DISK, SSD and ARCHIVE each. */
@Timeout(300)
class FileMoverIT {
  private static final int B = MoverCluster.BLOCK;

  private static MoverCluster cluster;

  @BeforeAll
  static void start(@TempDir Path dir) throws IOException {
    cluster = MoverCluster.start(MoverCluster.conf(dir), 5);
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  private static org.apache.hadoop.fs.Path path(String path) {
    return new org.apache.hadoop.fs.Path(path);
  }

  private static DistributedFileSystem fs() throws IOException {
    return cluster.fs();
  }

  private static MoveReport get(CompletableFuture<MoveReport> future) throws Exception {
    return future.get(120, TimeUnit.SECONDS);
  }

  private static MoveReport move(MoveRequest.Builder request) throws Exception {
    try (FileMover mover = FileMover.open(cluster.conf())) {
      return get(mover.move(request.build()));
    }
  }

  private static void assertAllOn(String type, String file) throws IOException {
    try (HdfsConnection connection = cluster.connect()) {
      FileView view = MoverCluster.file(new HdfsNamespace(connection), file);
      assertThat(view.blocks())
          .allSatisfy(
              block ->
                  assertThat(block.replicas())
                      .hasSize(3)
                      .allMatch(replica -> replica.type().equals(type)));
    }
  }

  private static void directory(String path, String policy) throws IOException {
    fs().mkdirs(path(path));
    fs().setStoragePolicy(path(path), policy);
  }

  @Test
  void wholeTree_itsOwnOpenLeaseIsNotInTheWay() throws Exception {
    MoveReport report = move(MoveRequest.of("/"));
    assertThat(report.isSatisfied()).as(report.listed().toString()).isTrue();
    cluster.write("/tree/f", B, 3);
    fs().setStoragePolicy(path("/tree/f"), "ALL_SSD");

    MoveReport again = move(MoveRequest.of("/tree/f", "/system"));

    assertThat(again.isSatisfied()).as(again.listed().toString()).isTrue();
    assertThat(again.files(FileOutcome.MOVED)).isEqualTo(1);
    assertThat(again.fileCount()).isGreaterThanOrEqualTo(2);
  }

  @Test
  void oneFile_thirtyReplicas_movedWithAtMostTenCalls() throws Exception {
    byte[] data = cluster.write("/one/f", 10 * B - 7, 3);
    fs().setStoragePolicy(path("/one/f"), "ALL_SSD");
    Map<String, Long> before = cluster.allCalls();

    MoveReport report = move(MoveRequest.of("/one/f"));

    Map<String, Long> calls = cluster.callsSince(before);
    assertThat(report.files(FileOutcome.MOVED)).as(report.toString()).isEqualTo(1);
    assertThat(report.counts().localReplicas()).isEqualTo(30);
    assertThat(report.counts().localBytes()).isEqualTo(3L * data.length);
    assertThat(calls.values().stream().mapToLong(Long::longValue).sum())
        .as(calls.toString())
        .isLessThanOrEqualTo(10);
    assertAllOn("SSD", "/one/f");
    assertThat(cluster.read("/one/f")).isEqualTo(data);
  }

  @Test
  void rename_coldToAllSsd_movedByTheSameCall() throws Exception {
    directory("/cold", "COLD");
    directory("/hot", "ALL_SSD");
    byte[] data = cluster.write("/cold/d/f", 5 * B, 3);
    assertAllOn("ARCHIVE", "/cold/d/f");
    try (FileMover mover = FileMover.open(cluster.conf())) {
      MoveReport report = get(mover.rename(path("/cold/d"), path("/hot/d")));

      assertThat(report.files(FileOutcome.MOVED)).isEqualTo(1);
    }
    assertAllOn("SSD", "/hot/d/f");
    assertThat(cluster.read("/hot/d/f")).isEqualTo(data);
  }

  @Test
  void rename_refused_theNameNodesExceptionAndNothingMoved() throws Exception {
    directory("/q1", "COLD");
    directory("/q2", "ALL_SSD");
    cluster.write("/q1/f", B, 3);
    fs().setQuota(path("/q2"), 1, Long.MAX_VALUE);
    try (FileMover mover = FileMover.open(cluster.conf())) {
      assertThatThrownBy(() -> mover.rename(path("/q1/f"), path("/q2/f")).get())
          .isInstanceOf(ExecutionException.class)
          .cause()
          .isInstanceOf(QuotaExceededException.class)
          .hasMessageContaining("/q2");
      assertThatThrownBy(() -> mover.rename(path("/q1/none"), path("/q1/x")).get())
          .hasMessageContaining("/q1/none");
    }
    assertAllOn("ARCHIVE", "/q1/f");
  }

  @Test
  void rename_overTheQuotaOfItsStorageType_refusedAndNothingMoved() throws Exception {
    directory("/t1", "COLD");
    directory("/t2", "ALL_SSD");
    byte[] data = cluster.write("/t1/f", B, 3);
    fs().setQuotaByStorageType(path("/t2"), StorageType.SSD, 3L * B - 1);
    try (FileMover mover = FileMover.open(cluster.conf())) {
      assertThatThrownBy(() -> mover.rename(path("/t1/f"), path("/t2/f")).get())
          .isInstanceOf(ExecutionException.class)
          .cause()
          .isInstanceOf(QuotaByStorageTypeExceededException.class)
          .hasMessageContaining("/t2");
      assertThat(fs().exists(path("/t2/f"))).isFalse();
      assertAllOn("ARCHIVE", "/t1/f");
      fs().setQuotaByStorageType(path("/t2"), StorageType.SSD, 3L * B);

      assertThat(get(mover.rename(path("/t1/f"), path("/t2/f"))).isSatisfied()).isTrue();
    }
    assertAllOn("SSD", "/t2/f");
    assertThat(cluster.read("/t2/f")).isEqualTo(data);
  }

  /** The page on HBase says so: the NameNode checks a rename, not a policy. */
  @Test
  void policy_overTheQuotaOfItsStorageType_setAndMoved() throws Exception {
    directory("/t3", "COLD");
    cluster.write("/t3/f", B, 3);
    fs().setQuotaByStorageType(path("/t3"), StorageType.SSD, 3L * B - 1);
    fs().setStoragePolicy(path("/t3"), "ALL_SSD");

    assertThat(move(MoveRequest.of("/t3")).files(FileOutcome.MOVED)).isEqualTo(1);

    assertAllOn("SSD", "/t3/f");
  }

  @Test
  void twoMovers_sameFiles_allOnTargetWithThreeReplicas() throws Exception {
    for (int f = 0; f < 20; f++) {
      cluster.write("/two/f" + f, 2 * B, 3);
    }
    fs().setStoragePolicy(path("/two"), "ALL_SSD");
    try (FileMover one = FileMover.open(cluster.conf());
        FileMover two = FileMover.open(cluster.conf())) {
      CompletableFuture<MoveReport> first = one.move(path("/two"));
      CompletableFuture<MoveReport> second = two.move(path("/two"));

      assertThat(get(first).isSatisfied()).as(get(first).listed().toString()).isTrue();
      assertThat(get(second).isSatisfied()).as(get(second).listed().toString()).isTrue();
    }
    for (int f = 0; f < 20; f++) {
      assertAllOn("SSD", "/two/f" + f);
    }
  }

  @Test
  void openFile_completeBlocksMovedAndPending() throws Exception {
    directory("/open", "ALL_SSD");
    fs().setStoragePolicy(path("/open"), "HOT");
    try (FSDataOutputStream out = fs().create(path("/open/f"), (short) 3)) {
      out.write(new byte[2 * B + 10]);
      out.hflush();
      fs().setStoragePolicy(path("/open"), "ALL_SSD");

      MoveReport report = move(MoveRequest.of("/open"));

      assertThat(report.files(FileOutcome.PENDING_OPEN)).isEqualTo(1);
      assertThat(report.counts().replicas()).isEqualTo(6);
    }
    assertThat(move(MoveRequest.of("/open")).files(FileOutcome.MOVED)).isEqualTo(1);
    assertAllOn("SSD", "/open/f");
  }

  @Test
  void badPaths_eachNamedWithItsReason() throws Exception {
    cluster.write("/bad/f", B, 3);

    MoveReport report =
        move(
            MoveRequest.of("/bad/f", "/bad/none", "relative", "hdfs://elsewhere:1/x")
                .globs("/bad/*.none"));

    assertThat(report.isSatisfied()).isFalse();
    assertThat(report.listed())
        .extracting(FileReport::toString)
        .anyMatch(line -> line.startsWith("/bad/none: missing"))
        .anyMatch(line -> line.startsWith("/bad/*.none: missing"))
        .anyMatch(line -> line.startsWith("relative: failed"))
        .anyMatch(line -> line.startsWith("hdfs://elsewhere:1/x: failed"))
        .anyMatch(line -> line.startsWith("/bad/f: already satisfied"));
  }

  @Test
  void policyWithMemory_memoryIsLeftToTheDataNodes() throws Exception {
    cluster.write("/lack/f", B, 3);
    MoveReport report = move(MoveRequest.of("/lack/f").policyOverride("LAZY_PERSIST").dryRun(true));
    // RAM_DISK is left to the DataNodes; the rest of the policy is right
    assertThat(report.files(FileOutcome.PLANNED)).isZero();
  }

  @Test
  void notTheSuperuser_deniedOrHandedOverWhereSomebodyMayFetchIt() throws Exception {
    cluster.write("/users/f", B, 3);
    UserGroupInformation nobody =
        UserGroupInformation.createUserForTesting("nobody", new String[] {"none"});
    Configuration refusing = cluster.conf();
    refusing.setBoolean("evenkeel.mover.hand-over", false);
    assertThatThrownBy(
            () ->
                nobody.doAs((PrivilegedExceptionAction<FileMover>) () -> FileMover.open(refusing)))
        .isInstanceOfSatisfying(
            CommandException.class, e -> assertThat(e.exitCode()).isEqualTo(ExitCode.DENIED))
        .hasMessageContaining("nobody");

    // this NameNode keeps no requests, so nothing can be handed over
    MoveReport report =
        nobody.doAs(
            (PrivilegedExceptionAction<MoveReport>)
                () -> {
                  try (FileMover mover = FileMover.open(cluster.conf())) {
                    return get(mover.move(path("/users/f"), path("/users/none")));
                  }
                });
    assertThat(report.files(FileOutcome.DENIED)).isPositive();
    assertThat(report.listed().get(0).reason()).contains("nobody");
  }

  /** The command hands over a stream that it fills itself once the request is made. */
  @Test
  void unprivileged_pathsThatComeAfterTheRequest_areAnswered() throws Exception {
    directory("/later", "ALL_SSD");
    cluster.write("/later/f", B, 1);
    UserGroupInformation nobody = UserGroupInformation.createRemoteUser("nobody");
    BlockingQueue<String> paths = new LinkedBlockingQueue<>();
    Iterator<String> two =
        Stream.generate(() -> assertDoesNotThrow(paths::take)).limit(2).iterator();

    MoveReport report =
        nobody.doAs(
            (PrivilegedExceptionAction<MoveReport>)
                () -> {
                  try (FileMover mover = FileMover.open(cluster.conf())) {
                    CompletableFuture<MoveReport> future =
                        mover.move(MoveRequest.of().stream(two).build());
                    assertThat(future).isNotDone();
                    paths.put("/later/f");
                    paths.put("/later/g");
                    return get(future);
                  }
                });

    assertThat(report.fileCount()).isEqualTo(2);
    assertThat(report.files(FileOutcome.DENIED)).isPositive();
  }

  @Test
  void snapshotOnlyFile_movedWhenAskedFor() throws Exception {
    directory("/snap", "HOT");
    cluster.write("/snap/f", 2 * B, 3);
    fs().allowSnapshot(path("/snap"));
    fs().createSnapshot(path("/snap"), "s1");
    fs().delete(path("/snap/f"), false);
    fs().setStoragePolicy(path("/snap"), "ALL_SSD");

    MoveReport without = move(MoveRequest.of("/snap"));
    MoveReport with = move(MoveRequest.of("/snap").snapshots(true));

    assertThat(without.fileCount()).isZero();
    assertThat(with.fileCount()).as(with.toString()).isEqualTo(1);
  }
}
