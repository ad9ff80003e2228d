package io.evenkeel.bench.gameday.round;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.bench.gameday.history.Finding;
import io.evenkeel.bench.gameday.history.Finding.Kind;
import io.evenkeel.bench.gameday.schedule.Fault;
import io.evenkeel.bench.gameday.schedule.Schedule;
import io.evenkeel.bench.gameday.schedule.Shrinking;
import io.evenkeel.bench.gameday.schedule.Step;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("once")
class ShrinkingRunsTest {
  private static final Schedule WHOLE =
      new Schedule(1, 100, List.of(kill("dn1"), kill("dn2"), kill("dn2"), kill("dn4")));

  @TempDir private Path dir;
  private final List<Schedule> played = new ArrayList<>();

  private static Step kill(String target) {
    return new Step("", 1, 2, new Fault(Fault.Kind.KILL_DATANODE, target, "", 0));
  }

  private static RoundResult result(Schedule schedule, List<Kind> kinds) {
    return new RoundResult(
        schedule,
        true,
        kinds.stream().map(kind -> new Finding(kind, "/a", "", "why")).toList(),
        List.of(),
        Duration.ZERO,
        new TreeMap<>(),
        new RoundResult.Refusals(0, 0),
        new TreeMap<>(),
        List.of(),
        new RoundResult.Read(0, 0));
  }

  private ShrinkingRuns runs(List<Kind> kinds) {
    return new ShrinkingRuns(
        dir,
        WHOLE,
        Set.of(Kind.LOST_BYTES, Kind.ONE_RACK),
        schedule -> {
          played.add(schedule);
          return result(schedule, kinds);
        },
        text -> {});
  }

  @Test
  void onlyAFindingOfAKindOfTheFirstRound_countsAsThere() throws Exception {
    assertThat(runs(List.of(Kind.LEAK, Kind.ONE_RACK)).fails(WHOLE)).isTrue();
    assertThat(runs(List.of(Kind.LEAK)).fails(WHOLE.with(List.of()))).isFalse();
    assertThat(runs(List.of()).fails(WHOLE.with(List.of(kill("dn4"))))).isFalse();
  }

  @Test
  void eachRunHasItsFile_namedByTheNumbersOfItsFaults() throws Exception {
    ShrinkingRuns runs = runs(List.of());
    runs.fails(WHOLE.with(List.of()));
    runs.fails(WHOLE.with(List.of()));
    runs.fails(WHOLE.with(List.of(kill("dn2"), kill("dn2"))));
    runs.fails(WHOLE.with(List.of(kill("dn1"), kill("dn4"))));
    assertThat(dir.toFile().list())
        .containsExactlyInAnyOrder(
            "none-run1.json", "none-run2.json", "2-3-run1.json", "1-4-run1.json");
  }

  @Test
  void shrinkingThatWasInterrupted_goesOnWhereItWas() throws Exception {
    ShrinkingRuns interrupted =
        new ShrinkingRuns(
            dir,
            WHOLE,
            Set.of(Kind.LOST_BYTES),
            schedule -> {
              if (played.size() == 7) {
                throw new IOException("interrupted");
              }
              return lostWithTheLast(schedule);
            },
            text -> {});
    assertThatThrownBy(() -> new Shrinking(interrupted, 60).shrink(WHOLE))
        .hasMessage("interrupted");
    ShrinkingRuns again =
        new ShrinkingRuns(dir, WHOLE, Set.of(Kind.LOST_BYTES), this::lostWithTheLast, text -> {});
    Shrinking.Result result = new Shrinking(again, 60).shrink(WHOLE);
    assertThat(result.smallest().steps()).containsExactly(kill("dn4"));
    assertThat(played).hasSize(result.runs());
  }

  private RoundResult lostWithTheLast(Schedule schedule) {
    played.add(schedule);
    boolean lost = schedule.steps().contains(kill("dn4"));
    return result(schedule, lost ? List.of(Kind.LOST_BYTES) : List.of());
  }
}
