package io.evenkeel.mover.cli;

import io.evenkeel.common.cli.CommandException;
import io.evenkeel.common.cli.ExitCode;
import io.evenkeel.common.json.Json;
import io.evenkeel.mover.follow.MoveService;
import io.evenkeel.mover.request.FileOutcome;
import io.evenkeel.mover.request.FileReport;
import io.evenkeel.mover.request.MoveReport;
import io.evenkeel.mover.request.MoveRequest;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;

/**
 * Makes the requests of a command line, one for each namespace, with {@code --watch} until all is
 * satisfied, and reports. Used once.
 */
final class MoverRun {
  /** After which {@code --watch} makes another round. */
  private static final Set<ExitCode> AGAIN =
      EnumSet.of(ExitCode.FINDING, ExitCode.NO_SUCH_PATH, ExitCode.DENIED);

  private final MoverOptions options;
  private final InputStream in;
  private final PrintStream out;
  private final PrintStream err;
  private final MoverCommand.Opener opener;
  private final long start = System.nanoTime();
  private final Map<URI, MoveService> movers = new LinkedHashMap<>();
  private GivenPaths given;
  private int rounds;
  private volatile boolean isReading;
  private volatile boolean isStopped;

  MoverRun(
      MoverOptions options,
      InputStream in,
      PrintStream out,
      PrintStream err,
      MoverCommand.Opener opener) {
    this.options = options;
    this.in = in;
    this.out = out;
    this.err = err;
    this.opener = opener;
  }

  /**
   * Nothing is begun any more, also where an interrupt is lost. By any thread.
   *
   * @return whether paths are still being read, which no interrupt ends
   */
  boolean stop() {
    isStopped = true;
    return isReading;
  }

  /**
   * Reads all paths, moves, and prints the report; an interrupt ends it with what was done so far.
   *
   * @return what the command ends with
   * @throws CommandException when it is stopped before all NameNodes have answered
   */
  ExitCode run(Configuration conf) throws IOException {
    isReading = true; // each time before it is asked whether it was stopped
    checkStopped();
    given = GivenPaths.read(options, in, conf);
    isReading = false;
    try {
      for (URI namenode : given.shares().keySet()) {
        checkStopped();
        movers.put(namenode, opener.open(conf, namenode));
      }
      checkStopped();
      return watch();
    } finally {
      closeMovers();
    }
  }

  private void checkStopped() {
    if (isStopped) {
      throw MoverCommand.interrupted(null);
    }
  }

  private void closeMovers() {
    List<MoveService> open = new ArrayList<>(movers.values());
    movers.clear();
    open.forEach(MoveService::close);
  }

  private ExitCode watch() throws IOException {
    MoveReport report;
    do {
      rounds++;
      report = round();
    } while (options.watch && isWorthAnotherRound(report) && pause(report));
    ExitCode code = Thread.interrupted() ? ExitCode.INTERRUPTED : ExitRule.of(report);
    print(report, code);
    return code;
  }

  /** Makes all requests once; an interrupt ends them early, and is set again. */
  private MoveReport round() throws IOException {
    Map<URI, Part> parts = new LinkedHashMap<>();
    try (ProgressPrinter progress = new ProgressPrinter(err, options.verbose)) {
      movers.forEach((namenode, mover) -> parts.put(namenode, request(namenode, mover, progress)));
      await(parts.values());
    }
    MoveReport.Builder sum = new MoveReport.Builder();
    parts.forEach(
        (name, part) -> sum.addAll(part.report(), parts.size() > 1 ? name.toString() : ""));
    return sum.addAll(given.bad(), "").build();
  }

  private Part request(URI namenode, MoveService mover, ProgressPrinter progress) {
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

  private void await(Iterable<Part> parts) throws IOException {
    try {
      for (Part part : parts) {
        part.future.get();
      }
    } catch (InterruptedException e) {
      stop(parts);
      Thread.currentThread().interrupt();
    } catch (ExecutionException e) {
      stop(parts);
      Throwable cause = e.getCause();
      if (cause instanceof RuntimeException) {
        throw (RuntimeException) cause;
      }
      throw cause instanceof IOException ? (IOException) cause : new IOException(cause);
    }
  }

  private void stop(Iterable<Part> parts) {
    parts.forEach(part -> part.future.cancel(true));
    closeMovers(); // waits for moves under way, and so for what is told of them
  }

  private boolean isWorthAnotherRound(MoveReport report) {
    Duration remaining = remaining();
    return !Thread.currentThread().isInterrupted()
        && AGAIN.contains(ExitRule.of(report))
        && (remaining == null || remaining.compareTo(options.interval()) > 0);
  }

  /** False where an interrupt, which is set again, has ended it. */
  private boolean pause(MoveReport report) {
    String files = ReportText.files(report);
    err.printf("mover: round %d: %s; again in %s%n", rounds, files, options.interval);
    try {
      Thread.sleep(options.interval().toMillis());
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
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
      out.println(Json.pretty(ReportJson.of(report, options, code, elapsed, rounds)));
    } else {
      out.print(ReportText.of(report, options, elapsed, rounds));
      if (code == ExitCode.INTERRUPTED) {
        err.println("mover: interrupted");
      }
    }
    out.flush();
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
