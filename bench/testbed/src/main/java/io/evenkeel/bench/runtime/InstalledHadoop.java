package io.evenkeel.bench.runtime;

import io.evenkeel.common.cli.CommandException;
import io.evenkeel.common.cli.ExitCode;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A Hadoop that is installed on this machine; asked through its own {@code hadoop} script. Apart
 * from {@link HadoopRuntime} as one of two sources of its classes.
 */
final class InstalledHadoop {
  private static final Duration LIMIT = Duration.ofMinutes(2);

  private final Path script;

  private InstalledHadoop(Path script) {
    this.script = script;
  }

  /** Finds {@code $HADOOP_HOME/bin/hadoop}, else {@code hadoop} on the path. */
  static InstalledHadoop find(Map<String, String> env) {
    String home = env.getOrDefault("HADOOP_HOME", "");
    Optional<Path> script =
        Optional.of(Path.of(home, "bin", "hadoop"))
            .filter(p -> !home.isEmpty() && Files.isExecutable(p))
            .or(() -> Installation.onPath("hadoop", env));
    return new InstalledHadoop(
        script.orElseThrow(
            () ->
                new CommandException(
                    ExitCode.COULD_NOT_RUN,
                    "neither mvn nor hadoop is on the path; install Maven 3.8.7 or later, or set"
                        + " HADOOP_HOME to a Hadoop of the version wanted")));
  }

  /** Its jars and test jars, provided it is of that version. */
  List<Path> classpath(String version) {
    String installed = firstLine(ask("version")).replaceFirst("^Hadoop ", "").trim();
    if (!installed.equals(version)) {
      throw new CommandException(
          ExitCode.COULD_NOT_RUN,
          script
              + " is Hadoop "
              + installed
              + ", not "
              + version
              + "; ask for --hadoop "
              + installed
              + ", or install Maven so that "
              + version
              + " can be fetched");
    }
    List<Path> jars = new ArrayList<>();
    for (String entry : lastLine(ask("classpath", "--glob")).split(File.pathSeparator)) {
      jars.add(Path.of(entry));
    }
    Path share = real(script).resolveSibling("../share/hadoop").normalize();
    for (String part : List.of("common", "hdfs", "yarn", "yarn/test", "mapreduce")) {
      Installation.jars(share.resolve(part)).stream()
          .filter(p -> p.getFileName().toString().contains("tests"))
          .forEach(jars::add);
    }
    return jars;
  }

  private String ask(String... arguments) {
    List<String> command = new ArrayList<>(List.of(script.toString()));
    command.addAll(List.of(arguments));
    try {
      Path output = Files.createTempFile("evenkeel", ".out");
      try {
        int code = Programs.run(command, output, LIMIT, () -> output.toFile().delete());
        String text = Files.readString(output);
        if (code != 0) {
          throw new CommandException(
              ExitCode.COULD_NOT_RUN, String.join(" ", command) + ": " + lastLine(text));
        }
        return text;
      } finally {
        Files.deleteIfExists(output);
      }
    } catch (IOException e) {
      throw new CommandException(
          ExitCode.COULD_NOT_RUN, String.join(" ", command) + ": " + e.getMessage(), e);
    }
  }

  private static Path real(Path path) {
    try {
      return path.toRealPath();
    } catch (IOException e) {
      return path;
    }
  }

  private static String firstLine(String text) {
    return text.lines().filter(l -> l.startsWith("Hadoop ")).findFirst().orElse(text).trim();
  }

  /** Scripts may print warnings first; the answer is what comes last. */
  private static String lastLine(String text) {
    return text.lines().reduce("", (a, b) -> b.isBlank() ? a : b);
  }
}
