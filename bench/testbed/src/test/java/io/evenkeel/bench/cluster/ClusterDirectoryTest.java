package io.evenkeel.bench.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.common.cli.CommandException;
import io.evenkeel.common.cli.ExitCode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClusterDirectoryTest {
  @TempDir private Path dir;

  @Test
  void claim_directoryWithOtherThings_isRefusedAndUntouched() throws Exception {
    Path file = Files.writeString(dir.resolve("conf"), "mine");
    assertThatThrownBy(() -> ClusterDirectory.claim(dir))
        .isInstanceOf(CommandException.class)
        .hasMessageContaining("is not empty and holds no Evenkeel cluster");
    assertThat(file).hasContent("mine");
    assertThat(dir).isDirectoryContaining(file::equals);
  }

  @Test
  void claim_whileHeld_isRefused() {
    try (ClusterDirectory first = ClusterDirectory.claim(dir)) {
      assertThat(first).isNotNull();
      assertThatThrownBy(() -> ClusterDirectory.claim(dir))
          .hasMessageContaining("another cluster command");
    }
    ClusterDirectory.open(dir).close();
  }

  @Test
  void claim_pathThatHadoopCannotTake_isUsage() {
    assertThatThrownBy(() -> ClusterDirectory.claim(dir.resolve("a b")))
        .isInstanceOfSatisfying(
            CommandException.class, e -> assertThat(e.exitCode()).isEqualTo(ExitCode.USAGE));
  }

  @Test
  void claim_fileInTheWay_saysSoInWords() throws Exception {
    Path file = Files.writeString(dir.resolve("file"), "mine");
    for (Path path : List.of(file, file.resolve("below"))) {
      assertThatThrownBy(() -> ClusterDirectory.claim(path))
          .isInstanceOf(CommandException.class)
          .hasMessageStartingWith("--dir " + path + " cannot be written: ")
          .hasMessageContaining("in the way")
          .hasMessageNotContaining("Exception");
    }
  }

  @Test
  void delete_ownContent_leavesWhatIsNotOurs() throws Exception {
    Path at = dir.resolve("c");
    try (ClusterDirectory claimed = ClusterDirectory.claim(at)) {
      Files.createDirectories(at.resolve("nodes/dn1/data"));
      Path own = Files.writeString(at.resolve("notes.txt"), "mine");
      claimed.delete();
      assertThat(Files.list(at)).containsExactly(own);
    }
  }

  @Test
  void delete_nothingElse_removesTheDirectory() {
    Path at = dir.resolve("c");
    try (ClusterDirectory claimed = ClusterDirectory.claim(at)) {
      claimed.delete();
    }
    assertThat(at).doesNotExist();
  }

  @Test
  void command_withoutCluster_isNothingToDo() {
    Cluster cluster = Cluster.in(dir.resolve("none"));
    for (Runnable command :
        List.<Runnable>of(cluster::status, cluster::stop, () -> cluster.kill("dn1"))) {
      assertThatThrownBy(command::run)
          .isInstanceOfSatisfying(
              CommandException.class,
              e -> assertThat(e.exitCode()).isEqualTo(ExitCode.NOTHING_TO_DO));
    }
  }
}
