package io.evenkeel.bench.tera;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.bench.experiment.Comparison;
import io.evenkeel.bench.tera.RemoteRun.Arm;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("once")
class RemoteExperimentTest {
  private static RemoteRun run(Arm arm, double read, double remote, double seconds) {
    return new RemoteRun(arm, 128L << 20, read, remote, 4, 3, seconds);
  }

  private static Comparison row(List<Comparison> rows, String quantity, String opponent) {
    return rows.stream()
        .filter(row -> row.quantity().equals(quantity) && row.opponent().equals(opponent))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void parse_line_isTheRun() {
    RemoteRun run = run(Arm.NO_TERA_SCHEDULER, 135_267_280, 36_987_876.5, 29.08);
    assertThat(RemoteRun.parse(run.line())).isEqualTo(run);
  }

  @Test
  void rows_oneRound_noneIsCertain() {
    List<Comparison> rows =
        RemoteExperiment.rows(
            List.of(
                run(Arm.TERA_SCHEDULER, 100, 50, 1),
                run(Arm.NO_TERA_SCHEDULER, 100, 80, 1),
                run(Arm.EVENKEEL, 100, 0, 2)));
    assertThat(rows).noneMatch(Comparison::certain);
  }

  @Test
  void rows_roundsOfDifferentBytes_sumsBytesNotShares() {
    List<Comparison> rows =
        RemoteExperiment.rows(
            List.of(
                run(Arm.TERA_SCHEDULER, 100, 50, 1),
                run(Arm.NO_TERA_SCHEDULER, 100, 80, 1),
                run(Arm.EVENKEEL, 100, 0, 2),
                run(Arm.EVENKEEL, 300, 100, 4),
                run(Arm.TERA_SCHEDULER, 300, 30, 3),
                run(Arm.NO_TERA_SCHEDULER, 300, 0, 3)));
    String all = "128 MiB: read from another host, all rounds";
    assertThat(row(rows, all, "TeraScheduler").stock()).isEqualTo(20);
    assertThat(row(rows, all, "without TeraScheduler").stock()).isEqualTo(20);
    assertThat(row(rows, all, "TeraScheduler").evenkeel()).isEqualTo(25);
    Comparison seconds = row(rows, "128 MiB: elapsed", "TeraScheduler");
    assertThat(seconds.stock()).isEqualTo(2);
    assertThat(seconds.evenkeel()).isEqualTo(3);
  }
}
