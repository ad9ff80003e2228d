package io.evenkeel.bench;

import io.evenkeel.bench.runtime.HadoopRuntime;
import io.evenkeel.bench.runtime.Jvm;
import io.evenkeel.bench.runtime.Programs;
import io.evenkeel.common.cli.CommandException;
import java.time.Duration;
import java.util.List;

/**
 * Runs {@link BenchMain} in a child JVM on the classes of a Hadoop release. Stands apart from it as
 * the launcher's side, where there is no Hadoop. Stateless.
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
    HadoopRuntime hadoop = HadoopRuntime.resolve(hadoopVersion);
    List<String> command =
        Jvm.command(hadoop, "512m", BenchMain.class.getName(), "-Djmh.ignoreLock=true");
    command.addAll(args);
    return Programs.run(command, Duration.ZERO, () -> {});
  }
}
