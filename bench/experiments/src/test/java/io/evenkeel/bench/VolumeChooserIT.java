package io.evenkeel.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.bench.experiment.Comparison;
import io.evenkeel.bench.experiment.RunSettings;
import io.evenkeel.bench.jmh.VolumeChooserExperiment;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** JMH forks JVMs, so this belongs to the slow suites. */
@Tag("slow")
@Timeout(400)
class VolumeChooserIT {
  @Test
  void run_quick_comparesTimeAndAllocationForEachCase() throws Exception {
    List<Comparison> results =
        new VolumeChooserExperiment().run(new RunSettings(true, 1, line -> {}));
    assertThat(results).hasSize(16);
    assertThat(results)
        .filteredOn(c -> c.quantity().startsWith("time"))
        .hasSize(10)
        .allMatch(c -> c.stock() > 0 && c.evenkeel() > 0);
  }
}
