package io.evenkeel.bench;

import io.evenkeel.bench.runtime.HadoopRuntime;
import io.evenkeel.bench.runtime.Jvm;
import io.evenkeel.bench.sim.placement.SimulateMain;
import io.evenkeel.common.cli.CommandException;
import io.evenkeel.common.cli.ExitCode;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs {@link BenchMain} or {@link SimulateMain} in a child JVM on the classes of a Hadoop release.
 * Stateless.
 */
public final class BenchProcess {
  private BenchProcess() {}

  /** What is done with a child until it ends. */
  private interface Use<T> {
    T of(Process child) throws IOException, InterruptedException;
  }

  /**
   * Runs benchmarks and waits; the child writes to this process's standard output and error.
   *
   * @param hadoopVersion release to put on the class path, for example {@code 3.4.3}
   * @param args options of {@link BenchMain#main}
   * @return exit code of the child
   * @throws CommandException when the release or the JVM cannot be had
   * @throws InterruptedException when interrupted; the child and its forks are ended first
   */
  public static int run(String hadoopVersion, List<String> args) throws InterruptedException {
    List<String> command =
        command(HadoopRuntime.resolve(hadoopVersion), "512m", BenchMain.class.getName());
    command.addAll(args);
    return use(new ProcessBuilder(command).inheritIO(), Process::waitFor);
  }

  /**
   * Simulates the writing of blocks and waits; progress goes to this process's standard error.
   *
   * @param request JSON for {@link SimulateMain}
   * @return its answer, JSON
   * @throws CommandException when the release or the JVM cannot be had, or there is no answer
   * @throws InterruptedException when interrupted; the child is ended first
   */
  public static String simulate(String hadoopVersion, String request) throws InterruptedException {
    List<String> command =
        command(HadoopRuntime.resolve(hadoopVersion), "1g", SimulateMain.class.getName());
    return use(
        new ProcessBuilder(command).redirectError(Redirect.INHERIT),
        child -> {
          try (OutputStream to = child.getOutputStream()) {
            to.write(request.getBytes(StandardCharsets.UTF_8));
          }
          String answer = new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
          int code = child.waitFor();
          if (code != 0) {
            throw new CommandException(
                ExitCode.COULD_NOT_RUN,
                answer.isEmpty() ? "the JVM of the simulation ended with " + code : answer);
          }
          return answer;
        });
  }

  private static <T> T use(ProcessBuilder builder, Use<T> use) throws InterruptedException {
    Process child;
    try {
      child = builder.start();
    } catch (IOException e) {
      throw new CommandException(
          ExitCode.COULD_NOT_RUN, "cannot start a JVM: " + e.getMessage(), e);
    }
    Thread hook = Jvm.atExit("bench-end", () -> end(child));
    try {
      return use.of(child);
    } catch (IOException e) {
      throw new CommandException(
          ExitCode.COULD_NOT_RUN, "the child JVM ended early: " + e.getMessage(), e);
    } finally {
      end(child);
      Jvm.cancelAtExit(hook);
    }
  }

  private static void end(Process child) {
    child.descendants().forEach(ProcessHandle::destroyForcibly);
    child.destroyForcibly();
  }

  private static List<String> command(HadoopRuntime hadoop, String heap, String mainClass) {
    List<String> command = new ArrayList<>();
    command.add(Jvm.java());
    command.addAll(hadoop.jvmArgs());
    command.add("-Xmx" + heap);
    command.add("-Dlog4j.configuration=io/evenkeel/bench/log4j.properties");
    command.add("-Djmh.ignoreLock=true");
    command.add("-cp");
    command.add(Jvm.classPath(hadoop));
    command.add(mainClass);
    return command;
  }
}
