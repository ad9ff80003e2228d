package io.evenkeel.bench.sim.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.evenkeel.bench.sim.disk.Scene.Readers;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@code evenkeel.volume.fill=even} has to reach in the model, stock beside it. */
class FillBarsTest {
  private static final double FAIR = 1.0 / 8;

  private static Outcome even(Scene scene) {
    Outcome outcome = Simulation.run(scene, Policy.EVEN, 1);
    assertThat(outcome.refusals()).as("writers that gave up").isZero();
    assertThat(outcome.ejections()).isZero();
    return outcome;
  }

  private static Outcome rotation(Scene scene) {
    return Simulation.run(scene, Policy.ROUND_ROBIN, 1);
  }

  private static Outcome space(Scene scene) {
    return Simulation.run(scene, Policy.AVAILABLE_SPACE, 1);
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 4, 6})
  void emptyDiskFewWriters_alwaysHasOneOfThemAndNobodyWaits(int writers) {
    Scene scene = Scenes.oneEmpty(writers);
    Outcome stock = rotation(scene);
    assertThat(stock.shareOf(Scenes.EMPTY)).isEqualTo(FAIR, within(0.01));
    assertThat(even(scene).shareOf(Scenes.EMPTY)).isGreaterThanOrEqualTo(0.9 / writers);
    assertThat(even(scene).throughput()).isGreaterThanOrEqualTo(0.98 * stock.throughput());
    assertThat(space(scene).throughput()).isLessThan(0.95 * stock.throughput());
  }

  /** Clients slower than a disk leave the devices time to write what is in the page cache. */
  @ParameterizedTest
  @CsvSource({"2, 1024", "4, 1024", "6, 1024", "2, 16384", "4, 16384", "6, 16384"})
  void emptyDiskWithPageCacheAndSlack_alwaysHasAWriter(int writers, double cache) {
    Scene scene = Scenes.oneEmptySlowClients(writers, cache);
    assertThat(even(scene).shareOf(Scenes.EMPTY)).isGreaterThanOrEqualTo(0.9 / writers);
    assertThat(even(scene).throughput())
        .isGreaterThanOrEqualTo(0.98 * rotation(scene).throughput());
  }

  /** Here 0.9 / W is more than the empty disk can write while the others are as busy. */
  @ParameterizedTest
  @CsvSource({"2, 1024", "4, 1024", "6, 1024", "1, 4096", "1, 16384", "2, 16384", "4, 16384"})
  void emptyDiskWithPageCacheAllDisksBusy_isNotOverrun(int writers, double cache) {
    Scene scene = Scenes.oneEmptyCached(writers, cache);
    Outcome stock = rotation(scene);
    assertThat(even(scene).throughput()).isGreaterThanOrEqualTo(0.9 * stock.throughput());
    assertThat(even(scene).shareOf(Scenes.EMPTY)).isGreaterThanOrEqualTo(0.99 * FAIR);
  }

  @ParameterizedTest
  @ValueSource(ints = {8, 16, 32, 64})
  void manyWriters_asQuickAsRoundRobin(int writers) {
    for (Scene scene :
        List.of(Scenes.oneEmpty(writers), Scenes.twoSizes(writers), Scenes.healthy(writers))) {
      assertThat(even(scene).throughput())
          .isGreaterThanOrEqualTo(0.98 * rotation(scene).throughput());
    }
  }

  @Test
  void disksOfTwoSizes_fillAlike() {
    Scene scene = Scenes.twoSizes(4);
    assertThat(rotation(scene).spread()).isGreaterThan(0.4);
    assertThat(even(scene).spread()).isLessThanOrEqualTo(0.14);
    assertThat(even(scene).throughput())
        .isGreaterThanOrEqualTo(0.98 * rotation(scene).throughput());
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4, 6, 16})
  void readersFollowTheNewestBlocks_theEmptyDiskIsBoundedAndNothingIsSlower(int writers) {
    for (Readers readers : List.of(Scenes.AT_ONCE, Scenes.IN_BURSTS)) {
      Scene scene = Scenes.oneEmptyRead(writers, readers);
      Outcome outcome = even(scene);
      assertThat(outcome.shareOf(Scenes.EMPTY)).as("ten minutes").isLessThanOrEqualTo(2 * FAIR);
      assertThat(outcome.bothWays()).isGreaterThanOrEqualTo(0.95 * rotation(scene).bothWays());
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {4, 8, 32})
  void slowOrHangingDisk_isSetAsideAsWithoutFilling(int writers) {
    for (double factor : new double[] {Scenes.SLOW, Scenes.HANG}) {
      Scene scene = Scenes.faulty(writers, factor);
      Outcome outcome = Simulation.run(scene, Policy.EVEN, 1);
      double off = Simulation.run(scene, Policy.LATENCY_AWARE, 1).share();
      assertThat(outcome.share()).isGreaterThanOrEqualTo(0.99 * off);
      assertThat(outcome.blocksTo(Scenes.BAD, Scenes.FAULT_FROM, Scenes.FAULT_TO)).isLessThan(16);
      assertThat(outcome.trustedAfter(Scenes.BAD, Scenes.FAULT_TO)).isLessThanOrEqualTo(65);
    }
  }
}
