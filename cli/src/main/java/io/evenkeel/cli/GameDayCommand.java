package io.evenkeel.cli;

import io.evenkeel.bench.gameday.GameDayLauncher;
import io.evenkeel.bench.gameday.round.GameDayOptions;
import io.evenkeel.common.cli.CommandException;
import io.evenkeel.common.cli.ExitCode;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code evenkeel gameday}: faults on a cluster of real processes. */
@NeedsJava(17)
@Command(
    name = "gameday",
    description = {
      "Kills, pauses and fills what HDFS consists of, while a load remembers what was"
          + " acknowledged; then sees that nothing is lost, misplaced or left over.",
      "A cluster of real processes on this machine; a round takes about six minutes and 3 GB"
          + " of memory. Ends with 2 when something was found."
    })
public final class GameDayCommand implements Callable<Integer> {
  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "Seed of the first round; the next ones count up (${DEFAULT-VALUE}).")
  private long seed;

  @Option(
      names = "--minutes",
      paramLabel = "M",
      defaultValue = "0",
      description = "Begin rounds for so long; 0 is one round (${DEFAULT-VALUE}).")
  private long minutes;

  @Option(
      names = "--namenodes",
      paramLabel = "1|2",
      defaultValue = "1",
      description =
          "One NameNode, or two with three JournalNodes, which fail over as well"
              + " (${DEFAULT-VALUE}).")
  private int nameNodes;

  @Option(
      names = "--plugins",
      paramLabel = "on|off",
      defaultValue = "on",
      description = "Evenkeel's plugins, or stock with node groups (${DEFAULT-VALUE}).")
  private String plugins;

  @Option(
      names = "--jars",
      paramLabel = "DIR",
      description = "Plugin jars of another version, instead of those beside this command.")
  private Path jars;

  @Option(
      names = "--hadoop",
      paramLabel = "VERSION",
      defaultValue = "3.4.3",
      description = "Hadoop release to run (${DEFAULT-VALUE}).")
  private String hadoop;

  @Option(
      names = "--replay",
      paramLabel = "FILE",
      description =
          "Run this schedule once: a file, such as one of --shrink, or a name, such"
              + " as full-tier.")
  private Path replay;

  @Option(
      names = "--shrink",
      description = "Leave out faults of a round that found something, as long as it still does.")
  private boolean shrink;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      defaultValue = "evenkeel-gameday",
      description =
          "Directory of the rounds; those it has already are not run again (${DEFAULT-VALUE}).")
  private Path out;

  @Override
  public Integer call() throws Exception {
    if (!plugins.equals("on") && !plugins.equals("off")) {
      throw new CommandException(ExitCode.USAGE, "--plugins " + plugins + ": on or off");
    }
    return new GameDayLauncher(
            new GameDayOptions(
                seed, minutes, nameNodes, plugins.equals("on"), jars, hadoop, replay, shrink, out))
        .run();
  }
}
