package io.evenkeel.bench.gameday.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.bench.gameday.history.Finding;
import io.evenkeel.bench.gameday.history.Finding.Kind;
import io.evenkeel.bench.gameday.history.History;
import io.evenkeel.bench.gameday.history.Timeline;
import io.evenkeel.bench.gameday.schedule.Mix;
import io.evenkeel.common.testing.Await;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;
import org.apache.hadoop.hdfs.server.datanode.BlockMetadataHeader;
import org.apache.hadoop.hdfs.server.datanode.DatanodeUtil;
import org.apache.hadoop.util.DataChecksum;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The load on stock HDFS: nothing is found unless a lie is planted. */
@Tag("once")
@Timeout(400)
class LoadIT {
  private static final int DATA_NODES = 5;
  private static final String ROOT = "/load";
  private static final Duration LIMIT = Duration.ofMinutes(3);
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  @TempDir private Path dir;

  private final ExecutorService actions = Executors.newSingleThreadExecutor();
  private final Timeline timeline = new Timeline(System::nanoTime, actions);
  private final History history = new History(timeline);
  private final Queue<Boolean> restarted = new ConcurrentLinkedQueue<>();
  private MiniDFSCluster cluster;
  private DistributedFileSystem fs;

  @BeforeEach
  void start() throws Exception {
    Configuration conf = new HdfsConfiguration();
    conf.set(MiniDFSCluster.HDFS_MINIDFS_BASEDIR, dir.toString());
    conf.setInt("dfs.namenode.fs-limits.min-block-size", 1024);
    conf.setInt("dfs.client.block.write.locateFollowingBlock.initial.delay.ms", 20);
    cluster =
        new MiniDFSCluster.Builder(conf)
            .numDataNodes(DATA_NODES)
            .storagesPerDatanode(3)
            .storageTypes(
                new StorageType[] {StorageType.DISK, StorageType.SSD, StorageType.ARCHIVE})
            .build();
    cluster.waitActive();
    fs = cluster.getFileSystem();
  }

  @AfterEach
  void stop() throws Exception {
    fs.close();
    cluster.shutdown();
    actions.shutdown();
  }

  private Load load(long acknowledgements) {
    LoadPlan plan =
        new LoadPlan(ROOT, 5, acknowledgements, Mix.DEFAULT, "XOR-2-1-1024k", Duration.ofMillis(1));
    return new Load(fs, plan, history, timeline);
  }

  private void restartNameNode() {
    try {
      cluster.restartNameNode();
      restarted.add(true);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private void restart(int dataNode) {
    try {
      restarted.add(cluster.restartDataNode(dataNode, true));
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private Verification verified() throws Exception {
    Verification verification = new Verification(fs, history, ROOT, PATIENCE);
    verification.run();
    return verification;
  }

  @Test
  void load_whileDataNodesRestart_leavesNoFinding() throws Exception {
    runWithRestarts(5000, List.of(() -> restart(0), () -> restart(1)));
    assertThat(history.present()).hasSizeGreaterThan(20);
  }

  /** Long enough for operations in doubt of every kind. */
  @Test
  @Tag("slow")
  void load_whileNameNodeAndDataNodesRestart_leavesNoFinding() throws Exception {
    List<Runnable> restarts = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      int dataNode = i % DATA_NODES;
      restarts.add(i % 3 == 0 ? this::restartNameNode : () -> restart(dataNode));
    }
    runWithRestarts(15_000, restarts);
    assertThat(timeline.refusals()).isNotEmpty();
  }

  private void runWithRestarts(int acknowledgements, List<Runnable> restarts) throws Exception {
    Load load = load(acknowledgements);
    for (int i = 0; i < restarts.size(); i++) {
      timeline.when((i + 1L) * acknowledgements / (restarts.size() + 1), restarts.get(i));
    }
    load.start();
    assertThat(load.awaitAcknowledgements(LIMIT)).isTrue();
    Await.until(
        "all are restarted", LIMIT, () -> restarted.size() == restarts.size(), () -> restarted);
    cluster.waitActive();
    assertThat(load.finish(LIMIT)).isEmpty();
    assertThat(history.doubtful()).isEmpty();
    Verification verification = verified();
    assertThat(history.findings()).isEmpty();
    assertThat(history.present()).hasSize((int) verification.files());
    assertThat(verification.replicas()).isGreaterThan(verification.files());
  }

  @Test
  void liesPlanted_areFound() throws Exception {
    Load load = load(600);
    load.start();
    assertThat(load.awaitAcknowledgements(LIMIT)).isTrue();
    assertThat(load.finish(LIMIT)).isEmpty();
    List<String> files =
        history.present().stream()
            .filter(path -> path.startsWith(ROOT + "/HOT/") || path.startsWith(ROOT + "/log-"))
            .filter(path -> history.acknowledged(path) > 0)
            .toList();
    fs.delete(path(files.get(0)), false);
    fs.truncate(path(files.get(1)), history.acknowledged(files.get(1)) - 1);
    overwrite(files.get(2));
    fs.create(path(ROOT + "/nobody")).close();
    LocatedBlock block = fs.getClient().getLocatedBlocks(files.get(3), 0).get(0);
    int corrupt = 0;
    while (cluster.getBlockFile(corrupt, block.getBlock()) == null) {
      corrupt++;
    }
    cluster.getMaterializedReplica(corrupt, block.getBlock()).corruptData();
    String encoded =
        history.present().stream()
            .filter(path -> path.contains("XOR") && !path.contains(".snapshot"))
            .filter(path -> history.acknowledged(path) > 0)
            .findFirst()
            .orElseThrow();
    changeParity(encoded);
    verified();
    assertThat(found(Kind.LOST_FILE)).containsExactly(files.get(0));
    assertThat(found(Kind.LOST_BYTES)).containsExactly(files.get(1));
    assertThat(found(Kind.WRONG_BYTE)) // that and each of its replicas
        .containsExactly(files.get(2), files.get(2), files.get(2), files.get(2), encoded);
    assertThat(history.findings().stream().map(Finding::reason))
        .contains("parity block 2, from offset 0 on, has other bytes");
    assertThat(found(Kind.UNEXPECTED_FILE)).containsExactly(ROOT + "/nobody");
    assertThat(found(Kind.UNREADABLE)).containsExactly(files.get(3));
    int port = cluster.getDataNodes().get(corrupt).getXferPort();
    assertThat(history.findings())
        .filteredOn(finding -> finding.kind() == Kind.UNREADABLE)
        .singleElement()
        .extracting(Finding::place)
        .asString()
        .startsWith(block.getBlock().toString())
        .endsWith(":" + port);
  }

  /** Gives a parity block another first byte, with the checksum of that. */
  private void changeParity(String file) throws IOException {
    LocatedStripedBlock group =
        (LocatedStripedBlock) fs.getClient().getLocatedBlocks(file, 0).get(0);
    ExtendedBlock parity = new ExtendedBlock(group.getBlock());
    parity.setBlockId(parity.getBlockId() + 2);
    int dataNode = 0;
    while (cluster.getBlockFile(dataNode, parity) == null) {
      dataNode++;
    }
    File data = cluster.getBlockFile(dataNode, parity);
    byte[] bytes = Files.readAllBytes(data.toPath());
    bytes[0] ^= 1;
    Files.write(data.toPath(), bytes);
    File meta =
        new File(
            data.getParentFile(),
            DatanodeUtil.getMetaName(data.getName(), parity.getGenerationStamp()));
    byte[] metaBytes = Files.readAllBytes(meta.toPath());
    DataChecksum checksum =
        BlockMetadataHeader.readHeader(new DataInputStream(new ByteArrayInputStream(metaBytes)))
            .getChecksum();
    ByteBuffer sums = ByteBuffer.wrap(metaBytes);
    sums.position(BlockMetadataHeader.getHeaderSize());
    checksum.calculateChunkedSums(ByteBuffer.wrap(bytes), sums);
    Files.write(meta.toPath(), sums.array());
  }

  private List<String> found(Kind kind) {
    return history.findings().stream()
        .filter(finding -> finding.kind() == kind)
        .map(Finding::path)
        .toList();
  }

  /** The same length with other bytes. */
  private void overwrite(String file) throws Exception {
    byte[] bytes = new byte[(int) history.acknowledged(file)];
    history.content(file).fill(0, bytes, 0, bytes.length);
    bytes[bytes.length - 1]++;
    try (FSDataOutputStream out = fs.create(path(file), true)) {
      out.write(bytes);
    }
  }

  private static org.apache.hadoop.fs.Path path(String file) {
    return new org.apache.hadoop.fs.Path(file);
  }
}
