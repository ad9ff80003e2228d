package io.evenkeel.bench.mover;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.bench.mover.MoverCluster.Written;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
@Tag("once")
class MoverClusterIT {
  private static List<Path> left() throws IOException {
    try (Stream<Path> files = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
      return files.filter(file -> file.getFileName().toString().matches("mover\\d+")).toList();
    }
  }

  @Test
  void start_fails_leavesNoFiles() throws Exception {
    System.setProperty("evenkeel.bench.mover.interval", "x");
    try {
      assertThatThrownBy(() -> new MoverCluster(MoverCluster.BOTH))
          .isInstanceOf(NumberFormatException.class);
    } finally {
      System.clearProperty("evenkeel.bench.mover.interval");
    }
    assertThat(left()).isEmpty();
  }

  @Test
  void tuned_eitherStockTool_movesAll() throws Exception {
    try (MoverCluster cluster = new MoverCluster(MoverCluster.BOTH)) {
      for (String arm : List.of("hdfs mover, tuned", "satisfier, tuned")) {
        if (StockArms.all().containsKey(arm)) {
          Run.Goal goal = cluster.misplaced(new Written(2, 2, 1 << 20), 60);
          Run run = StockArms.all().get(arm).run(cluster, goal).mustComplete();
          assertThat(run.moved()).as(arm).isEqualTo(12);
          cluster.delete(goal.directory());
          assertThat(cluster.view(goal.files(), "SSD")).isEqualTo(cluster.view(List.of(), "SSD"));
        }
      }
    }
  }
}
