package io.evenkeel.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.bench.experiment.Comparison;
import io.evenkeel.bench.experiment.Experiment;
import io.evenkeel.bench.experiment.RunSettings;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** JMH forks JVMs, so this belongs to the slow suites. */
@Tag("slow")
@Timeout(400)
class JmhExperimentsIT {
  @ParameterizedTest
  @CsvSource({"placement.choose,2", "placement.verify,2", "locking.block,5"})
  void run_quick_comparesTimeAndAllocationOfEachCase(String name, int cases) throws Exception {
    Experiment experiment = Experiments.named(name).get(0);
    List<Comparison> results = experiment.run(new RunSettings(true, 1, line -> {}));
    assertThat(results).hasSize(2 * cases);
    assertThat(results)
        .filteredOn(c -> c.quantity().endsWith(": time"))
        .hasSize(cases)
        .allMatch(c -> c.stock() > 0 && c.evenkeel() > 0);
    assertThat(results)
        .filteredOn(c -> c.quantity().endsWith(": allocated"))
        .hasSize(cases)
        .allMatch(c -> c.stock() >= 0 && c.evenkeel() >= 0);
  }
}
