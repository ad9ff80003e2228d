package io.evenkeel.bench.gameday;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.common.cli.CommandException;
import io.evenkeel.common.cli.ExitCode;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("once")
class GameDayMainTest {
  @Test
  void secondGameDayInADirectory_isRefused(@TempDir Path out) throws Exception {
    try (FileChannel first = GameDayMain.lock(out)) {
      assertThatThrownBy(() -> GameDayMain.lock(out))
          .hasMessage("--out " + out + ": another game day runs there")
          .isInstanceOfSatisfying(
              CommandException.class,
              e -> assertThat(e.exitCode()).isEqualTo(ExitCode.COULD_NOT_RUN));
      assertThat(first.isOpen()).isTrue();
    }
    GameDayMain.lock(out).close();
  }
}
