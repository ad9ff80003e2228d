package io.evenkeel.bench.gameday;

import io.evenkeel.bench.gameday.round.GameDayOptions;
import io.evenkeel.bench.gameday.schedule.NamedSchedules;
import io.evenkeel.bench.gameday.schedule.Schedule;
import io.evenkeel.bench.runtime.HadoopRuntime;
import io.evenkeel.bench.runtime.Installation;
import io.evenkeel.bench.runtime.Jvm;
import io.evenkeel.bench.runtime.Programs;
import io.evenkeel.common.cli.CommandException;
import io.evenkeel.common.cli.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Checks the options of a game day and runs {@link GameDayMain} in a JVM of its own with the chosen
 * Hadoop on its class path.
 */
public final class GameDayLauncher {
  private static final Duration GRACE = Duration.ofSeconds(60); // it ends a cluster first
  private static final long MOST_MINUTES = 7 * 24 * 60;

  /** What Hadoop reads as something else in lists and URIs. */
  private static final Pattern UNUSABLE = Pattern.compile("[\\s,:;${}]");

  private final GameDayOptions options;

  /** Takes checked or unchecked options; {@link #run} checks them. */
  public GameDayLauncher(GameDayOptions options) {
    this.options = options;
  }

  /** Runs it and returns its exit code. */
  public int run() throws IOException, InterruptedException {
    check();
    try {
      Files.createDirectories(options.out());
    } catch (IOException e) {
      throw new CommandException(
          ExitCode.COULD_NOT_RUN, "--out " + options.out() + " is no directory to write to", e);
    }
    HadoopRuntime hadoop = HadoopRuntime.resolve(options.hadoop());
    Path out = options.out().toAbsolutePath();
    List<String> command =
        Jvm.command(
            hadoop,
            "512m",
            GameDayMain.class.getName(),
            "-Devenkeel.gameday=" + options.toJson(),
            "-Devenkeel.root=" + System.getProperty("evenkeel.root", ""),
            "-Devenkeel.home=" + System.getProperty("evenkeel.home", ""),
            "-Djava.io.tmpdir=" + Files.createDirectories(out.resolve("tmp")));
    return Programs.run(command, GRACE, () -> {});
  }

  private void check() {
    HadoopRuntime.checkVersion(options.hadoop());
    String out = options.out().toAbsolutePath().toString();
    if (UNUSABLE.matcher(out).find()) {
      throw new CommandException(
          ExitCode.USAGE, "--out " + out + ": no blanks and none of , : ; $ { } are allowed there");
    }
    if (options.minutes() < 0 || options.minutes() > MOST_MINUTES) {
      throw new CommandException(
          ExitCode.USAGE, "--minutes " + options.minutes() + ": 0 to " + MOST_MINUTES);
    }
    if (options.nameNodes() != 1 && options.nameNodes() != 2) {
      throw new CommandException(ExitCode.USAGE, "--namenodes " + options.nameNodes() + ": 1 or 2");
    }
    if (options.jars() != null && Installation.jars(options.jars()).isEmpty()) {
      throw new CommandException(ExitCode.USAGE, "--jars " + options.jars() + ": no jars there");
    }
    if (options.replay() != null && options.shrink()) {
      throw new CommandException(ExitCode.USAGE, "--shrink is for drawn rounds, not for --replay");
    }
    if (options.replay() != null) {
      readSchedule(options.replay());
    }
  }

  static Schedule readSchedule(Path file) {
    try {
      return Files.isRegularFile(file)
          ? Schedule.fromJson(Files.readString(file))
          : NamedSchedules.get(file.toString());
    } catch (IOException e) {
      throw new CommandException(ExitCode.USAGE, "--replay " + file + " cannot be read as text", e);
    } catch (IllegalArgumentException e) {
      String why = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
      throw new CommandException(ExitCode.USAGE, "--replay " + file + ": " + why, e);
    }
  }
}
