package io.evenkeel.bench.mover;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.bench.experiment.Comparison;
import io.evenkeel.bench.experiment.RunSettings;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("slow") // the calls of a move are counted in the tests of the mover too
@Timeout(600)
class CallsExperimentIT {
  private static final String SIZES = "evenkeel.bench.mover.namespace";
  private static final String INTERVAL = "evenkeel.bench.mover.interval";

  /** Seven, three for the lease of moves inside DataNodes (0015), and one look more. */
  private static final int MOST_CALLS = 7 + 3 + 1;

  @AfterEach
  void forgetSizes() {
    System.clearProperty(SIZES);
    System.clearProperty(INTERVAL);
  }

  @Test
  void run_twoSizesOfNamespace_oursAsksAsLittleForEachAndLessThanStock() throws Exception {
    System.setProperty(SIZES, "50,1500");
    System.setProperty(INTERVAL, "1"); // stock's mover sleeps three of them in each round
    List<Comparison> rows = new CallsExperiment().run(new RunSettings(true, 1, line -> {}));
    assertThat(rows).hasSize(6);
    assertThat(rows)
        .allSatisfy(row -> assertThat(row.evenkeel()).isGreaterThan(0).isLessThan(row.stock()));
    DoubleSummaryStatistics calls =
        rows.stream()
            .filter(row -> !row.quantity().endsWith("listings"))
            .mapToDouble(Comparison::evenkeel)
            .summaryStatistics();
    assertThat(calls.getCount()).isEqualTo(4);
    assertThat(calls.getMax()).as("calls to move a file").isLessThanOrEqualTo(MOST_CALLS);
    assertThat(calls.getMax() - calls.getMin()).as("over the sizes").isLessThanOrEqualTo(1);
  }
}
