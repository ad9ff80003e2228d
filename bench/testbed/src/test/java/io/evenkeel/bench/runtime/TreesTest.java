package io.evenkeel.bench.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TreesTest {
  @TempDir private Path dir;

  private Path tree() throws IOException {
    Path tree = Files.createDirectories(dir.resolve("tree/a/b"));
    Files.writeString(tree.resolve("file"), "x");
    return dir.resolve("tree");
  }

  @Test
  void orDelete_made_keepsTheDirectory() throws Exception {
    Path tree = tree();
    assertThat(Trees.orDelete(tree, () -> "made")).isEqualTo("made");
    assertThat(tree.resolve("a/b/file")).exists();
  }

  @Test
  void orDelete_fails_deletesAllAndFailsAsItDid() throws Exception {
    Path tree = tree();
    assertThatThrownBy(
            () ->
                Trees.orDelete(
                    tree,
                    () -> {
                      throw new IOException("no port");
                    }))
        .isInstanceOf(IOException.class)
        .hasMessage("no port");
    assertThat(tree).doesNotExist();
  }

  @Test
  void deleteOfEnded_treeOrNothing_isGone() throws Exception {
    Path tree = tree();
    Trees.deleteOfEnded(tree);
    Trees.deleteOfEnded(tree);
    assertThat(tree).doesNotExist();
  }
}
