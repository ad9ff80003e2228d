package io.evenkeel.placement.core.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.placement.core.Tuning;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * How even the placement is, with one seed; stock is its model in the same cluster. {@link
 * UniformitySeedsTest} does the same with others.
 */
@Tag("once")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class UniformityTest {
  private static final int BLOCKS = 112_000;
  private static final int FEWER = 25_000;

  /** What the placement and the load are drawn from. */
  LongStream seeds() {
    return LongStream.of(1);
  }

  private static Fleet paper() {
    return Fleet.regular(16, 2, 20, 4);
  }

  private static Placer ours(Fleet fleet, long seed) {
    return new UniformPlacer(fleet, Tuning.DEFAULT, new SplittableRandom(seed));
  }

  private static Placer stock(Fleet fleet, long seed) {
    return new StockPlacer(fleet, true, new SplittableRandom(seed));
  }

  private static WriteLoad load(Fleet fleet, boolean randomOrder, long seed) {
    return new WriteLoad(fleet, true, randomOrder, new SplittableRandom(~seed));
  }

  private static Outcome run(Fleet fleet, Placer placer, int blocks, long seed) {
    return load(fleet, false, seed).write(placer, blocks, 3).outcome();
  }

  private static void checkRules(Outcome outcome) {
    assertThat(outcome.sharedHost()).isZero();
    assertThat(outcome.oneRack()).isZero();
    assertThat(outcome.missing()).isZero();
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void write_636DataNodes_evenInTotalAndInFlightAndScattered(long seed) {
    Fleet fleet = paper();
    assertThat(fleet.view().nodes()).isEqualTo(636);
    Outcome uniform = run(fleet, ours(fleet, seed), BLOCKS, seed);
    checkRules(uniform);
    assertThat(uniform.maxOverMean()).isBetween(1.0, 1.01);
    assertThat(uniform.inFlightMaxOverMean()).isBetween(1.0, 1.4);
    Fleet other = paper();
    Outcome stock = run(other, stock(other, seed), BLOCKS, seed);
    checkRules(stock);
    assertThat(stock.maxOverMean()).as("as measured on stock").isBetween(1.08, 1.16);
    assertThat(stock.inFlightMaxOverMean()).as("as measured").isBetween(2.7, 3.0);
    assertThat(uniform.scatterWidth()).isGreaterThanOrEqualTo(0.9 * stock.scatterWidth());
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void write_randomOrder_evenInTotalAndInFlight(long seed) {
    Fleet fleet = paper();
    Outcome outcome = load(fleet, true, seed).write(ours(fleet, seed), BLOCKS, 3).outcome();
    checkRules(outcome);
    assertThat(outcome.maxOverMean()).isBetween(1.0, 1.025);
    assertThat(outcome.inFlightMaxOverMean()).isBetween(1.0, 1.5);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void write_126DataNodes_even(long seed) {
    Fleet fleet = Fleet.regular(16, 2, 4, 2);
    assertThat(fleet.view().nodes()).isEqualTo(126);
    Outcome outcome = run(fleet, ours(fleet, seed), BLOCKS, seed);
    checkRules(outcome);
    assertThat(outcome.maxOverMean()).isBetween(1.0, 1.002);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void write_twoAndThreeDisks_evenPerDisk(long seed) {
    Fleet.Builder builder = new Fleet.Builder();
    for (int n = 0; n < 4 * 8 * 4; n++) {
      builder.add("/r" + n / 32, String.format("h%02d", n / 4), 2 + n % 2, 1);
    }
    Fleet fleet = builder.build();
    Outcome outcome = run(fleet, ours(fleet, seed), FEWER, seed);
    checkRules(outcome);
    assertThat(outcome.maxOverMean()).isBetween(1.0, 1.02);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void write_racksOfOneToFourHosts_even(long seed) {
    Fleet.Builder builder = new Fleet.Builder();
    for (int rack = 0; rack < 16; rack++) {
      for (int host = 0; host <= rack % 4; host++) {
        for (int d = 0; d < 4; d++) {
          builder.add(String.format("/r%02d", rack), String.format("h%02d-%d", rack, host));
        }
      }
    }
    Fleet fleet = builder.build();
    assertThat(fleet.view().nodes()).isEqualTo(160);
    Outcome outcome = run(fleet, ours(fleet, seed), BLOCKS, seed);
    checkRules(outcome);
    assertThat(outcome.maxOverMean()).isBetween(1.0, 1.01);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void write_countersLostNineTimes_even(long seed) {
    Fleet fleet = paper();
    WriteLoad load = load(fleet, false, seed);
    for (int start = 0; start < 10; start++) {
      load.write(ours(fleet, 100 * seed + start), FEWER / 10, 3);
    }
    checkRules(load.outcome());
    assertThat(load.outcome().maxOverMean()).isBetween(1.0, 1.05);
  }

  /** Two NameNodes see only their own blocks, in flight or not. */
  @ParameterizedTest
  @MethodSource("seeds")
  void write_twoNameNodes_evenTogether(long seed) {
    Fleet one = paper();
    Fleet two = paper();
    run(one, ours(one, seed), FEWER / 2, seed);
    run(two, ours(two, seed + 50), FEWER / 2, seed + 50);
    long[] blocks = IntStream.range(0, 636).mapToLong(n -> one.blocks(n) + two.blocks(n)).toArray();
    long most = Arrays.stream(blocks).max().orElseThrow();
    long all = Arrays.stream(blocks).sum();
    assertThat(all).isEqualTo(3L * FEWER);
    assertThat(most * 636.0 / all).isBetween(1.0, 1.05);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void write_sixDataNodesJoinHalfWay_areNotFlooded(long seed) {
    Fleet fleet = paper();
    int[] late = IntStream.range(0, 6).map(i -> 50 + 100 * i).toArray();
    IntStream.of(late).forEach(n -> fleet.serve(n, false));
    Placer placer = ours(fleet, seed);
    WriteLoad load = load(fleet, false, seed).write(placer, FEWER / 2, 3);
    assertThat(IntStream.of(late).mapToLong(fleet::blocks).sum()).isZero();
    IntStream.of(late).forEach(n -> fleet.serve(n, true));
    load.write(placer, FEWER / 2, 3);
    checkRules(load.outcome());
    assertThat(load.outcome().inFlightP99()).isBetween(1.0, 2.0);
    double share = 3.0 * FEWER / 2 / 636;
    IntStream.of(late)
        .forEach(n -> assertThat(fleet.blocks(n) / share).as("joined").isBetween(0.9, 1.1));
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void write_tenPercentOut_neverWorseThanStock(long seed) {
    for (int perHost : new int[] {4, 20}) {
      Fleet fleet = outOfService(perHost, seed);
      Outcome uniform = run(fleet, ours(fleet, seed), FEWER, seed);
      checkRules(uniform);
      Fleet other = outOfService(perHost, seed);
      Outcome stock = run(other, stock(other, seed), FEWER, seed);
      assertThat(uniform.maxOverMean()).isLessThanOrEqualTo(stock.maxOverMean());
    }
  }

  private static Fleet outOfService(int perHost, long seed) {
    Fleet fleet = Fleet.regular(16, 2, perHost, 0);
    int nodes = fleet.view().nodes();
    new SplittableRandom(seed)
        .ints(0, nodes)
        .distinct()
        .limit(nodes / 10)
        .forEach(n -> fleet.serve(n, false));
    return fleet;
  }
}
