package io.evenkeel.mover.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.mover.request.FileOutcome;
import io.evenkeel.mover.request.FileReport;
import io.evenkeel.mover.request.MoveListener;
import io.evenkeel.mover.request.MoveReport;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("once")
class ProgressPrinterTest {
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private final MoveReport.Builder told = new MoveReport.Builder();

  private ProgressPrinter printer(boolean verbose) {
    return new ProgressPrinter(new PrintStream(err, true), verbose);
  }

  @Test
  void line_partlyMoved_saysHowFarHowFastAndHowLongAtLeast() {
    try (ProgressPrinter progress = printer(false)) {
      MoveListener listener = progress.listener(told);
      listener.filePlanned("/a", 30, 3000 << 10);
      listener.filePlanned("/b", 0, 0);
      listener.replicaMoved("/a", true, 1000 << 10);
      listener.fileDone(FileReport.of("/b", FileOutcome.SATISFIED, ""));
      assertThat(progress.line(5))
          .isEqualTo(
              "1 of 2 files, 1 of 30 replicas, 1000 kB of 2.93 MB, 200 kB/s, at least 2m left");
      listener.fileDone(FileReport.of("/a", FileOutcome.PARTIAL, ""));
      assertThat(progress.line(10)).endsWith("100 kB/s, at least 4m left, 1 not satisfied");
    }
    assertThat(told.build().fileCount()).isEqualTo(2);
    assertThat(err.size()).isZero();
  }

  @Test
  void line_moreMovedThanPlanned_isAllAndNotMore() {
    try (ProgressPrinter progress = printer(false)) {
      MoveListener listener = progress.listener(told);
      listener.filePlanned("/a", 1, 1);
      listener.replicaMoved("/a", false, 1);
      listener.replicaMoved("/a", false, 1);
      assertThat(progress.line(1)).isEqualTo("0 of 1 files, 2 of 2 replicas, 2 B of 2 B, 2 B/s");
    }
  }

  @Test
  void fileDone_verbose_isPrintedAtOnce() {
    try (ProgressPrinter progress = printer(true)) {
      progress.listener(told).fileDone(FileReport.of("/a", FileOutcome.PINNED, "why"));
      assertThat(err.toString(UTF_8)).isEqualTo("/a: pinned (why)\n");
    }
  }
}
