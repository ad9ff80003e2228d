package io.evenkeel.bench.tera;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.bench.embedded.HostPlan;
import io.evenkeel.bench.runtime.Layout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
@Tag("once")
class YarnClusterIT {
  private static List<Path> left() throws IOException {
    try (Stream<Path> files = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
      return files
          .filter(file -> file.getFileName().toString().matches("(yarn|terasort)\\d+"))
          .toList();
    }
  }

  @Test
  void start_hdfsFails_leavesNoFiles() throws Exception {
    HostPlan plan = HostPlan.of(new Layout(1, 1, 1));
    Map<String, String> wrong = Map.of("dfs.heartbeat.interval", "x");
    assertThatThrownBy(() -> new TeraCluster(plan, 1 << 20, 1, wrong))
        .isInstanceOf(NumberFormatException.class);
    assertThat(left()).isEmpty();
  }

  @Test
  void start_yarnFails_leavesNoFiles() throws Exception {
    Map<String, String> wrong = Map.of("yarn.nodemanager.aux-services", "none_such");
    assertThatThrownBy(() -> new YarnCluster(wrong)).hasMessageContaining("none_such");
    assertThat(left()).isEmpty();
  }
}
