package io.evenkeel.bench.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.bench.experiment.Comparison;
import io.evenkeel.bench.experiment.RunSettings;
import io.evenkeel.bench.sim.VolumeShareExperiment.Tally;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class VolumeShareExperimentTest {
  @Test
  void run_everyMix_oursUsesEveryVolumeEvenly() throws IOException {
    RunSettings settings = new RunSettings(true, RunSettings.DEFAULT_SEED, line -> {});
    List<Comparison> results = new VolumeShareExperiment().run(settings);
    assertThat(results.get(0).evenkeel()).isEqualTo(512 * 3);
    assertThat(results.subList(1, 4)).allMatch(c -> c.evenkeel() == 0);
    assertThat(results.get(4).evenkeel()).isBetween(1.0, 1.05);
    assertThat(results.get(5).evenkeel()).isEqualTo(512 * 3);
    assertThat(results.subList(6, 9)).as("latency-aware").allMatch(c -> c.evenkeel() == 0);
    assertThat(results.get(9).evenkeel()).isBetween(1.0, 1.05);
    assertThat(new VolumeShareExperiment().run(settings)).isEqualTo(results);
  }

  @Test
  void add_countsOfAMix_areJudgedPerType() {
    Tally tally = new Tally();
    tally.add(new long[][] {{5, 5}, {7}, {6, 0, 3}});
    tally.add(new long[][] {{5, 5}, {7}, {3, 3, 3}});
    assertThat(tally.mixes).isEqualTo(2);
    assertThat(tally.uneven).isEqualTo(1);
    assertThat(tally.idle).isEqualTo(1);
    assertThat(tally.unused).isEqualTo(1);
    assertThat(tally.worst).isEqualTo(2.0);
  }
}
