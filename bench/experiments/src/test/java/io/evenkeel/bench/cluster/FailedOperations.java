package io.evenkeel.bench.cluster;

import io.evenkeel.bench.cluster.CrashLoad.Failure;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The operations that failed under load: each in a file with what the client and the DataNodes said
 * about it, and how many there were of each class. Not thread-safe.
 */
final class FailedOperations {
  private final Path log;
  private final Map<String, Integer> classes = new TreeMap<>();

  /** Writes to a file, which is new. */
  FailedOperations(Path log) throws IOException {
    this.log = log;
    Files.deleteIfExists(log);
  }

  /** Takes up what failed for a writer, and what the DataNodes' logs have on its blocks. */
  void add(String when, CrashLoad load, List<ReconfiguredNode> nodes) throws IOException {
    for (Failure failure : load.takeFailures()) {
      classes.merge(classOf(failure), 1, Integer::sum);
      StringWriter text = new StringWriter();
      try (PrintWriter lines = new PrintWriter(text)) {
        lines.println("== " + when + ": " + failure.operation() + " " + failure.file());
        failure.cause().printStackTrace(lines);
        lines.println(BlockStory.of(Set.of(String.valueOf(failure.cause().getMessage())), nodes));
      }
      Files.writeString(log, text.toString(), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }
  }

  /** What was done, and the first line of what was said, without what differs from run to run. */
  static String classOf(Failure failure) {
    String said = String.valueOf(failure.cause().getMessage()).lines().findFirst().orElse("");
    String text =
        said.replaceAll("/\\S+", "<file>")
            .replaceAll("\\[[^]]*]", "[..]")
            .replaceAll("BP-\\S+|blk_\\S+", "<block>")
            .replaceAll("\\d+", "#");
    return failure.operation() + ", " + failure.cause().getClass().getSimpleName() + ": " + text;
  }

  /** How many of each class, a line each. */
  String summary() {
    StringBuilder lines = new StringBuilder("failed operations by class (" + log + "):");
    classes.forEach((name, count) -> lines.append("\n  ").append(count).append("  ").append(name));
    return lines.toString();
  }
}
