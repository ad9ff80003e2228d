package io.evenkeel.bench.cluster;

import io.evenkeel.bench.runtime.Jvm;
import io.evenkeel.common.testing.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Movers as processes of their own beside a cluster, ours and stock's, and what they print. */
final class MoverProcesses implements AutoCloseable {
  private static final String OURS = "io.evenkeel.mover.MoverTool";
  private static final String STOCK = "org.apache.hadoop.hdfs.server.mover.Mover";

  private final Path cluster;
  private final Path jar;
  private final Path outputs;
  private final List<Running> started = new ArrayList<>();

  /**
   * Prepares.
   *
   * @param jar of our mover
   * @param outputs where standard output and error of the processes go
   */
  MoverProcesses(Path cluster, Path jar, Path outputs) {
    this.cluster = cluster;
    this.jar = jar;
    this.outputs = outputs;
  }

  /** A process that was started. */
  record Running(Process process, Path out, Path err) {
    /** Kills it as a machine that loses power does. */
    void kill() throws InterruptedException {
      process.destroyForcibly();
      process.waitFor();
    }

    /** Sends what Ctrl-C in a terminal sends. */
    void interrupt() throws IOException, InterruptedException {
      new ProcessBuilder("kill", "-INT", Long.toString(process.pid()))
          .inheritIO()
          .start()
          .waitFor();
    }

    Ended await(Duration limit) throws IOException, InterruptedException {
      if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
        kill();
        throw new AssertionError("not ended after " + limit + ": " + ended(-1));
      }
      return ended(process.exitValue());
    }

    private Ended ended(int code) throws IOException {
      return new Ended(code, text(), Files.readString(err));
    }

    String text() throws IOException {
      return Files.readString(out);
    }

    String log() throws IOException {
      return Files.readString(err);
    }

    /** Threads of the process; 0 when it has ended. */
    int threads() {
      return (int) status("Threads:");
    }

    /** Most memory the process ever had, in MiB; 0 when it has ended. */
    long mostMemory() {
      return status("VmHWM:") >> 10;
    }

    private long status(String field) {
      try {
        return Files.readAllLines(Path.of("/proc/" + process.pid() + "/status")).stream()
            .filter(line -> line.startsWith(field))
            .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
            .findFirst()
            .orElse(0);
      } catch (IOException e) {
        return 0;
      }
    }
  }

  /** How a process ended. */
  record Ended(int code, String out, String err) {
    /** Everything it said. */
    String all() {
      return out + err;
    }
  }

  /** What a process is started with besides its arguments. */
  record Launch(List<String> jvm, String user, Path input) {
    static final Launch PLAIN = new Launch(List.of(), null, null);

    /** With options of the JVM. */
    Launch jvm(String... options) {
      return new Launch(List.of(options), user, input);
    }

    /** As another user. */
    Launch user(String name) {
      return new Launch(jvm, name, input);
    }

    /** With a file as standard input. */
    Launch input(Path file) {
      return new Launch(jvm, user, file);
    }
  }

  /** Runs ours to its end. */
  Ended ours(String... args) throws IOException, InterruptedException {
    return start(Launch.PLAIN, args).await(Duration.ofMinutes(3));
  }

  /** Starts ours. */
  Running start(Launch launch, String... args) throws IOException {
    return start(jar.toString(), OURS, launch, args);
  }

  /** Runs stock's to its end. */
  Ended stock(String... args) throws IOException, InterruptedException {
    return startStock(args).await(Duration.ofMinutes(3));
  }

  /** Starts stock's. */
  Running startStock(String... args) throws IOException {
    return start(jar.toString(), STOCK, Launch.PLAIN, args);
  }

  /** Starts a program of these tests as a client of the cluster. */
  Running start(Class<?> program) throws IOException {
    return start(places(program, Await.class), program.getName(), Launch.PLAIN);
  }

  /** Where these classes are, as a class path. */
  private static String places(Class<?>... classes) {
    return Stream.of(classes)
        .map(each -> each.getProtectionDomain().getCodeSource().getLocation().getPath())
        .collect(Collectors.joining(":"));
  }

  private Running start(String ours, String program, Launch launch, String... args)
      throws IOException {
    Path arguments = cluster.resolve("nodes/" + Plan.CLIENT + "/java.args");
    List<String> command = new ArrayList<>(List.of(Jvm.java(), "@" + arguments));
    command.addAll(launch.jvm());
    // The last class path counts: that of a client with ours at its end.
    command.addAll(List.of("-cp", classPath(arguments) + ":" + ours, program));
    command.addAll(List.of(args));
    int number = started.size();
    Path out = outputs.resolve(number + ".out");
    Path err = outputs.resolve(number + ".err");
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(err.toFile());
    builder.redirectInput(
        launch.input() == null ? Path.of("/dev/null").toFile() : launch.input().toFile());
    Map<String, String> env = builder.environment();
    env.keySet().removeIf(k -> k.startsWith("HADOOP_"));
    if (launch.user() != null) {
      env.put("HADOOP_USER_NAME", launch.user());
    }
    Running running = new Running(builder.start(), out, err);
    started.add(running);
    return running;
  }

  private static String classPath(Path arguments) throws IOException {
    List<String> lines = Files.readAllLines(arguments);
    String quoted = lines.get(lines.indexOf("\"-cp\"") + 1);
    return quoted.substring(1, quoted.length() - 1);
  }

  @Override
  public void close() {
    started.forEach(running -> running.process().destroyForcibly());
  }
}
