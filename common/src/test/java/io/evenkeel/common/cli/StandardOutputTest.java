package io.evenkeel.common.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("once")
class StandardOutputTest {
  private final List<String> told = new ArrayList<>();

  private int checked(File file, boolean pipe) throws IOException {
    try (FileOutputStream raw = new FileOutputStream(file)) {
      PrintStream out = new PrintStream(raw);
      out.println("{}");
      return StandardOutput.checked(2, out, raw, pipe, told::add);
    }
  }

  @Test
  void checked_allWritten_keepsTheCode(@TempDir Path dir) throws Exception {
    assertThat(checked(dir.resolve("out").toFile(), false)).isEqualTo(2);
    assertThat(told).isEmpty();
  }

  @Test
  void checked_diskIsFull_couldNotRun() throws Exception {
    File full = new File("/dev/full");
    assumeTrue(full.exists(), "no /dev/full here");
    assertThat(checked(full, false)).isEqualTo(1);
    assertThat(told)
        .singleElement()
        .asString()
        .startsWith("standard output cannot be written: No space");
  }

  @Test
  void checked_readerHasGone_keepsTheCode() throws Exception {
    File full = new File("/dev/full");
    assumeTrue(full.exists(), "no /dev/full here");
    assertThat(checked(full, true)).isEqualTo(2);
    assertThat(told).isEmpty();
  }
}
