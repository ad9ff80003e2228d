package io.evenkeel.bench.sim.disk;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What stock's exclusion of slow disks does in the model, as its own code decides. */
class SlowDiskExclusionTest {
  private static final Chooser.Factory EXCLUDING =
      (node, disks, clock, seed) -> new SlowDiskExclusion(node, disks);

  @BeforeEach
  void requireIt() {
    Assumptions.assumeTrue(SlowDiskExclusion.exists(), "this Hadoop cannot exclude slow disks");
  }

  private static Outcome excluding(Scenario scenario) {
    return Simulation.run(scenario, EXCLUDING, 1);
  }

  private static Outcome rotation(Scenario scenario) {
    return Simulation.run(scenario, Policy.ROUND_ROBIN, 1);
  }

  @ParameterizedTest
  @ValueSource(ints = {8, 32})
  void tenTimesSlower_isExcludedWhileItIs(int writers) {
    Scenario scenario = Scenarios.faulty(writers, Scenarios.SLOW);
    Outcome outcome = excluding(scenario);
    assertThat(outcome.blocksTo(Scenarios.BAD, 0, Scenarios.FAULT_FROM)).isPositive();
    assertThat(outcome.blocksTo(Scenarios.BAD, Scenarios.FAULT_FROM + 15, Scenarios.FAULT_TO))
        .isZero();
    assertThat(outcome.share()).isGreaterThan(rotation(scenario).share());
  }

  @Test
  void tenTimesSlower_noWriteIsLeftWhenItEnds_neverComesBack() {
    assertThat(
            excluding(Scenarios.faulty(8, Scenarios.SLOW))
                .blocksTo(Scenarios.BAD, Scenarios.FAULT_TO, Scenarios.SECONDS))
        .isZero();
  }

  @Test
  void twiceAsSlow_isNoOutlier() {
    assertThat(excluding(Scenarios.unequal(32)).share())
        .isEqualTo(rotation(Scenarios.unequal(32)).share());
  }

  @Test
  void take_writesUnderWay_countOnceOneIsComplete() {
    Packets packets = new Packets();
    packets.add(2, 1, 0);
    assertThat(packets.take()).isNaN();
    packets.add(2, 1, 1);
    assertThat(packets.take()).isEqualTo(1000 * 4 / 16.0);
    assertThat(packets.take()).isNaN();
  }
}
