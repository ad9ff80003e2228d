package io.evenkeel.cli.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.cli.core.blocks.BlockSample;
import io.evenkeel.cli.core.blocks.Estimate;
import io.evenkeel.cli.core.blocks.FsckReader;
import io.evenkeel.cli.core.blocks.ListedBlock;
import io.evenkeel.cli.core.blocks.Migration;
import io.evenkeel.cli.core.blocks.MigrationForecast;
import io.evenkeel.cli.core.topology.Topology;
import io.evenkeel.common.testing.Await;
import io.evenkeel.placement.UniformBlockPlacementPolicy;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockManager;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.tools.DFSck;
import org.apache.hadoop.metrics2.AbstractMetric;
import org.apache.hadoop.metrics2.impl.MetricsCollectorImpl;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.net.NetworkTopologyWithNodeGroup;
import org.apache.hadoop.util.ToolRunner;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is forecast from a listing, against what the NameNode copies when it is switched: two racks
 * of two hosts with three DataNodes each.
 */
@Tag("slow")
@Timeout(600)
class MigrationForecastIT {
  private static final Logger LOG = LoggerFactory.getLogger(MigrationForecastIT.class);
  private static final int DATA_NODES = 12;
  private static final int FILES = 300;
  private static final int DRAWS = 30;

  /** How many standard errors a run may be away: one in 15,000 would be by chance. */
  private static final int ERRORS = 4;

  @TempDir private File directory;
  private MiniDFSCluster cluster;
  private DistributedFileSystem fs;

  private Configuration configuration() {
    Configuration conf = new HdfsConfiguration();
    conf.setInt("dfs.blocksize", 64 << 10);
    conf.setInt("dfs.namenode.fs-limits.min-block-size", 1024);
    conf.setInt("dfs.heartbeat.interval", 1);
    conf.setInt("dfs.namenode.redundancy.interval.seconds", 1);
    conf.setInt("dfs.namenode.reconstruction.pending.timeout-sec", 20);
    // a NameNode that starts knows every replica before it judges one
    conf.setInt("dfs.namenode.safemode.min.datanodes", DATA_NODES);
    conf.setInt("dfs.namenode.safemode.replication.min", 2);
    conf.setInt("dfs.namenode.safemode.extension", 0);
    conf.set(MiniDFSCluster.HDFS_MINIDFS_BASEDIR, directory.toString());
    return conf;
  }

  private void start() throws IOException {
    String[] locations = new String[DATA_NODES];
    for (int i = 0; i < DATA_NODES; i++) {
      locations[i] = "/r" + i / 6 + "/n" + i / 3;
    }
    cluster =
        new MiniDFSCluster.Builder(configuration())
            .numDataNodes(DATA_NODES)
            .racks(locations)
            .build();
    cluster.waitActive();
    fs = cluster.getFileSystem();
  }

  private static org.apache.hadoop.fs.Path path(String text) {
    return new org.apache.hadoop.fs.Path(text);
  }

  private void switchPolicy() throws Exception {
    Configuration conf = cluster.getConfiguration(0);
    conf.set("dfs.block.replicator.classname", UniformBlockPlacementPolicy.class.getName());
    conf.set("net.topology.impl", NetworkTopologyWithNodeGroup.class.getName());
    conf.set("dfs.use.dfs.network.topology", "false");
    cluster.restartNameNode(0, true);
  }

  private String fsck(String... arguments) throws Exception {
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    try (PrintStream out = new PrintStream(text, true, StandardCharsets.UTF_8)) {
      ToolRunner.run(new DFSck(new Configuration(cluster.getConfiguration(0)), out), arguments);
    }
    return text.toString(StandardCharsets.UTF_8);
  }

  private List<ListedBlock> listed() throws Exception {
    List<ListedBlock> blocks = new ArrayList<>();
    FsckReader reader = new FsckReader(blocks::add);
    fsck("/", "-files", "-blocks", "-locations", "-racks").lines().forEach(reader::line);
    assertThat(reader.isComplete()).isTrue();
    return blocks;
  }

  private static Migration migration() {
    return new Migration(new Topology(List.of(), Topology.Layers.AUTO));
  }

  private static MigrationForecast drawn(List<ListedBlock> blocks) {
    Migration migration = migration();
    BlockSample sample = new BlockSample();
    List<ListedBlock> mixed = new ArrayList<>(blocks);
    Collections.shuffle(mixed, new Random(9608));
    for (int draw = 0; draw < DRAWS; draw++) {
      sample.add(migration.part(5));
      mixed.subList(5 * draw, 5 * draw + 5).forEach(migration::accept);
    }
    return migration.forecast(blocks.size(), sample);
  }

  /** Files that have not their replicas, or, where asked, two on a host or all in a rack. */
  private long wrong(boolean apart) throws IOException {
    long wrong = 0;
    for (FileStatus file : fs.listStatus(path("/"))) {
      BlockLocation block = fs.getFileBlockLocations(file, 0, 1)[0];
      Set<String> hosts = new HashSet<>();
      Set<String> racks = new HashSet<>();
      for (String location : block.getTopologyPaths()) {
        Path host = Path.of(location).getParent();
        hosts.add(host.toString());
        racks.add(host.getParent().toString());
      }
      int replicas = block.getTopologyPaths().length;
      boolean exact = replicas == file.getReplication();
      wrong += exact && (!apart || hosts.size() == replicas && racks.size() == 2) ? 0 : 1;
    }
    return wrong;
  }

  private long queued() {
    BlockManager manager = cluster.getNamesystem(0).getBlockManager();
    return manager.getLowRedundancyBlocksCount()
        + manager.getPendingReconstructionBlocksCount()
        + manager.getPostponedMisreplicatedBlocksCount()
        + manager.getPendingDeletionBlocksCount();
  }

  /** Replicas that DataNodes copied to others on the NameNode's request, ever. */
  private long copies() {
    long sum = 0;
    for (DataNode node : cluster.getDataNodes()) {
      MetricsCollectorImpl collector = new MetricsCollectorImpl();
      DefaultMetricsSystem.instance()
          .getSource(node.getMetrics().name())
          .getMetrics(collector, true);
      for (AbstractMetric metric : collector.getRecords().get(0).metrics()) {
        sum += metric.name().equals("BlocksReplicated") ? metric.value().longValue() : 0;
      }
    }
    return sum;
  }

  @Test
  void forecast_defaultPolicyOnNodeGroups_isWhatIsCopied() throws Exception {
    try {
      start();
      // the default policy takes a node group for a rack: some of two replicas are in one rack
      for (int i = 0; i < FILES; i++) {
        DFSTestUtil.createFile(fs, path("/f" + i), 16 << 10, (short) (2 + i % 2), i);
      }
      Await.until("all replicas", Duration.ofSeconds(60), () -> wrong(false) == 0, () -> "");
      List<ListedBlock> blocks = listed();
      assertThat(blocks).hasSize(FILES);
      Migration whole = migration();
      blocks.forEach(whole::accept);
      Estimate forecast = whole.forecast(0).copies();
      Estimate sampled = drawn(blocks).copies();
      assertThat(forecast.isExact()).isTrue();
      assertThat(forecast.value()).isBetween(FILES / 2.0 + 1, FILES - 1.0);
      assertThat(sampled.standardError()).isPositive();
      assertThat(copies()).isZero();

      switchPolicy();
      fsck("/", "-replicate");
      Await.until(
          "hosts are apart",
          Duration.ofSeconds(180),
          () -> wrong(true) + queued() == 0,
          () -> wrong(true) + " wrong, " + queued() + " queued");
      long copies = copies();
      Await.pause(5_000);
      assertThat(copies()).as("nothing more is copied").isEqualTo(copies);
      LOG.warn(
          "Of {} blocks: forecast {} copies, by {} draws of half of them {} (standard error {}),"
              + " made {}",
          FILES,
          forecast.value(),
          DRAWS,
          sampled.value(),
          sampled.standardError(),
          copies);
      assertThat(copies).isEqualTo(Math.round(forecast.value()));
      assertThat(Math.abs(copies - sampled.value()))
          .isLessThanOrEqualTo(ERRORS * sampled.standardError());
    } finally {
      if (cluster != null) {
        cluster.shutdown();
      }
    }
  }
}
