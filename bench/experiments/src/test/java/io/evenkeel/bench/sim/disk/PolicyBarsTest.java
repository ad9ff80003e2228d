package io.evenkeel.bench.sim.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the latency-aware policy has to reach in the model, with its defaults. */
class PolicyBarsTest {
  private static Outcome ours(Scenario scenario) {
    Outcome outcome = Simulation.run(scenario, Policy.LATENCY_AWARE, 1);
    assertThat(outcome.refusals()).as("writers that gave up").isZero();
    return outcome;
  }

  private static Outcome rotation(Scenario scenario) {
    return Simulation.run(scenario, Policy.ROUND_ROBIN, 1);
  }

  @ParameterizedTest
  @ValueSource(ints = {8, 16, 32, 64})
  void unequalDisks_stockGivesTwoThirdsOfTheIdeal_oursNearlyAll(int writers) {
    assertThat(rotation(Scenarios.unequal(writers)).share()).isBetween(0.66, 0.70);
    assertThat(ours(Scenarios.unequal(writers)).share()).isGreaterThanOrEqualTo(0.98);
  }

  @Test
  void unequalDisks_fourWritersOnEight_notBelowStock() {
    assertThat(ours(Scenarios.unequal(4)).share())
        .isGreaterThanOrEqualTo(rotation(Scenarios.unequal(4)).share());
  }

  @ParameterizedTest
  @ValueSource(ints = {4, 8, 16, 32, 64})
  void tenTimesSlower_costsLittleAndIsFoundAndTakenBack(int writers) {
    Outcome outcome = ours(Scenarios.faulty(writers, Scenarios.SLOW));
    double healthy = ours(Scenarios.healthy(writers)).share();
    assertThat(outcome.share() / healthy).isGreaterThanOrEqualTo(0.97);
    assertThat(outcome.blocksTo(Scenarios.BAD, Scenarios.FAULT_FROM, Scenarios.FAULT_TO))
        .isBetween(1L, 15L);
    assertThat(outcome.distrustedAfter(Scenarios.BAD, Scenarios.FAULT_FROM)).isLessThanOrEqualTo(5);
    assertThat(outcome.trustedAfter(Scenarios.BAD, Scenarios.FAULT_TO)).isLessThanOrEqualTo(65);
  }

  @Test
  void tenTimesSlower_thirtyTwoWriters_theTailIsShort() {
    Scenario scenario = Scenarios.faulty(32, Scenarios.SLOW);
    assertThat(ours(scenario).seconds(0.99)).isLessThanOrEqualTo(5);
    assertThat(rotation(scenario).seconds(0.99)).isGreaterThan(100);
  }

  @Test
  void tenTimesSlower_faultEndsAtAnyMoment_isTakenBackInTime() {
    for (int end = 100; end <= 200; end += 5) {
      Scenario scenario =
          Scenarios.healthy(16).with(Fault.disk(Scenarios.BAD, Scenarios.SLOW, 60, end));
      assertThat(ours(scenario).trustedAfter(Scenarios.BAD, end))
          .as("%s s", end)
          .isBetween(0.0, 65.0);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {8, 16, 32, 64})
  void hang_costsNoMoreThanTheDisk(int writers) {
    Scenario scenario = Scenarios.faulty(writers, Scenarios.HANG);
    Outcome outcome = ours(scenario);
    assertThat(outcome.share() / ours(Scenarios.healthy(writers)).share())
        .isGreaterThanOrEqualTo(0.97);
    assertThat(outcome.blocksTo(Scenarios.BAD, Scenarios.FAULT_FROM + 5, Scenarios.FAULT_TO))
        .isZero();
    assertThat(outcome.trustedAfter(Scenarios.BAD, Scenarios.FAULT_TO)).isLessThanOrEqualTo(5);
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 4, 8, 16, 32, 64})
  void oneEmptyDisk_isNotOverrun(int writers) {
    Scenario scenario = Scenarios.oneEmpty(writers);
    double share = ours(scenario).share();
    assertThat(share).isGreaterThanOrEqualTo(0.99 * rotation(scenario).share());
    assertThat(share)
        .isGreaterThanOrEqualTo(Simulation.run(scenario, Policy.AVAILABLE_SPACE, 1).share());
  }

  @ParameterizedTest
  @ValueSource(ints = {8, 16, 32, 64})
  void healthyEqualDisks_asGoodAsRoundRobin(int writers) {
    Scenario scenario = Scenarios.healthy(writers);
    double stock = rotation(scenario).share();
    assertThat(ours(scenario).share()).isEqualTo(stock, within(0.01 * stock));
    assertThat(Simulation.run(scenario, Policy.PER_TYPE, 1).share()).isEqualTo(stock, within(1e-9));
  }

  @Test
  void noisyHour_nothingIsEjected() {
    assertThat(ours(Scenarios.noisy(3600)).ejections()).isZero();
  }

  @ParameterizedTest
  @ValueSource(ints = {4, 8, 16, 32})
  void streamsBesideSmallWrites_nothingIsEjectedAndASlowDiskIsFound(int writers) {
    Scenario scenario = Scenarios.mixed(writers);
    assertThat(ours(scenario).ejections()).isZero();
    assertThat(ours(scenario).share()).isGreaterThanOrEqualTo(0.98 * rotation(scenario).share());
    Scenario slow = scenario.with(Fault.disk(Scenarios.BAD, Scenarios.SLOW, 60, 180));
    assertThat(ours(slow).blocksTo(Scenarios.BAD, 65, 180))
        .isLessThan(rotation(slow).blocksTo(Scenarios.BAD, 65, 180));
  }

  @Test
  void pipeline_waitingForOthers_isNoReasonToEject() {
    assertThat(ours(Scenarios.pipeline(Scenarios.healthy(32))).ejections()).isZero();
    assertThat(ours(Scenarios.pipeline(Scenarios.unequal(32))).ejections()).isZero();
  }
}
