package io.evenkeel.bench.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.evenkeel.common.cli.CommandException;
import io.evenkeel.common.cli.ExitCode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DemoLauncherTest {
  @TempDir Path dir;

  private CommandException refused(long size, String only, Path out) {
    DemoOptions options = new DemoOptions(size, "3.4.3", out, only, false, false, false);
    return catchThrowableOfType(
        CommandException.class, () -> new DemoLauncher(options).run(List.of("demo")));
  }

  @Test
  void run_sizeOutOfRange_isAUsageErrorNamingTheRange() {
    CommandException e = refused(1000, null, dir);
    assertThat(e.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(e).hasMessage("--size 1000 bytes is out of range; use 1m to 64g");
  }

  @Test
  void run_unknownSection_isAUsageErrorNamingTheSections() {
    CommandException e = refused(1 << 20, "movr", dir);
    assertThat(e.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(e).hasMessageContaining("movr").hasMessageContaining("terasort");
  }

  @Test
  void run_diskTooSmall_saysWhatIsFreeAndWhatIsNeeded() throws Exception {
    long tooMuch = Files.getFileStore(dir).getUsableSpace() / 9 + 1;
    org.junit.jupiter.api.Assumptions.assumeTrue(tooMuch < DemoLauncher.MAX_BYTES);
    CommandException e = refused(tooMuch, null, dir.resolve("not/yet/there"));
    assertThat(e.exitCode()).isEqualTo(ExitCode.COULD_NOT_RUN);
    assertThat(e).hasMessageContaining("free and this demo needs");
  }

  @Test
  void prepare_outIsAFile_saysSo() throws Exception {
    Path file = Files.writeString(dir.resolve("file"), "x");
    DemoOptions options = new DemoOptions(1 << 20, "3.4.3", file, null, false, false, false);
    assertThatThrownBy(() -> new DemoLauncher(options).prepare())
        .isInstanceOf(CommandException.class)
        .hasMessageContaining("cannot write to --out " + file);
  }
}
