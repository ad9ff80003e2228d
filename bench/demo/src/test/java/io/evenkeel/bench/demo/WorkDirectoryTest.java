package io.evenkeel.bench.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.common.cli.CommandException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("once")
class WorkDirectoryTest {
  @TempDir Path dir;

  @Test
  void lock_takenTwice_refusesTheSecondInOneLine() throws Exception {
    WorkDirectory first = WorkDirectory.lock(dir);
    first.create();
    assertThatThrownBy(() -> WorkDirectory.lock(dir))
        .isInstanceOf(CommandException.class)
        .hasMessage("another demo is using --out " + dir + "; wait for it or choose another --out");
    assertThat(first.path()).exists();
    first.release(false);
  }

  @Test
  void release_ofAUsedDirectory_leavesOnlyTheLogAndLetsTheNextIn() throws Exception {
    WorkDirectory first = WorkDirectory.lock(dir);
    first.create();
    Files.writeString(first.path().resolve("tmp/file"), "x");
    first.release(false);
    assertThat(dir.toFile().list()).containsExactly(WorkDirectory.LOCKED);
    WorkDirectory second = WorkDirectory.lock(dir);
    second.create();
    second.release(true);
    assertThat(second.path()).isNotEmptyDirectory();
  }

  @Test
  void create_afterAKilledDemo_removesWhatItLeft() throws Exception {
    Path left = Files.createDirectories(dir.resolve("work/hdfs"));
    Files.createFile(dir.resolve("work").resolve(WorkDirectory.MARK));
    Files.writeString(dir.resolve("demo.log"), "a token of the dead");
    WorkDirectory work = WorkDirectory.lock(dir);
    work.create();
    assertThat(left).doesNotExist();
    work.release(false);
  }

  @Test
  void create_foreignWorkDirectory_isRefusedAndLeftAlone() throws Exception {
    Path precious = Files.createDirectories(dir.resolve("work")).resolve("thesis.tex");
    Files.writeString(precious, "x");
    WorkDirectory work = WorkDirectory.lock(dir);
    assertThatThrownBy(work::create)
        .isInstanceOf(CommandException.class)
        .hasMessageContaining("is not from a demo");
    work.release(false);
    assertThat(precious).exists();
  }

  @Test
  void lock_outIsAFile_saysSo() throws Exception {
    Path file = Files.writeString(dir.resolve("file"), "x");
    assertThatThrownBy(() -> WorkDirectory.lock(file))
        .isInstanceOf(CommandException.class)
        .hasMessage("--out " + file + " cannot be written: a file is in the way");
  }
}
