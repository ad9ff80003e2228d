package io.evenkeel.mover.cli;

import io.evenkeel.common.cli.ExitCode;
import io.evenkeel.common.json.Json;
import io.evenkeel.mover.core.report.ExitRule;
import io.evenkeel.mover.request.MoveReport;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Makes the request of a command line, with {@code --watch} until all is satisfied, and reports.
 */
public final class MoverRun {
  private final MoverOptions options;
  private final OpenMovers movers;
  private final Surroundings surroundings;
  private final String version;
  private final long start = System.nanoTime();
  private int rounds;

  /**
   * Creates it.
   *
   * @param version of this program, null when it is not packaged
   */
  public MoverRun(
      MoverOptions options, OpenMovers movers, Surroundings surroundings, String version) {
    this.options = options;
    this.movers = movers;
    this.surroundings = surroundings;
    this.version = version;
  }

  /**
   * Runs and prints the report; an interrupt ends it with what was done so far.
   *
   * @return what the command ends with
   */
  public ExitCode run() throws IOException {
    PathFeed feed = new PathFeed(options, surroundings.in());
    MoveReport report;
    ExitCode code;
    do {
      rounds++;
      try (ProgressPrinter progress = new ProgressPrinter(surroundings, options.verbose)) {
        progress.start();
        Duration delay = rounds == 1 ? options.delay() : Duration.ZERO;
        report = new Round(options, movers, feed, progress).run(delay, remaining());
      }
      code = Thread.interrupted() ? ExitCode.INTERRUPTED : ExitRule.of(report);
      if (options.watch && isUnsatisfied(code) && hasTimeForAnother()) {
        code = pause(report, code);
      } else {
        break;
      }
    } while (isUnsatisfied(code));
    print(report, code);
    return code;
  }

  private static boolean isUnsatisfied(ExitCode code) {
    return code != ExitCode.OK && code != ExitCode.NOTHING_TO_DO && code != ExitCode.INTERRUPTED;
  }

  private ExitCode pause(MoveReport report, ExitCode code) {
    surroundings
        .err()
        .println(
            "mover: round "
                + rounds
                + ": "
                + ReportText.files(report)
                + "; again in "
                + options.interval);
    try {
      Thread.sleep(options.interval().toMillis());
      return code;
    } catch (InterruptedException e) {
      return ExitCode.INTERRUPTED;
    }
  }

  private boolean hasTimeForAnother() {
    Duration remaining = remaining();
    return remaining == null || remaining.compareTo(options.interval()) > 0;
  }

  /** Of the deadline; null when there is none. */
  private Duration remaining() {
    Duration deadline = options.deadline();
    if (deadline == null) {
      return null;
    }
    Duration left = deadline.minusMillis(elapsedMillis());
    return left.isNegative() ? Duration.ZERO : left;
  }

  private long elapsedMillis() {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
  }

  private void print(MoveReport report, ExitCode code) {
    long elapsed = elapsedMillis();
    if (options.json) {
      surroundings
          .out()
          .println(Json.pretty(ReportJson.of(report, options, code, version, elapsed, rounds)));
    } else {
      surroundings.out().print(ReportText.of(report, options, elapsed, rounds));
      if (code == ExitCode.INTERRUPTED) {
        surroundings.err().println("mover: interrupted");
      }
    }
    surroundings.out().flush();
  }
}
