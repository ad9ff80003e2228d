package io.evenkeel.mover.cli;

import io.evenkeel.common.cli.CommandException;
import io.evenkeel.common.cli.ExitCode;
import io.evenkeel.common.json.Json;
import io.evenkeel.mover.core.report.ExitRule;
import io.evenkeel.mover.request.FileOutcome;
import io.evenkeel.mover.request.FileReport;
import io.evenkeel.mover.request.MoveReport;
import io.evenkeel.mover.request.MoveRequest;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;

/**
 * Makes the requests of a command line, one for each namespace, with {@code --watch} until all is
 * satisfied, and reports. Used once.
 */
public final class MoverRun {
  private final MoverOptions options;
  private final Surroundings surroundings;
  private final String version;
  private final long start = System.nanoTime();
  private final GivenPaths given;
  private final Map<URI, Movers.Mover> movers = new LinkedHashMap<>();
  private int rounds;
  private volatile boolean isStopped;

  /**
   * Reads all paths, standard input to its end, which no interrupt ends.
   *
   * @param conf whose {@code fs.defaultFS} is for paths that name no NameNode
   * @param version of this program, null when it is not packaged
   */
  public MoverRun(
      MoverOptions options, Configuration conf, Surroundings surroundings, String version)
      throws IOException {
    this.options = options;
    this.surroundings = surroundings;
    this.version = version;
    this.given = GivenPaths.read(options, surroundings.in(), conf);
  }

  /** Nothing is begun any more, also where an interrupt is lost. By any thread. */
  public void stop() {
    isStopped = true;
  }

  /**
   * Runs and prints the report; an interrupt ends it with what was done so far.
   *
   * @return what the command ends with
   * @throws CommandException when it is stopped before all NameNodes have answered
   */
  public ExitCode run(Movers opener) throws IOException {
    try {
      for (URI namenode : given.shares().keySet()) {
        movers.put(namenode, opener.open(namenode));
        if (isStopped) {
          throw new CommandException(ExitCode.INTERRUPTED, "interrupted");
        }
      }
      return watch();
    } finally {
      closeMovers();
    }
  }

  private void closeMovers() {
    List<Movers.Mover> open = new ArrayList<>(movers.values());
    movers.clear();
    open.forEach(Movers.Mover::close);
  }

  private ExitCode watch() throws IOException {
    MoveReport report;
    ExitCode code;
    do {
      rounds++;
      report = round();
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

  /** Makes all requests once; an interrupt ends them early, and is set again. */
  private MoveReport round() throws IOException {
    Map<URI, Part> parts = new LinkedHashMap<>();
    try (ProgressPrinter progress = new ProgressPrinter(surroundings.err(), options.verbose)) {
      movers.forEach((namenode, mover) -> parts.put(namenode, request(namenode, mover, progress)));
      CompletableFuture<Void> all =
          CompletableFuture.allOf(
              parts.values().stream().map(p -> p.future).toArray(CompletableFuture<?>[]::new));
      for (Part part : parts.values()) {
        CompletableFuture<MoveReport> unused =
            part.future.whenComplete(
                (report, e) -> {
                  if (e != null) {
                    all.completeExceptionally(e); // the others are not waited for
                  }
                });
      }
      await(all, parts.values());
    }
    MoveReport.Builder sum = new MoveReport.Builder();
    parts.forEach(
        (name, part) -> sum.addAll(part.report(), parts.size() > 1 ? name.toString() : ""));
    return sum.addAll(given.bad(), "").build();
  }

  private Part request(URI namenode, Movers.Mover mover, ProgressPrinter progress) {
    GivenPaths.Share share = given.shares().get(namenode);
    Part part = new Part(share.paths.iterator());
    part.future =
        mover.move(
            MoveRequest.of().stream(part)
                .globs(share.globs.toArray(new String[0]))
                .policyOverride(options.policy)
                .delay(rounds == 1 ? options.delay() : Duration.ZERO)
                .deadline(remaining())
                .bytesPerSecond(options.bytesPerSecond())
                .dryRun(options.dryRun)
                .snapshots(options.snapshots)
                .listener(progress.listener(part.told))
                .build());
    return part;
  }

  private void await(CompletableFuture<Void> all, Iterable<Part> parts) throws IOException {
    try {
      all.get();
    } catch (InterruptedException e) {
      stop(parts);
      Thread.currentThread().interrupt();
    } catch (ExecutionException e) {
      stop(parts);
      throw failure(e.getCause());
    }
  }

  private void stop(Iterable<Part> parts) {
    parts.forEach(part -> part.future.cancel(true));
    closeMovers(); // waits for moves under way, and so for what is told of them
  }

  private static IOException failure(Throwable cause) {
    if (cause instanceof IOException) {
      return (IOException) cause;
    }
    if (cause instanceof RuntimeException) {
      throw (RuntimeException) cause;
    }
    return new IOException(cause);
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

  /** The request to one namespace; hands out its paths. Thread-safe. */
  private static final class Part implements Iterator<String> {
    private final MoveReport.Builder told = new MoveReport.Builder();
    private final Iterator<String> paths;
    private CompletableFuture<MoveReport> future;

    Part(Iterator<String> paths) {
      this.paths = paths;
    }

    @Override
    public synchronized boolean hasNext() {
      return paths.hasNext();
    }

    @Override
    public synchronized String next() {
      return paths.next();
    }

    /**
     * What became of its files, those told of where there is no report, with the paths nobody asked
     * for as cancelled. To be called once, at the end.
     */
    synchronized MoveReport report() {
      boolean whole = future.isDone() && !future.isCompletedExceptionally();
      MoveReport.Builder sum = new MoveReport.Builder();
      sum.addAll(whole ? future.join() : told.build(), "");
      paths.forEachRemaining(
          path -> sum.add(FileReport.of(path, FileOutcome.CANCELLED, "not reached")));
      return sum.build();
    }
  }
}
