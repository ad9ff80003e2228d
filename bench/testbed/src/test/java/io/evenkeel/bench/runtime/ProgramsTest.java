package io.evenkeel.bench.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.bench.runtime.Programs.Child;
import io.evenkeel.common.cli.CommandException;
import io.evenkeel.common.testing.Await;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProgramsTest {
  @TempDir private Path dir;

  @Test
  void child_thisJvmEndsBeforeItsStart_isNotStarted() {
    Path made = dir.resolve("made");
    try (Child child = new Child(Duration.ZERO, () -> {})) {
      child.end(); // as the hook does
      assertThatThrownBy(
              () -> child.start(new ProcessBuilder("mkdir", made.toString()), Redirect.PIPE))
          .isInstanceOf(CommandException.class);
    }
    assertThat(made).doesNotExist();
  }

  @Test
  void child_closed_endsItsProgramWithItsChildren() throws Exception {
    Process process;
    ProcessHandle grandchild;
    try (Child child = new Child(Duration.ZERO, () -> {})) {
      process =
          child.start(new ProcessBuilder("bash", "-c", "sleep 100 & echo $!; wait"), Redirect.PIPE);
      String pid = process.inputReader().readLine();
      grandchild = ProcessHandle.of(Long.parseLong(pid)).orElseThrow();
    }
    Await.until("both have ended", () -> !process.isAlive() && !grandchild.isAlive());
  }
}
