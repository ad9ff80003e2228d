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
  void run_pathHadoopCannotUse_isAUsageErrorAndCreatesNothing() {
    for (String name : List.of("with blank", "\u00fcber", "a,b", "a%20b", "$HOME")) {
      CommandException e = refused(1 << 20, null, dir.resolve(name));
      assertThat(e.exitCode()).isEqualTo(ExitCode.USAGE);
      assertThat(e).hasMessageContaining("cannot run in such a path");
    }
    assertThat(dir).isEmptyDirectory();
  }

  @Test
  void run_hadoop2_isAUsageErrorNamingTheOldestRelease() {
    DemoOptions options = new DemoOptions(1 << 20, "2.7.7", dir, null, false, false, false);
    assertThatThrownBy(() -> new DemoLauncher(options).run(List.of("demo")))
        .isInstanceOf(CommandException.class)
        .hasMessage("--hadoop 2.7.7 is too old; the demo needs 3.1.4 up");
  }

  @Test
  void run_emptyOut_isRefusedInsteadOfUsingTheCurrentDirectory() {
    assertThat(refused(1 << 20, null, Path.of(""))).hasMessage("--out is empty; name a directory");
  }
}
