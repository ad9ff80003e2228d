package io.evenkeel.common.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("once") // says nothing about a Hadoop release
class OutputFileTest {
  @TempDir private Path dir;
  private Path file;

  @BeforeEach
  void makeAFile() throws IOException {
    file = Files.createFile(dir.resolve("file"));
  }

  private static void assertRefused(Path path, String why) {
    assertThatThrownBy(() -> OutputFile.require("--json", path.toString()))
        .isInstanceOfSatisfying(
            CommandException.class, e -> assertThat(e.exitCode()).isEqualTo(ExitCode.USAGE))
        .hasMessage("--json " + path + " cannot be written: " + why);
  }

  @Test
  void require_whatCannotBeWritten_isRefusedWithTheReason() {
    assertRefused(Path.of(""), "the name is empty");
    assertRefused(dir, "it is a directory");
    assertRefused(dir.resolve("none/new"), "its directory does not exist");
    assertRefused(file.resolve("new"), "its directory does not exist");
  }

  @Test
  void require_aFileThatIsThereAndANewOne_areTaken() {
    for (Path path : new Path[] {file, dir.resolve("new"), Path.of("new")}) {
      assertThatCode(() -> OutputFile.require("--json", path.toString()))
          .doesNotThrowAnyException();
    }
  }

  private static void assertFails(ThrowingCallable write, String why) {
    IOException thrown = catchThrowableOfType(IOException.class, write);
    CommandException told = OutputFile.failure("--out", "x", thrown);
    assertThat(told).hasMessage("--out x cannot be written: " + why);
    assertThat(told.exitCode()).isEqualTo(ExitCode.COULD_NOT_RUN);
  }

  @Test
  void failure_ofTheFileSystem_isTheReasonInWords() {
    assertFails(() -> Files.createDirectory(file), "a file is in the way");
    assertFails(() -> Files.createDirectories(file.resolve("a/b")), "a file is in the way");
    assertFails(() -> Files.createFile(dir.resolve("none/x")), "its directory does not exist");
    assertFails(OutputFileTest::throwFull, "No space left on device");
  }

  private static void throwFull() throws IOException {
    throw new IOException("No space left on device");
  }
}
