package io.evenkeel.placement.core.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The three policies against what was measured with the classes of Hadoop itself. */
@Tag("once")
class SimulationTest {
  private static Simulation simulation(int racks, int perRack, int perHost, int missing) {
    return new Simulation(() -> Fleet.regular(racks, perRack, perHost, missing)).seed(9608);
  }

  /** 126 DataNodes, 112,000 blocks: real classes gave 1.032..1.054 and 2.47..2.48 in flight. */
  @ParameterizedTest
  @EnumSource(
      value = Policy.class,
      names = {"STOCK_DEFAULT", "STOCK_NODEGROUP"})
  void stock_on126DataNodes_isAsUnevenAsTheRealClasses(Policy policy) {
    Outcome outcome = simulation(16, 2, 4, 2).write(112_000, 3).run(policy);
    assertThat(outcome.maxOverMean()).isBetween(1.025, 1.065);
    assertThat(outcome.inFlightMaxOverMean()).isBetween(2.4, 2.55);
    assertThat(outcome.inFlightP99()).isBetween(3.0, 3.7);
    assertThat(outcome.oneRack()).isZero();
    assertThat(outcome.missing()).isZero();
  }

  /** 636 DataNodes: real classes gave 1.096..1.140 and 2.87..2.88. */
  @ParameterizedTest
  @EnumSource(
      value = Policy.class,
      names = {"STOCK_DEFAULT", "STOCK_NODEGROUP"})
  void stock_on636DataNodes_isAsUnevenAsTheRealClasses(Policy policy) {
    Outcome outcome = simulation(16, 2, 20, 4).write(112_000, 3).run(policy);
    assertThat(outcome.maxOverMean()).isBetween(1.085, 1.15);
    assertThat(outcome.inFlightMaxOverMean()).isBetween(2.8, 2.95);
    assertThat(outcome.scatterWidth()).isBetween(420.0, 460.0);
  }

  /** Default knows no hosts: 43 % of the blocks with 4 DataNodes per host, 48..49 % with 20. */
  @ParameterizedTest
  @CsvSource({"4, 2, 0.42, 0.436", "20, 4, 0.475, 0.495"})
  void stockDefault_putsReplicasOnOneHost(int perHost, int missing, double least, double most) {
    Outcome outcome =
        simulation(16, 2, perHost, missing).write(112_000, 3).run(Policy.STOCK_DEFAULT);
    assertThat(outcome.sharedHost() / 112_000.0).isBetween(least, most);
  }

  @Test
  void stockNodeGroup_withFewerHostsThanReplicas_staysShort() {
    Outcome outcome = simulation(2, 1, 3, 0).write(500, 3).run(Policy.STOCK_NODEGROUP);
    assertThat(outcome.missing()).isEqualTo(500);
    assertThat(outcome.sharedHost()).isZero();
  }

  @ParameterizedTest
  @CsvSource({"4, 2, 1.002", "20, 4, 1.01"})
  void uniform_onPaperClusters_isEven(int perHost, int missing, double most) {
    Outcome outcome = simulation(16, 2, perHost, missing).write(112_000, 3).run(Policy.UNIFORM);
    assertThat(outcome.maxOverMean()).isBetween(1.0, most);
    assertThat(outcome.inFlightMaxOverMean()).isBetween(1.0, 1.4);
    assertThat(outcome.sharedHost()).isZero();
    assertThat(outcome.oneRack()).isZero();
    assertThat(outcome.missing()).isZero();
  }

  @Test
  void uniform_blocksCompletingAtRandom_staysEven() {
    Outcome outcome =
        simulation(16, 2, 20, 4).write(112_000, 3).randomOrder(true).run(Policy.UNIFORM);
    assertThat(outcome.maxOverMean()).isBetween(1.0, 1.03);
    assertThat(outcome.inFlightMaxOverMean()).isBetween(1.0, 1.6);
  }

  @Test
  void run_sameSeed_sameOutcome_anotherSeedAnother() {
    Simulation simulation = simulation(4, 2, 3, 0).write(5_000, 3).localWriters(false);
    long[] first = simulation.run(Policy.STOCK_NODEGROUP).blocksPerNode();
    assertThat(simulation.run(Policy.STOCK_NODEGROUP).blocksPerNode()).isEqualTo(first);
    assertThat(simulation.seed(1).run(Policy.STOCK_NODEGROUP).blocksPerNode()).isNotEqualTo(first);
  }

  @Test
  void run_localWriters_writeTheirShareThemselves() {
    long[] local = simulation(4, 2, 3, 0).write(24, 1).run(Policy.STOCK_NODEGROUP).blocksPerNode();
    assertThat(local).containsOnly(1);
    long[] outside =
        simulation(4, 2, 3, 0)
            .write(2_400, 1)
            .localWriters(false)
            .run(Policy.STOCK_NODEGROUP)
            .blocksPerNode();
    assertThat(Arrays.stream(outside).max().getAsLong()).isGreaterThan(100);
  }

  @Test
  void run_fewerBlocksThanWriters_hasNoFigureInFlight() {
    Outcome outcome = simulation(4, 2, 3, 0).write(3, 3).run(Policy.UNIFORM);
    assertThat(outcome.inFlightMaxOverMean()).isNaN();
    assertThat(outcome.inFlightP99()).isNaN();
  }

  @Test
  void histogram_countsEveryDataNodeOnce() {
    Outcome stock = simulation(16, 2, 20, 4).write(112_000, 3).run(Policy.STOCK_NODEGROUP);
    Outcome uniform = simulation(16, 2, 20, 4).write(112_000, 3).run(Policy.UNIFORM);
    Histogram histogram = new Histogram(List.of(stock.blocksPerNode(), uniform.blocksPerNode()));
    assertThat(histogram.bins()).isBetween(8, 24);
    for (int outcome = 0; outcome < 2; outcome++) {
      long all = 0;
      for (int bin = 0; bin < histogram.bins(); bin++) {
        all += histogram.count(outcome, bin);
      }
      assertThat(all).isEqualTo(636);
    }
    assertThat(histogram.to(0) + 1).isEqualTo(histogram.from(1));
  }

  @ParameterizedTest
  @CsvSource({"0, 0, 1", "5, 5, 1", "0, 21, 22", "1, 22, 22", "100, 10000, 21"})
  void histogram_ofTwoValues_hasTheirBins(long least, long most, int bins) {
    Histogram histogram = new Histogram(List.of(new long[] {least, most}));
    assertThat(histogram.bins()).isEqualTo(bins);
    assertThat(histogram.from(0)).isLessThanOrEqualTo(least);
    assertThat(histogram.to(bins - 1)).isGreaterThanOrEqualTo(most);
  }

  @Test
  @Tag("slow")
  void uniform_hundredThousandDataNodes_threeMillionBlocks_inLittleMemory() {
    Outcome outcome = simulation(1000, 5, 20, 0).write(3_000_000, 3).run(Policy.UNIFORM);
    assertThat(outcome.maxOverMean()).isBetween(1.0, 1.03);
    assertThat(outcome.sharedHost() + outcome.oneRack() + outcome.missing()).isZero();
  }
}
