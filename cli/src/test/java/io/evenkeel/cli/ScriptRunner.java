package io.evenkeel.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Runs a script with this JVM's Java, without the caller's Hadoop and options of Java. */
final class ScriptRunner {
  /** The caller's Hadoop, and options at which every Java prints a line of its own. */
  private static final Set<String> NOT_OURS =
      Set.of(
          "HADOOP_HOME",
          "HADOOP_CONF_DIR",
          "JAVA_TOOL_OPTIONS",
          "_JAVA_OPTIONS",
          "JDK_JAVA_OPTIONS");

  private final AtomicInteger runs = new AtomicInteger();
  private final Path dir;

  /** Output goes to files in {@code dir}, which is also the working directory. */
  ScriptRunner(Path dir) {
    this.dir = dir;
  }

  Process start(Path script, Map<String, String> environment, String... args) throws IOException {
    return start(runs.incrementAndGet(), script, environment, args);
  }

  private Process start(int run, Path script, Map<String, String> environment, String... args)
      throws IOException {
    List<String> command = new ArrayList<>(List.of(script.toString()));
    command.addAll(List.of(args));
    ProcessBuilder builder = new ProcessBuilder(command).directory(dir.toFile());
    builder.environment().keySet().removeAll(NOT_OURS);
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.environment().putAll(environment);
    return builder
        .redirectOutput(dir.resolve("out" + run).toFile())
        .redirectError(dir.resolve("err" + run).toFile())
        .start();
  }

  Result run(Path script, Map<String, String> environment, String... args)
      throws IOException, InterruptedException {
    int run = runs.incrementAndGet();
    Process process = start(run, script, environment, args);
    if (!process.waitFor(60, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new AssertionError("still running: " + script + " " + List.of(args));
    }
    return new Result(
        process.exitValue(),
        Files.readString(dir.resolve("out" + run)),
        Files.readString(dir.resolve("err" + run)));
  }

  static void interrupt(Process process) throws IOException, InterruptedException {
    new ProcessBuilder("kill", "-INT", String.valueOf(process.pid())).start().waitFor();
  }

  /** A process started with SIGINT ignored, as by nohup or cron, hands that on; see /proc. */
  static boolean interruptIsIgnored() throws IOException {
    Path status = Path.of("/proc/self/status");
    if (!Files.exists(status)) {
      return false;
    }
    return Files.readAllLines(status, StandardCharsets.UTF_8).stream()
        .filter(line -> line.startsWith("SigIgn:"))
        .anyMatch(line -> (Long.parseUnsignedLong(line.substring(7).trim(), 16) & 2) != 0);
  }

  /** What a finished script left. */
  record Result(int code, String out, String err) {}
}
