package io.evenkeel.bench.sim.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.evenkeel.bench.sim.disk.Scenario.Readers;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@code evenkeel.volume.fill=even} has to reach in the model, stock beside it. */
class FillBarsTest {
  private static final double FAIR = 1.0 / 8;

  private static Outcome even(Scenario scenario) {
    Outcome outcome = Simulation.run(scenario, Policy.EVEN, 1);
    assertThat(outcome.refusals()).as("writers that gave up").isZero();
    assertThat(outcome.ejections()).isZero();
    return outcome;
  }

  private static Outcome rotation(Scenario scenario) {
    return Simulation.run(scenario, Policy.ROUND_ROBIN, 1);
  }

  private static Outcome space(Scenario scenario) {
    return Simulation.run(scenario, Policy.AVAILABLE_SPACE, 1);
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 4, 6})
  void emptyDiskFewWriters_alwaysHasOneOfThemAndNobodyWaits(int writers) {
    Scenario scenario = Scenarios.oneEmpty(writers);
    Outcome stock = rotation(scenario);
    assertThat(stock.shareOf(Scenarios.EMPTY)).isEqualTo(FAIR, within(0.01));
    assertThat(even(scenario).shareOf(Scenarios.EMPTY)).isGreaterThanOrEqualTo(0.9 / writers);
    assertThat(even(scenario).throughput()).isGreaterThanOrEqualTo(0.98 * stock.throughput());
    assertThat(space(scenario).throughput()).isLessThan(0.95 * stock.throughput());
  }

  /** Clients slower than a disk leave the devices time to write what is in the page cache. */
  @ParameterizedTest
  @CsvSource({"2, 1024", "4, 1024", "6, 1024", "2, 16384", "4, 16384", "6, 16384"})
  void emptyDiskWithPageCacheAndSlack_alwaysHasAWriter(int writers, double cache) {
    Scenario scenario = Scenarios.oneEmptySlowClients(writers, cache);
    assertThat(even(scenario).shareOf(Scenarios.EMPTY)).isGreaterThanOrEqualTo(0.9 / writers);
    assertThat(even(scenario).throughput())
        .isGreaterThanOrEqualTo(0.98 * rotation(scenario).throughput());
  }

  /** Here 0.9 / W is more than the empty disk can write while the others are as busy. */
  @ParameterizedTest
  @CsvSource({"2, 1024", "4, 1024", "6, 1024", "1, 4096", "1, 16384", "2, 16384", "4, 16384"})
  void emptyDiskWithPageCacheAllDisksBusy_isNotOverrun(int writers, double cache) {
    Scenario scenario = Scenarios.oneEmptyCached(writers, cache);
    Outcome stock = rotation(scenario);
    assertThat(even(scenario).throughput()).isGreaterThanOrEqualTo(0.9 * stock.throughput());
    assertThat(even(scenario).shareOf(Scenarios.EMPTY)).isGreaterThanOrEqualTo(0.99 * FAIR);
  }

  @ParameterizedTest
  @ValueSource(ints = {8, 16, 32, 64})
  void manyWriters_asQuickAsRoundRobin(int writers) {
    for (Scenario scenario :
        List.of(
            Scenarios.oneEmpty(writers), Scenarios.twoSizes(writers), Scenarios.healthy(writers))) {
      assertThat(even(scenario).throughput())
          .isGreaterThanOrEqualTo(0.98 * rotation(scenario).throughput());
    }
  }

  @Test
  void disksOfTwoSizes_fillAlike() {
    Scenario scenario = Scenarios.twoSizes(4);
    assertThat(rotation(scenario).spread()).isGreaterThan(0.4);
    assertThat(even(scenario).spread()).isLessThanOrEqualTo(0.14);
    assertThat(even(scenario).throughput())
        .isGreaterThanOrEqualTo(0.98 * rotation(scenario).throughput());
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4, 6, 16})
  void readersFollowTheNewestBlocks_theEmptyDiskIsBoundedAndNothingIsSlower(int writers) {
    for (Readers readers : List.of(Scenarios.AT_ONCE, Scenarios.IN_BURSTS)) {
      Scenario scenario = Scenarios.oneEmptyRead(writers, readers);
      Outcome outcome = even(scenario);
      assertThat(outcome.shareOf(Scenarios.EMPTY)).as("ten minutes").isLessThanOrEqualTo(2 * FAIR);
      assertThat(outcome.bothWays()).isGreaterThanOrEqualTo(0.95 * rotation(scenario).bothWays());
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {4, 8, 32})
  void slowOrHangingDisk_isSetAsideAsWithoutFilling(int writers) {
    for (double factor : new double[] {Scenarios.SLOW, Scenarios.HANG}) {
      Scenario scenario = Scenarios.faulty(writers, factor);
      Outcome outcome = Simulation.run(scenario, Policy.EVEN, 1);
      double off = Simulation.run(scenario, Policy.LATENCY_AWARE, 1).share();
      assertThat(outcome.share()).isGreaterThanOrEqualTo(0.99 * off);
      assertThat(outcome.blocksTo(Scenarios.BAD, Scenarios.FAULT_FROM, Scenarios.FAULT_TO))
          .isLessThan(16);
      assertThat(outcome.trustedAfter(Scenarios.BAD, Scenarios.FAULT_TO)).isLessThanOrEqualTo(65);
    }
  }
}
