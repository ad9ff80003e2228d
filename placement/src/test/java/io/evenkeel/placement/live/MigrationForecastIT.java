package io.evenkeel.placement.live;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.common.testing.Await;
import io.evenkeel.placement.core.blocks.BlockSample;
import io.evenkeel.placement.core.blocks.Estimate;
import io.evenkeel.placement.core.blocks.FsckReader;
import io.evenkeel.placement.core.blocks.ListedBlock;
import io.evenkeel.placement.core.blocks.Migration;
import io.evenkeel.placement.core.blocks.MigrationForecast;
import io.evenkeel.placement.core.topology.Topology;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockManager;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What is forecast from a listing, against what the NameNode copies when it is switched. */
@Tag("slow")
@Timeout(600)
class MigrationForecastIT {
  private static final Logger LOG = LoggerFactory.getLogger(MigrationForecastIT.class);
  private static final int FILES = 300;
  private static final int DRAWS = 30;

  /** How many standard errors a run may be away: one in 15,000 would be by chance. */
  private static final int ERRORS = 4;

  private static List<ListedBlock> listed(TestCluster cluster) throws Exception {
    List<ListedBlock> blocks = new ArrayList<>();
    FsckReader reader = new FsckReader(blocks::add);
    String text =
        Tools.fsck(cluster.clientConf(), "/", "-files", "-blocks", "-locations", "-racks");
    text.lines().forEach(reader::line);
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

  @Test
  void forecast_defaultPolicyOnNodeGroups_isWhatIsCopied() throws Exception {
    Shape shape = new Shape(2, 2, 3).set("dfs.namenode.safemode.replication.min", 2);
    try (TestCluster cluster = shape.stock()) {
      TestFiles files = new TestFiles(cluster.fs());
      files.write("/three", FILES / 2, Shape.BLOCK / 4);
      // the default policy takes a node group for a rack: some of these are in one rack
      for (int i = 0; i < FILES / 2; i++) {
        DFSTestUtil.createFile(cluster.fs(), new Path("/two" + i), Shape.BLOCK / 4, (short) 2, i);
      }
      Await.until(
          "all replicas",
          Duration.ofSeconds(60),
          () -> cluster.survey().notExact() == 0,
          cluster::survey);
      List<ListedBlock> blocks = listed(cluster);
      assertThat(blocks).hasSize(FILES);
      Migration whole = migration();
      blocks.forEach(whole::accept);
      Estimate forecast = whole.forecast(0).copies();
      Estimate sampled = drawn(blocks).copies();
      assertThat(forecast.isExact()).isTrue();
      assertThat(forecast.value()).isBetween(FILES / 2.0 + 1, FILES - 1.0);
      assertThat(sampled.standardError()).isPositive();
      assertThat(cluster.copies()).isZero();

      cluster.restart(Shape.ourKeys(true));
      Tools.fsck(cluster.clientConf(), "/", "-replicate");
      Await.until(
          "hosts are apart",
          Duration.ofSeconds(180),
          () -> cluster.survey().good(),
          cluster::survey);
      Await.until(
          "the queue is empty",
          Duration.ofSeconds(60),
          () -> queued(cluster) == 0,
          () -> queued(cluster));
      long copies = Settled.value("copies", 5, cluster::copies);
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
      files.check();
    }
  }

  private static long queued(TestCluster cluster) {
    BlockManager manager = cluster.mini().getNamesystem(0).getBlockManager();
    return manager.getLowRedundancyBlocksCount()
        + manager.getPendingReconstructionBlocksCount()
        + manager.getPostponedMisreplicatedBlocksCount()
        + manager.getPendingDeletionBlocksCount();
  }
}
