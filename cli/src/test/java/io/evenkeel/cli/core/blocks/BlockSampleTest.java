package io.evenkeel.cli.core.blocks;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.cli.core.topology.Topology;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("once")
class BlockSampleTest {
  private static final String GOOD = "/r1/n1/a:1, /r1/n2/b:1, /r2/n3/c:1";
  private static final String BAD = "/r1/n1/a:1, /r1/n1/d:1, /r2/n3/c:1";

  private final Migration migration =
      new Migration(new Topology(List.of(), Topology.Layers.NODEGROUP));
  private final FsckReader reader = new FsckReader(migration::accept);

  private BlockSample.Part part(long files, int good, int bad) {
    BlockSample.Part part = migration.part(files);
    reader.line("/f 9 bytes, replicated: replication=3, 1 block(s): OK");
    for (int i = 0; i < good + bad; i++) {
      reader.line("0. BP-1-h-1:blk_1_1 len=10 Live_repl=3 [" + (i < good ? GOOD : BAD) + "]");
    }
    return part;
  }

  @Test
  void forecast_drawsOfOneKind_haveNoError() {
    BlockSample sample = new BlockSample();
    sample.add(part(10, 6, 4));
    sample.add(part(20, 12, 8));
    MigrationForecast forecast = migration.forecast(1000, sample);
    assertThat(forecast.draws()).isEqualTo(2);
    assertThat(forecast.copies().value()).isEqualTo(400);
    assertThat(forecast.copies().standardError()).isLessThan(1e-6);
    assertThat(forecast.bytes().value()).isEqualTo(4000);
  }

  /** Two draws of 50 blocks tell as little as two blocks when each is all of one kind. */
  @Test
  void forecast_drawsThatDiffer_haveTheErrorOfDrawsNotOfBlocks() {
    BlockSample sample = new BlockSample();
    for (int i = 0; i < 10; i++) {
      sample.add(part(50, i < 5 ? 50 : 0, i < 5 ? 0 : 50));
    }
    MigrationForecast forecast = migration.forecast(100_000, sample);
    assertThat(forecast.replicatedBlocks().value()).isEqualTo(50_000);
    // sqrt(0.25 / 9) of all, not sqrt(0.25 / 500)
    assertThat(forecast.replicatedBlocks().standardError()).isBetween(16_600.0, 16_700.0);
  }

  /** By files: a path of few files with many blocks counts for what it is. */
  @Test
  void forecast_blocksPerFileDiffer_areWeighedByBlocks() {
    BlockSample sample = new BlockSample();
    sample.add(part(1, 0, 9));
    sample.add(part(9, 9, 0));
    // a file drawn by chance has 9 bad blocks or 1 good one
    assertThat(migration.forecast(1000, sample).copies().value()).isEqualTo(900);
  }

  @Test
  void forecast_noneSeen_isNotCertainlyNone() {
    BlockSample sample = new BlockSample();
    for (int i = 0; i < 100; i++) {
      sample.add(part(5, 5, 0));
    }
    MigrationForecast forecast = migration.forecast(100_000, sample);
    assertThat(forecast.replicatedBlocks().value()).isZero();
    assertThat(forecast.replicatedBlocks().high()).isBetween(3_600.0, 3_700.0);
    assertThat(forecast.bytes().high()).isBetween(36_000.0, 37_000.0);
    assertThat(forecast.isNeeded()).isFalse();
  }

  /** Directories that differ, drawn by their files: the range holds the truth as often as said. */
  @Test
  void forecast_manyRandomDraws_rangeHoldsTheTruth() {
    SplittableRandom random = new SplittableRandom(7);
    int[] files = new int[300];
    int[] bad = new int[300];
    int all = 0;
    int truth = 0;
    for (int i = 0; i < files.length; i++) {
      files[i] = 1 + random.nextInt(40);
      bad[i] = random.nextInt(4) == 0 ? random.nextInt(files[i] + 1) : 0;
      all += files[i];
      truth += bad[i];
    }
    int inside = 0;
    for (int run = 0; run < 300; run++) {
      BlockSampleTest one = new BlockSampleTest();
      BlockSample sample = new BlockSample();
      for (int draw = 0; draw < 60; draw++) {
        int at = random.nextInt(all);
        int i = 0;
        for (; at >= files[i]; i++) {
          at -= files[i];
        }
        sample.add(one.part(files[i], files[i] - bad[i], bad[i]));
      }
      Estimate copies = one.migration.forecast(all, sample).copies();
      inside += copies.low() <= truth && truth <= copies.high() ? 1 : 0;
    }
    assertThat(inside).isBetween(265, 297);
  }
}
