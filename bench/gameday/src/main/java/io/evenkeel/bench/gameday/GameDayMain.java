package io.evenkeel.bench.gameday;

import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;

import io.evenkeel.bench.gameday.cluster.GameCluster;
import io.evenkeel.bench.gameday.round.GameDay;
import io.evenkeel.bench.gameday.round.GameDayOptions;
import io.evenkeel.bench.gameday.schedule.Schedule;
import io.evenkeel.common.cli.CommandException;
import io.evenkeel.common.cli.ExitCode;
import io.evenkeel.common.cli.StandardOutput;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A game day itself, apart from {@link GameDayLauncher}, which starts a JVM for it with Hadoop on
 * the class path and needs none itself.
 */
public final class GameDayMain {
  /** Kept open until this JVM ends. */
  @SuppressWarnings("unused")
  private static volatile FileChannel held;

  private GameDayMain() {}

  /** Runs with the options of the launcher. */
  public static void main(String[] args) throws Exception {
    GameDayOptions options = GameDayOptions.fromJson(System.getProperty("evenkeel.gameday"));
    Path cluster = options.out().resolve("cluster");
    try {
      held = lock(options.out());
    } catch (CommandException e) {
      System.err.println("evenkeel: " + e.getMessage());
      Runtime.getRuntime().halt(e.exitCode().code()); // nothing there is to be ended by this one
    }
    Runtime.getRuntime()
        .addShutdownHook(new Thread(() -> interrupted(cluster), "gameday-interrupted"));
    PrintStream terminal = System.out;
    PrintStream errors = System.err;
    PrintStream noise =
        new PrintStream(
            Files.newOutputStream(
                options.out().resolve("gameday.log"), CREATE, APPEND), // another may write there
            true,
            StandardCharsets.UTF_8);
    System.setOut(noise);
    System.setErr(noise);
    int code;
    try {
      Optional<Schedule> replay =
          Optional.ofNullable(options.replay()).map(GameDayLauncher::readSchedule);
      code = new GameDay(options, cluster, terminal).run(replay).code();
    } catch (CommandException e) {
      errors.println("evenkeel: " + e.getMessage());
      code = e.exitCode().code();
    } catch (Exception | Error e) { // what is left uncaught ends as if it had been interrupted
      e.printStackTrace(noise);
      String why = e.toString().lines().findFirst().orElse("");
      errors.println("evenkeel: the game day failed: " + why + "; see gameday.log in --out");
      code = ExitCode.COULD_NOT_RUN.code();
    }
    System.setOut(terminal);
    endAll(cluster); // nothing runs any more unless something failed
    Runtime.getRuntime()
        .halt(StandardOutput.checked(code, why -> errors.println("evenkeel: " + why)));
  }

  /**
   * Keeps other game days out of a directory, whose cluster they would end, until this JVM ends.
   *
   * @throws CommandException when one runs there
   */
  static FileChannel lock(Path out) throws IOException {
    FileChannel channel = FileChannel.open(out.resolve("lock"), CREATE, WRITE);
    try {
      if (channel.tryLock() != null) {
        return channel;
      }
    } catch (OverlappingFileLockException e) {
      // told below
    }
    channel.close();
    throw new CommandException(
        ExitCode.COULD_NOT_RUN, "--out " + out + ": another game day runs there");
  }

  /** At once: an orderly end would have clients wait for a NameNode that is no more. */
  private static void interrupted(Path cluster) {
    endAll(cluster);
    Runtime.getRuntime().halt(ExitCode.INTERRUPTED.code());
  }

  /** Also clients and tools, whose hooks a halt does not run. */
  private static void endAll(Path cluster) {
    GameCluster.halt(cluster);
    ProcessHandle.current().descendants().forEach(ProcessHandle::destroyForcibly);
  }
}
