package io.evenkeel.bench.sim.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.evenkeel.bench.sim.placement.PlacementScenario.Load;
import io.evenkeel.placement.core.sim.Fleet;
import io.evenkeel.placement.core.sim.Outcome;
import io.evenkeel.placement.core.sim.Policy;
import io.evenkeel.placement.core.sim.Simulation;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The models of {@code evenkeel simulate} beside the classes of Hadoop they stand for. Every figure
 * is an average over several runs, because a single one differs from the next by more than a model
 * may.
 */
class StockModelTest {
  private static final Shape SHAPE = Shape.of(4, 3, 3);

  private static Candidate real(Policy policy) {
    return policy == Policy.STOCK_NODEGROUP ? Candidate.STOCK_NODE_GROUPS : Candidate.STOCK_PLAIN;
  }

  @ParameterizedTest
  @EnumSource(
      value = Policy.class,
      names = {"STOCK_DEFAULT", "STOCK_NODEGROUP"})
  void model_isWithinThreePerCentOfTheRealClass(Policy policy) throws Exception {
    compare(policy, 3, 20_000, 0.03); // five standard deviations of the difference
  }

  @Tag("slow")
  @ParameterizedTest
  @EnumSource(
      value = Policy.class,
      names = {"STOCK_DEFAULT", "STOCK_NODEGROUP"})
  void model_moreRunsAndBlocks_isWithinOnePerCentOfTheRealClass(Policy policy) throws Exception {
    compare(policy, 8, 60_000, 0.01);
  }

  private static void compare(Policy policy, int runs, int blocks, double share) throws Exception {
    PlacementResult[] real = new PlacementResult[runs];
    Outcome[] model = new Outcome[runs];
    for (int run = 0; run < runs; run++) {
      PlacementScenario scenario = PlacementScenario.of("model", SHAPE, Load.of(blocks));
      real[run] = PlacementRun.run(scenario, real(policy), run);
      model[run] =
          new Simulation(() -> Fleet.regular(4, 3, 3, 0))
              .write(blocks, PlacementScenario.REPLICATION)
              .seed(run)
              .run(policy);
    }
    double mostOverMean = average(real, r -> r.replicas().mostOverMean());
    assertThat(mostOverMean).isGreaterThan(1.01);
    assertThat(average(model, Outcome::maxOverMean)).isCloseTo(mostOverMean, within(share));
    double inFlight = average(real, r -> r.inFlight().mean());
    assertThat(average(model, Outcome::inFlightMaxOverMean))
        .isCloseTo(inFlight, within(share * inFlight));
    assertThat(average(model, o -> o.sharedHost() / (double) blocks))
        .isCloseTo(average(real, r -> r.violations().sameHost() / (double) blocks), within(0.005));
    assertThat(average(model, Outcome::scatterWidth))
        .isCloseTo(average(real, PlacementResult::scatterWidth), within(0.5));
    assertThat(average(model, Outcome::oneRack)).isZero();
    assertThat(average(model, Outcome::missing)).isZero();
  }

  private static <T> double average(T[] runs, ToDoubleFunction<T> figure) {
    double sum = 0;
    for (T run : runs) {
      sum += figure.applyAsDouble(run);
    }
    return sum / runs.length;
  }
}
