package io.evenkeel.bench;

import io.evenkeel.bench.runtime.HadoopRuntime;
import io.evenkeel.bench.runtime.Jvm;
import io.evenkeel.bench.runtime.Programs;
import io.evenkeel.bench.sim.placement.SimulateMain;
import io.evenkeel.common.cli.CommandException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs {@link BenchMain} or {@link SimulateMain} in a child JVM on the classes of a Hadoop release.
 * Stateless.
 */
public final class BenchProcess {
  private BenchProcess() {}

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
    return Programs.run(command, Duration.ZERO, () -> {});
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
    return Programs.answer(command, request);
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
