package io.evenkeel.mover.core.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("once")
class ProgressTest {
  private static final long MILLIS = TimeUnit.MILLISECONDS.toNanos(1);

  @Test
  void due_noTerminal_isALineEveryFiveSeconds() {
    Progress progress = new Progress(false, 7 * MILLIS);
    progress.planned(30, 3000 << 10);
    progress.planned(0, 0);
    progress.moved(1000 << 10);
    progress.done(true);
    assertThat(progress.due(5006 * MILLIS)).isNull();
    assertThat(progress.due(5007 * MILLIS))
        .isEqualTo(
            "1 of 2 files, 1 of 30 replicas, 1000 kB of 2.93 MB, 200 kB/s, at least 2m left");
    assertThat(progress.due(10_006 * MILLIS)).isNull();
    progress.done(false);
    assertThat(progress.due(10_007 * MILLIS))
        .endsWith("100 kB/s, at least 4m left, 1 not satisfied");
  }

  @Test
  void due_calledOften_printsFivePerSecondOnATerminal() {
    Progress progress = new Progress(true, 0);
    int printed = 0;
    for (int ms = 1; ms <= 10_000; ms++) {
      progress.moved(1);
      printed += progress.due(ms * MILLIS) == null ? 0 : 1;
    }
    assertThat(printed).isEqualTo(50);
  }

  @Test
  void due_terminal_isABarOfBoundedWidth() {
    Progress progress = new Progress(true, 0);
    progress.planned(4, 400);
    progress.moved(100);
    assertThat(progress.due(1000 * MILLIS))
        .isEqualTo("[===>        ] 0/1 files, 1/4 replicas, 100 B/400 B, 100 B/s");
    progress.planned(Long.MAX_VALUE / 2, Long.MAX_VALUE / 2);
    assertThat(progress.due(2000 * MILLIS)).hasSizeLessThan(80);
  }

  @Test
  void due_moreMovedThanPlanned_isFullAndNotMore() {
    Progress progress = new Progress(true, 0);
    progress.planned(1, 1);
    progress.moved(1);
    progress.moved(1);
    assertThat(progress.due(1000 * MILLIS)).startsWith("[============] 0/1 files, 2/2 replicas");
  }

  @Test
  void due_nothingChangedOnATerminal_isNull() {
    Progress progress = new Progress(true, 0);
    assertThat(progress.due(1000 * MILLIS)).isNotNull();
    assertThat(progress.due(2000 * MILLIS)).isNull();
  }
}
