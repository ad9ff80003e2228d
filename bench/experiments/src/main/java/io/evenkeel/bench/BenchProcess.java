package io.evenkeel.bench;

import io.evenkeel.bench.runtime.HadoopRuntime;
import io.evenkeel.bench.runtime.Jvm;
import io.evenkeel.bench.runtime.Programs;
import io.evenkeel.bench.runtime.Trees;
import io.evenkeel.common.cli.CommandException;
import io.evenkeel.common.cli.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs {@link BenchMain} in a child JVM on the classes of a Hadoop release. Stands apart from it as
 * the launcher's side, where there is no Hadoop. Stateless.
 */
public final class BenchProcess {
  private static final Path MEMORY = Path.of("/dev/shm");

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
    return run(HadoopRuntime.resolve(hadoopVersion), BenchMain.class.getName(), args);
  }

  /** The same with another main class. Files it leaves in directories for these are deleted. */
  static int run(HadoopRuntime hadoop, String mainClass, List<String> args)
      throws InterruptedException {
    List<Path> made = new ArrayList<>();
    try {
      Path temporary = Files.createTempDirectory("evenkeel-bench");
      made.add(temporary);
      Path memory =
          Files.isWritable(MEMORY)
              ? Files.createTempDirectory(MEMORY, "evenkeel-bench")
              : Files.createDirectory(temporary.resolve("memory"));
      made.add(memory);
      List<String> command =
          Jvm.command(
              hadoop,
              "512m",
              mainClass,
              "-Djmh.ignoreLock=true",
              "-Djava.io.tmpdir=" + temporary,
              "-Devenkeel.bench.memory=" + memory);
      command.addAll(args);
      return Programs.run(command, Duration.ZERO, () -> delete(made));
    } catch (IOException e) {
      throw new CommandException(
          ExitCode.COULD_NOT_RUN, "no temporary directory: " + e.getMessage(), e);
    } finally {
      delete(made);
    }
  }

  private static void delete(List<Path> directories) {
    for (Path directory : directories) {
      try {
        Trees.deleteOfEnded(directory);
      } catch (IOException e) {
        System.err.println("evenkeel: could not remove " + directory + ": " + e.getMessage());
      }
    }
  }
}
