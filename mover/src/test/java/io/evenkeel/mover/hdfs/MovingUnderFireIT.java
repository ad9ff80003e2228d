package io.evenkeel.mover.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.common.testing.Await;
import io.evenkeel.mover.FileMover;
import io.evenkeel.mover.core.plan.BlockView;
import io.evenkeel.mover.request.BlockResult;
import io.evenkeel.mover.request.FileOutcome;
import io.evenkeel.mover.request.FileReport;
import io.evenkeel.mover.request.MoveListener;
import io.evenkeel.mover.request.MoveReport;
import io.evenkeel.mover.request.MoveRequest;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.apache.hadoop.hdfs.server.protocol.StorageReport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Moves over the network while somebody changes the files or a DataNode goes away: whatever the
 * report says, every byte is what was written and every block ends with its replicas.
 */
@Tag("slow")
@Timeout(300)
class MovingUnderFireIT {
  private static final int B = MoverCluster.BLOCK;
  private static final long DISK_BYTES = 1L << 30;
  private static final long SSD_BYTES = 48L * B;

  private final Map<String, byte[]> written = new HashMap<>();
  private MoverCluster cluster;

  @BeforeEach
  void start(@TempDir Path dir) throws IOException {
    Configuration conf = MoverCluster.conf(dir);
    conf.setInt("dfs.namenode.heartbeat.recheck-interval", 500);
    conf.setInt("dfs.namenode.reconstruction.pending.timeout-sec", 3);
    conf.setBoolean("dfs.client.block.write.replace-datanode-on-failure.enable", false);
    StorageType[][] types = new StorageType[8][];
    long[][] bytes = new long[types.length][];
    for (int n = 0; n < types.length; n++) {
      StorageType type = n < 4 ? StorageType.DISK : StorageType.SSD;
      types[n] = new StorageType[] {type, type};
      long each = n < 4 ? DISK_BYTES : SSD_BYTES;
      bytes[n] = new long[] {each, each};
    }
    MiniDFSCluster mini =
        new MiniDFSCluster.Builder(conf)
            .numDataNodes(types.length)
            .storageTypes(types)
            .storageCapacities(bytes)
            .build();
    mini.waitActive();
    cluster = MoverCluster.of(mini);
  }

  @AfterEach
  void stop() {
    cluster.close();
  }

  private DistributedFileSystem fs() throws IOException {
    return cluster.fs();
  }

  private static org.apache.hadoop.fs.Path path(String path) {
    return new org.apache.hadoop.fs.Path(path);
  }

  /** Files on DISK whose policy asks for SSD, which only other DataNodes have. */
  private void files(int count, int blocks) throws Exception {
    for (int f = 0; f < count; f++) {
      written.put("/m/f" + f, cluster.write("/m/f" + f, blocks * B - 11, 3));
    }
    fs().setStoragePolicy(path("/m"), "ALL_SSD");
  }

  private interface Change {
    void make() throws Exception;
  }

  /** Moves all files and makes the change after the fifth replica. */
  private MoveReport moveAnd(Change change) throws Exception {
    return moveAnd(MoveRequest.of("/m"), change);
  }

  private MoveReport moveAnd(MoveRequest.Builder request, Change change) throws Exception {
    AtomicBoolean made = new AtomicBoolean();
    int[] moved = {0};
    MoveListener listener =
        new MoveListener() {
          @Override
          public void replicaMoved(String path, boolean local, long bytes) {
            if (++moved[0] == 5) {
              try {
                change.make();
                made.set(true);
              } catch (Exception e) {
                throw new IllegalStateException(e);
              }
            }
          }
        };
    Configuration conf = cluster.conf();
    conf.set("evenkeel.mover.retry-after", "500ms");
    conf.set("evenkeel.mover.attempts", "20");
    try (FileMover mover = FileMover.open(conf)) {
      MoveReport report = mover.move(request.listener(listener).build()).get(200, TimeUnit.SECONDS);
      assertThat(made).isTrue();
      return report;
    }
  }

  private void assertBytesAndReplicas() throws Exception {
    for (Map.Entry<String, byte[]> e : written.entrySet()) {
      assertThat(cluster.read(e.getKey())).as(e.getKey()).isEqualTo(e.getValue());
      awaitReplicas(e.getKey(), 3);
    }
  }

  private void awaitReplicas(String file, int replicas) throws Exception {
    try (HdfsConnection connection = cluster.connect()) {
      HdfsNamespace namespace = new HdfsNamespace(connection);
      Await.until(
          replicas + " replicas of " + file,
          Duration.ofSeconds(60),
          () ->
              MoverCluster.file(namespace, file).blocks().stream()
                  .allMatch(b -> b.replicas().size() == replicas),
          () -> MoverCluster.file(namespace, file).blocks());
    }
  }

  @Test
  void dataNodeDies_othersTakeItsPart() throws Exception {
    files(10, 3);

    MoveReport report = moveAnd(() -> cluster.mini().stopDataNode(7));

    assertThat(report.files()).doesNotContainKeys(FileOutcome.MISSING, FileOutcome.DELETED);
    assertBytesAndReplicas();
    // three SSD nodes are left: a second request brings what the first gave up
    try (FileMover mover = FileMover.open(cluster.conf())) {
      MoveReport again = mover.move(path("/m")).get(200, TimeUnit.SECONDS);
      assertThat(again.isSatisfied()).as(again.listed().toString()).isTrue();
    }
    assertBytesAndReplicas();
  }

  @Test
  void deletedRenamedAppendedTruncated_eachFollowed() throws Exception {
    files(6, 4);
    MoveReport report =
        moveAnd(
            () -> {
              fs().delete(path("/m/f0"), false);
              written.remove("/m/f0");
              fs().rename(path("/m/f1"), path("/renamed"));
              written.put("/renamed", written.remove("/m/f1"));
              append("/m/f2");
              truncate("/m/f3", 2 * B + 5);
            });

    assertThat(report.files(FileOutcome.FAILED)).as(report.listed().toString()).isZero();
    // A replica whose deletion its DataNode refused, since the block was appended or cut meanwhile,
    // is in stock's NameNode's excess map until that starts anew, and deleted no more.
    cluster.mini().restartNameNode(true);
    assertBytesAndReplicas();
    try (FileMover mover = FileMover.open(cluster.conf())) {
      MoveReport again = mover.move(path("/m")).get(200, TimeUnit.SECONDS);
      assertThat(again.isSatisfied()).as(again.listed().toString()).isTrue();
    }
    assertBytesAndReplicas();
  }

  @Test
  void replicationLoweredAndRaised_replicasAsManyAsAskedAtTheEnd() throws Exception {
    files(10, 4);
    MoveReport report =
        moveAnd(
            () -> {
              fs().setReplication(path("/m/f8"), (short) 4);
              fs().setReplication(path("/m/f9"), (short) 2);
              awaitReplicas("/m/f9", 2);
              fs().setReplication(path("/m/f9"), (short) 3);
            });

    assertThat(report.files(FileOutcome.FAILED)).as(report.listed().toString()).isZero();
    awaitReplicas("/m/f8", 4);
    awaitReplicas("/m/f9", 3);
    fs().setReplication(path("/m/f8"), (short) 3);
    assertBytesAndReplicas();
    try (FileMover mover = FileMover.open(cluster.conf())) {
      MoveReport again = mover.move(path("/m")).get(200, TimeUnit.SECONDS);
      assertThat(again.isSatisfied()).as(again.listed().toString()).isTrue();
    }
    assertBytesAndReplicas();
  }

  private void append(String file) throws IOException {
    byte[] more = {1, 2, 3, 4, 5};
    try (FSDataOutputStream out = fs().append(path(file))) {
      out.write(more);
    }
    byte[] old = written.get(file);
    byte[] all = Arrays.copyOf(old, old.length + more.length);
    System.arraycopy(more, 0, all, old.length, more.length);
    written.put(file, all);
  }

  private void truncate(String file, int length) throws Exception {
    boolean done = fs().truncate(path(file), length);
    Await.until(file + " is cut", () -> done || fs().isFileClosed(path(file)));
    written.put(file, Arrays.copyOf(written.get(file), length));
  }

  @Test
  void targetsFillUp_saidOfEachBlockAndMovedOnceThereIsRoom() throws Exception {
    files(10, 3);
    // so slow that the SSDs are full long before the last replica's turn
    MoveReport report = moveAnd(MoveRequest.of("/m").bytesPerSecond(8L * B), this::fillSsds);

    Set<Long> without = new HashSet<>();
    for (FileReport file : report.listed()) {
      for (BlockResult block : file.blocks()) {
        if (!block.outcome().isSatisfied()) {
          assertThat(block.outcome()).as(block.reason()).isEqualTo(FileOutcome.NO_TARGET);
          assertThat(block.reason()).contains("SSD").containsPattern("lacks? the space");
          without.add(block.blockId());
        }
      }
    }
    assertThat(without).isNotEmpty().isEqualTo(blocksOnDisk());
    assertBytesAndReplicas();
    assertThat(blocksOnDisk()).isEqualTo(without);

    fs().delete(path("/filler"), true);
    Await.until("room on the SSDs", () -> LongStream.of(freeOnSsds()).min().orElse(0) >= 6L * B);
    try (FileMover mover = FileMover.open(cluster.conf())) {
      MoveReport again = mover.move(path("/m")).get(200, TimeUnit.SECONDS);
      assertThat(again.isSatisfied()).as(again.listed().toString()).isTrue();
    }
    assertThat(blocksOnDisk()).isEmpty();
    assertBytesAndReplicas();
  }

  /** Writes until no SSD takes another block. */
  private void fillSsds() throws Exception {
    fs().mkdirs(path("/filler"));
    fs().setStoragePolicy(path("/filler"), "ALL_SSD");
    for (int f = 0; LongStream.of(freeOnSsds()).max().orElse(0) >= B; f++) {
      assertThat(f).as("files written").isLessThan(500);
      try (FSDataOutputStream out = fs().create(path("/filler/" + f), (short) 4)) {
        out.write(new byte[f < 5 ? 16 * B : B]);
      } catch (IOException e) {
        // the NameNode chose an SSD that had become full since its last heartbeat
      }
    }
  }

  /** Free bytes of each SSD. */
  private long[] freeOnSsds() throws IOException {
    cluster.mini().triggerHeartbeats();
    return Stream.of(fs().getClient().getDatanodeStorageReport(DatanodeReportType.LIVE))
        .flatMap(node -> Stream.of(node.getStorageReports()))
        .filter(volume -> volume.getStorage().getStorageType() == StorageType.SSD)
        .mapToLong(StorageReport::getRemaining)
        .toArray();
  }

  /** The blocks with a replica on DISK. */
  private Set<Long> blocksOnDisk() throws IOException {
    Set<Long> blocks = new HashSet<>();
    try (HdfsConnection connection = cluster.connect()) {
      HdfsNamespace namespace = new HdfsNamespace(connection);
      for (String file : written.keySet()) {
        for (BlockView block : MoverCluster.file(namespace, file).blocks()) {
          if (block.replicas().stream().anyMatch(r -> r.type().equals("DISK"))) {
            blocks.add(block.blockId());
          }
        }
      }
    }
    return blocks;
  }

  @Test
  void nameNodeRestarts_goesOnWhenItIsBack() throws Exception {
    files(8, 3);

    MoveReport report = moveAnd(() -> cluster.mini().restartNameNode(true));

    assertThat(report.files()).doesNotContainKeys(FileOutcome.MISSING, FileOutcome.DELETED);
    assertBytesAndReplicas();
    try (FileMover mover = FileMover.open(cluster.conf())) {
      MoveReport again = mover.move(path("/m")).get(200, TimeUnit.SECONDS);
      assertThat(again.isSatisfied()).as(again.listed().toString()).isTrue();
    }
  }
}
