package io.evenkeel.bench.mover;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.bench.Comparison;
import io.evenkeel.bench.RunSettings;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("once") // what it runs has tests of its own on every release
@Timeout(300)
class CallsExperimentIT {
  @Test
  void run_quick_oursAsksTheNameNodeLessThanStock() throws Exception {
    List<Comparison> rows = new CallsExperiment().run(new RunSettings(true, 1, line -> {}));
    assertThat(rows).hasSize(3);
    assertThat(rows)
        .allSatisfy(row -> assertThat(row.evenkeel()).isGreaterThan(0).isLessThan(row.stock()));
  }
}
