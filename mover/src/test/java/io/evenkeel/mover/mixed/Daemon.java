package io.evenkeel.mover.mixed;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.HttpURLConnection;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The daemon as a process of its own. Not thread-safe. */
final class Daemon implements AutoCloseable {
  private final List<String> command;
  private final Path output;
  private final int port;
  private Process process;

  /**
   * Prepares.
   *
   * @param site configuration of HDFS
   * @param output what the processes print
   * @param settings {@code key=value}
   */
  Daemon(Path site, Path output, String... settings) throws IOException {
    this.output = output;
    try (ServerSocket free = new ServerSocket(0)) {
      port = free.getLocalPort();
    }
    command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    for (String argument : ManagementFactory.getRuntimeMXBean().getInputArguments()) {
      if (argument.startsWith("--add-opens")) {
        command.add(argument);
      }
    }
    command.addAll(
        List.of(
            "-Xmx256m",
            "-Djava.net.preferIPv4Stack=true",
            "-Dlog4j.configuration=" + System.getProperty("log4j.configuration"),
            "-cp",
            System.getProperty("java.class.path"),
            "io.evenkeel.mover.MoverTool",
            "-conf",
            site.toString(),
            "-Devenkeel.mover.follow.http-address=127.0.0.1:" + port));
    for (String setting : settings) {
      command.add("-D" + setting);
    }
    command.add("--follow");
  }

  void start() throws IOException {
    process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(output.toFile()))
            .start();
  }

  boolean isAlive() {
    return process != null && process.isAlive();
  }

  /** Kills it as a machine that loses power does. */
  void kill() throws InterruptedException {
    process.destroyForcibly();
    process.waitFor();
  }

  /** Holds it, or lets it go on. */
  void hold(boolean held) throws IOException, InterruptedException {
    int code =
        new ProcessBuilder("kill", held ? "-STOP" : "-CONT", Long.toString(process.pid()))
            .start()
            .waitFor();
    if (code != 0) {
      throw new IOException("kill ended with " + code + ": " + printed());
    }
  }

  /** Ends it as an operator does. */
  void end() throws InterruptedException {
    process.destroy();
    if (!process.waitFor(60, TimeUnit.SECONDS)) {
      throw new AssertionError("the daemon does not end");
    }
  }

  String printed() throws IOException {
    return Files.exists(output) ? Files.readString(output) : "";
  }

  /** Its numbers by name, without their prefix; empty while it does not answer. */
  Map<String, Double> numbers() {
    Map<String, Double> numbers = new HashMap<>();
    try {
      HttpURLConnection connection =
          (HttpURLConnection)
              URI.create("http://127.0.0.1:" + port + "/prom").toURL().openConnection();
      connection.setConnectTimeout(2000);
      connection.setReadTimeout(2000);
      String text = new String(connection.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      for (String line : text.split("\n")) {
        if (line.startsWith("evenkeel_mover_")) {
          String[] parts = line.substring("evenkeel_mover_".length()).split(" ");
          numbers.put(parts[0], Double.valueOf(parts[1]));
        }
      }
    } catch (IOException e) {
      numbers.clear();
    }
    return numbers;
  }

  @Override
  public void close() {
    if (process != null) {
      process.destroyForcibly();
    }
  }
}
