package io.evenkeel.bench.gameday.round;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.bench.gameday.history.Finding;
import io.evenkeel.bench.gameday.history.Finding.Kind;
import io.evenkeel.bench.gameday.schedule.Schedule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("once")
class ReportTest {
  @TempDir private Path dir;

  private void rounds(String suffix, boolean plugins, int seconds, int reserved)
      throws IOException {
    Finding leftover = new Finding(Kind.LEAK, "", "dn1 disk1", "12 bytes are reserved");
    for (int seed = 1; seed <= Comparison.ROUNDS; seed++) {
      RoundResult result =
          new RoundResult(
              new Schedule(seed, 100, List.of()),
              plugins,
              List.of(),
              Collections.nCopies(reserved, leftover),
              Duration.ofSeconds(seconds),
              new TreeMap<>(),
              new RoundResult.Refusals(0, 0),
              new TreeMap<>(),
              List.of(),
              new RoundResult.Read(1, 3));
      Files.writeString(dir.resolve(seed + suffix + ".json"), result.toJson());
    }
  }

  @Test
  void roundsWithTwoNameNodes_areComparedAmongThemselves() throws Exception {
    rounds("-on", true, 200, 0);
    rounds("-off-ha", false, 1, 0);
    assertThat(new Report(dir).worse()).isEmpty();
    assertThat(new Report(dir).html()).contains("from 5 drawn rounds of each on");
    rounds("-off", false, 200, 0);
    assertThat(new Report(dir).worse()).isEmpty();
    assertThat(new Report(dir).html()).contains("No round of ours is far beyond the worst");
    rounds("-on-ha", true, 200, 0);
    assertThat(new Report(dir).worse())
        .hasSize(Comparison.ROUNDS)
        .allMatch(line -> line.contains("-on-ha: 200.0 s until full replication"));
  }

  @Test
  void leftovers_areToldByTheirKind() throws Exception {
    rounds("-on", true, 1, 8);
    rounds("-off", false, 1, 2);
    assertThat(new Report(dir).worse())
        .containsExactly("all rounds: 8.0 known leftovers on average, RESERVED_SPACE, stock 2.0");
    assertThat(new Report(dir).html()).contains("RESERVED_SPACE, stock 2.0");
  }
}
