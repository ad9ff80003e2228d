package io.evenkeel.cli.core.blocks;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Output of fsck on clusters of this project's tests: see RealFsckIT in cli. */
final class Samples {
  private Samples() {}

  static List<String> lines(String name) throws IOException {
    try (InputStream in = Samples.class.getResourceAsStream(name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
    }
  }
}
