package io.evenkeel.bench.sim.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the latency-aware policy has to reach in the model, with its defaults. */
class PolicyBarsTest {
  private static Outcome ours(Scene scene) {
    Outcome outcome = Simulation.run(scene, Policy.LATENCY_AWARE, 1);
    assertThat(outcome.refusals()).as("writers that gave up").isZero();
    return outcome;
  }

  private static Outcome rotation(Scene scene) {
    return Simulation.run(scene, Policy.ROUND_ROBIN, 1);
  }

  @ParameterizedTest
  @ValueSource(ints = {8, 16, 32, 64})
  void unequalDisks_stockGivesTwoThirdsOfTheIdeal_oursNearlyAll(int writers) {
    assertThat(rotation(Scenes.unequal(writers)).share()).isBetween(0.66, 0.70);
    assertThat(ours(Scenes.unequal(writers)).share()).isGreaterThanOrEqualTo(0.98);
  }

  @Test
  void unequalDisks_fourWritersOnEight_notBelowStock() {
    assertThat(ours(Scenes.unequal(4)).share())
        .isGreaterThanOrEqualTo(rotation(Scenes.unequal(4)).share());
  }

  @ParameterizedTest
  @ValueSource(ints = {4, 8, 16, 32, 64})
  void tenTimesSlower_costsLittleAndIsFoundAndTakenBack(int writers) {
    Outcome outcome = ours(Scenes.faulty(writers, Scenes.SLOW));
    double healthy = ours(Scenes.healthy(writers)).share();
    assertThat(outcome.share() / healthy).isGreaterThanOrEqualTo(0.97);
    assertThat(outcome.blocksTo(Scenes.BAD, Scenes.FAULT_FROM, Scenes.FAULT_TO)).isBetween(1L, 15L);
    assertThat(outcome.distrustedAfter(Scenes.BAD, Scenes.FAULT_FROM)).isLessThanOrEqualTo(5);
    assertThat(outcome.trustedAfter(Scenes.BAD, Scenes.FAULT_TO)).isLessThanOrEqualTo(65);
  }

  @Test
  void tenTimesSlower_thirtyTwoWriters_theTailIsShort() {
    Scene scene = Scenes.faulty(32, Scenes.SLOW);
    assertThat(ours(scene).seconds(0.99)).isLessThanOrEqualTo(5);
    assertThat(rotation(scene).seconds(0.99)).isGreaterThan(100);
  }

  @Test
  void tenTimesSlower_faultEndsAtAnyMoment_isTakenBackInTime() {
    for (int end = 100; end <= 200; end += 5) {
      Scene scene = Scenes.healthy(16).with(Fault.disk(Scenes.BAD, Scenes.SLOW, 60, end));
      assertThat(ours(scene).trustedAfter(Scenes.BAD, end)).as("%s s", end).isBetween(0.0, 65.0);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {8, 16, 32, 64})
  void hang_costsNoMoreThanTheDisk(int writers) {
    Scene scene = Scenes.faulty(writers, Scenes.HANG);
    Outcome outcome = ours(scene);
    assertThat(outcome.share() / ours(Scenes.healthy(writers)).share())
        .isGreaterThanOrEqualTo(0.97);
    assertThat(outcome.blocksTo(Scenes.BAD, Scenes.FAULT_FROM + 5, Scenes.FAULT_TO)).isZero();
    assertThat(outcome.trustedAfter(Scenes.BAD, Scenes.FAULT_TO)).isLessThanOrEqualTo(5);
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 4, 8, 16, 32, 64})
  void oneEmptyDisk_isNotOverrun(int writers) {
    Scene scene = Scenes.oneEmpty(writers);
    double share = ours(scene).share();
    assertThat(share).isGreaterThanOrEqualTo(0.99 * rotation(scene).share());
    assertThat(share)
        .isGreaterThanOrEqualTo(Simulation.run(scene, Policy.AVAILABLE_SPACE, 1).share());
  }

  @ParameterizedTest
  @ValueSource(ints = {8, 16, 32, 64})
  void healthyEqualDisks_asGoodAsRoundRobin(int writers) {
    Scene scene = Scenes.healthy(writers);
    double stock = rotation(scene).share();
    assertThat(ours(scene).share()).isEqualTo(stock, within(0.01 * stock));
    assertThat(Simulation.run(scene, Policy.PER_TYPE, 1).share()).isEqualTo(stock, within(1e-9));
  }

  @Test
  void noisyHour_nothingIsEjected() {
    assertThat(ours(Scenes.noisy(3600)).ejections()).isZero();
  }

  @ParameterizedTest
  @ValueSource(ints = {4, 8, 16, 32})
  void streamsBesideSmallWrites_nothingIsEjectedAndASlowDiskIsFound(int writers) {
    Scene scene = Scenes.mixed(writers);
    assertThat(ours(scene).ejections()).isZero();
    assertThat(ours(scene).share()).isGreaterThanOrEqualTo(0.98 * rotation(scene).share());
    Scene slow = scene.with(Fault.disk(Scenes.BAD, Scenes.SLOW, 60, 180));
    assertThat(ours(slow).blocksTo(Scenes.BAD, 65, 180))
        .isLessThan(rotation(slow).blocksTo(Scenes.BAD, 65, 180));
  }

  @Test
  void pipeline_waitingForOthers_isNoReasonToEject() {
    assertThat(ours(Scenes.pipeline(Scenes.healthy(32))).ejections()).isZero();
    assertThat(ours(Scenes.pipeline(Scenes.unequal(32))).ejections()).isZero();
  }
}
