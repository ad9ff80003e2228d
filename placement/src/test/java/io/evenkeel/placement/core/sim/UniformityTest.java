package io.evenkeel.placement.core.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.placement.core.sim.Fleet.Node;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * How even the placement is, with one seed. {@link UniformitySeedsTest} does the same with others.
 * What stock's classes do in the same clusters is measured by {@code placement.uniform} and {@code
 * placement.change} of {@code evenkeel bench}.
 */
@Tag("once")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class UniformityTest {
  private static final int BLOCKS = 112_000;
  private static final int FEWER = 25_000;

  /** Of stock's class with node groups on 640 DataNodes, 112,000 blocks. */
  private static final double STOCK_SCATTER = 434;

  /** What the placement and the load are drawn from. */
  LongStream seeds() {
    return LongStream.of(1);
  }

  private static Fleet paper() {
    return Fleet.regular(16, 2, 20, 4);
  }

  private static Outcome run(Fleet fleet, int blocks, long seed) {
    return new WriteLoad(fleet, false, seed).write(blocks);
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
    assertThat(fleet.topology().nodes()).isEqualTo(636);
    Outcome uniform = run(fleet, BLOCKS, seed);
    checkRules(uniform);
    assertThat(uniform.maxOverMean()).isBetween(1.0, 1.01);
    assertThat(uniform.inFlightMaxOverMean()).isBetween(1.0, 1.4);
    assertThat(uniform.scatterWidth()).isGreaterThanOrEqualTo(0.9 * STOCK_SCATTER);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void write_randomOrder_evenInTotalAndInFlight(long seed) {
    Fleet fleet = paper();
    Outcome outcome = new WriteLoad(fleet, true, seed).write(BLOCKS);
    checkRules(outcome);
    assertThat(outcome.maxOverMean()).isBetween(1.0, 1.025);
    assertThat(outcome.inFlightMaxOverMean()).isBetween(1.0, 1.5);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void write_126DataNodes_even(long seed) {
    Fleet fleet = Fleet.regular(16, 2, 4, 2);
    assertThat(fleet.topology().nodes()).isEqualTo(126);
    Outcome outcome = run(fleet, BLOCKS, seed);
    checkRules(outcome);
    assertThat(outcome.maxOverMean()).isBetween(1.0, 1.002);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void write_twoAndThreeDisks_evenPerDisk(long seed) {
    List<Node> nodes = new ArrayList<>();
    for (int n = 0; n < 4 * 8 * 4; n++) {
      nodes.add(new Node("/r" + n / 32, String.format("h%02d", n / 4), 2 + n % 2));
    }
    Outcome outcome = run(new Fleet(nodes), FEWER, seed);
    checkRules(outcome);
    assertThat(outcome.maxOverMean()).isBetween(1.0, 1.02);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void write_racksOfOneToFourHosts_even(long seed) {
    List<Node> nodes = new ArrayList<>();
    for (int rack = 0; rack < 16; rack++) {
      for (int host = 0; host <= rack % 4; host++) {
        for (int d = 0; d < 4; d++) {
          String name = String.format("h%02d-%d", rack, host);
          nodes.add(new Node(String.format("/r%02d", rack), name, 1));
        }
      }
    }
    Fleet fleet = new Fleet(nodes);
    assertThat(fleet.topology().nodes()).isEqualTo(160);
    Outcome outcome = run(fleet, BLOCKS, seed);
    checkRules(outcome);
    assertThat(outcome.maxOverMean()).isBetween(1.0, 1.01);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void write_countersLostNineTimes_even(long seed) {
    Fleet fleet = paper();
    WriteLoad load = new WriteLoad(fleet, false, 100 * seed);
    load.write(FEWER / 10);
    for (int start = 1; start < 10; start++) {
      load.restart(100 * seed + start);
      load.write(FEWER / 10);
    }
    Outcome outcome = load.write(0);
    checkRules(outcome);
    assertThat(outcome.maxOverMean()).isBetween(1.0, 1.05);
  }

  /** Two NameNodes see only their own blocks, in flight or not. */
  @ParameterizedTest
  @MethodSource("seeds")
  void write_twoNameNodes_evenTogether(long seed) {
    Fleet one = paper();
    Fleet two = paper();
    run(one, FEWER / 2, seed);
    run(two, FEWER / 2, seed + 50);
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
    WriteLoad load = new WriteLoad(fleet, false, seed);
    load.write(FEWER / 2);
    assertThat(IntStream.of(late).mapToLong(fleet::blocks).sum()).isZero();
    IntStream.of(late).forEach(n -> fleet.serve(n, true));
    Outcome outcome = load.write(FEWER / 2);
    checkRules(outcome);
    assertThat(outcome.inFlightP99()).isBetween(1.0, 2.0);
    double share = 3.0 * FEWER / 2 / 636;
    IntStream.of(late)
        .forEach(n -> assertThat(fleet.blocks(n) / share).as("joined").isBetween(0.9, 1.1));
  }

  /** Stock with node groups: 1.39..2.06 and 1.29, by {@code placement.change}. */
  @ParameterizedTest
  @MethodSource("seeds")
  void write_tenPercentOut_moreEvenThanStock(long seed) {
    Outcome small = run(outOfService(4, seed), FEWER, seed);
    checkRules(small);
    assertThat(small.maxOverMean()).isBetween(1.0, 1.2);
    Outcome large = run(outOfService(20, seed), FEWER, seed);
    checkRules(large);
    assertThat(large.maxOverMean()).isBetween(1.0, 1.2);
  }

  private static Fleet outOfService(int perHost, long seed) {
    Fleet fleet = Fleet.regular(16, 2, perHost, 0);
    int nodes = fleet.topology().nodes();
    new SplittableRandom(seed)
        .ints(0, nodes)
        .distinct()
        .limit(nodes / 10)
        .forEach(n -> fleet.serve(n, false));
    return fleet;
  }
}
