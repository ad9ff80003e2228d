package io.evenkeel.bench;

import io.evenkeel.bench.runtime.HadoopRuntime;
import io.evenkeel.bench.runtime.Jvm;
import io.evenkeel.common.cli.CommandException;
import io.evenkeel.common.cli.ExitCode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Runs {@link BenchMain} in a child JVM on the classes of a Hadoop release. Stateless. */
public final class BenchProcess {
  private BenchProcess() {}

  /**
   * Runs and waits; the child writes to this process's standard output and error.
   *
   * @param hadoopVersion release to put on the class path, for example {@code 3.4.3}
   * @param args options of {@link BenchMain#main}
   * @return exit code of the child
   * @throws CommandException when the release or the JVM cannot be had
   * @throws InterruptedException when interrupted; the child and its forks are ended first
   */
  public static int run(String hadoopVersion, List<String> args) throws InterruptedException {
    HadoopRuntime hadoop = HadoopRuntime.resolve(hadoopVersion);
    Process child;
    try {
      child = new ProcessBuilder(command(hadoop, args)).inheritIO().start();
    } catch (IOException e) {
      throw new CommandException(
          ExitCode.COULD_NOT_RUN, "cannot start a JVM: " + e.getMessage(), e);
    }
    Thread hook = Jvm.atExit("bench-end", () -> end(child));
    try {
      return child.waitFor();
    } finally {
      end(child);
      Jvm.cancelAtExit(hook);
    }
  }

  private static void end(Process child) {
    child.descendants().forEach(ProcessHandle::destroyForcibly);
    child.destroyForcibly();
  }

  static List<String> command(HadoopRuntime hadoop, List<String> args) {
    List<String> command = new ArrayList<>();
    command.add(Jvm.java());
    command.addAll(hadoop.jvmArgs());
    command.add("-Xmx512m");
    command.add("-Dlog4j.configuration=io/evenkeel/bench/log4j.properties");
    command.add("-Djmh.ignoreLock=true");
    command.add("-cp");
    command.add(Jvm.classPath(hadoop));
    command.add(BenchMain.class.getName());
    command.addAll(args);
    return command;
  }
}
