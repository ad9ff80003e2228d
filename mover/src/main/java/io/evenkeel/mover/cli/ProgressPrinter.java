package io.evenkeel.mover.cli;

import io.evenkeel.mover.core.report.Progress;
import io.evenkeel.mover.request.FileReport;
import io.evenkeel.mover.request.MoveListener;
import io.evenkeel.mover.request.MoveReport;
import java.io.PrintStream;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Prints how far a round is, from a thread of its own so that a slow terminal holds nothing up; and
 * with {@code --verbose} each file that is done. Thread-safe.
 */
final class ProgressPrinter implements AutoCloseable {
  private static final String OVERWRITE = "\r\u001b[K";
  private static final long TICK_MILLIS = 200;

  private final PrintStream err;
  private final boolean terminal;
  private final boolean verbose;
  private final Progress progress;
  private final ScheduledExecutorService ticker;
  private Future<?> ticks;
  private boolean barShown;

  ProgressPrinter(Surroundings surroundings, boolean verbose) {
    this.err = surroundings.err();
    this.terminal = surroundings.isTerminal();
    this.verbose = verbose;
    this.progress = new Progress(terminal, System.nanoTime());
    this.ticker =
        Executors.newSingleThreadScheduledExecutor(
            work -> {
              Thread thread = new Thread(work, "mover-progress");
              thread.setDaemon(true);
              return thread;
            });
  }

  /** Begins to print. */
  void start() {
    ticks =
        ticker.scheduleWithFixedDelay(this::tick, TICK_MILLIS, TICK_MILLIS, TimeUnit.MILLISECONDS);
  }

  /** Prints what is due. */
  synchronized void tick() {
    String due = progress.due(System.nanoTime());
    if (due == null) {
      return;
    }
    if (terminal) {
      err.print(OVERWRITE + due);
      barShown = true;
    } else {
      err.println("mover: " + due);
    }
    err.flush();
  }

  private synchronized void fileDone(FileReport file) {
    progress.done(file.outcome().isSatisfied());
    if (verbose) {
      clear();
      err.println(ReportText.oneLine(file));
    }
  }

  private void clear() {
    if (barShown) {
      err.print(OVERWRITE);
      barShown = false;
    }
  }

  /** The listener of one request; files that are done are also added to {@code told}. */
  MoveListener listener(MoveReport.Builder told) {
    return new MoveListener() {
      @Override
      public void filePlanned(String path, long replicas, long bytes) {
        progress.planned(replicas, bytes);
      }

      @Override
      public void replicaMoved(String path, boolean local, long bytes) {
        progress.moved(bytes);
      }

      @Override
      public void fileDone(FileReport file) {
        told.add(file);
        ProgressPrinter.this.fileDone(file);
      }
    };
  }

  /** Prints no more and removes the bar. */
  @Override
  public void close() {
    if (ticks != null) {
      ticks.cancel(false);
    }
    ticker.shutdownNow();
    synchronized (this) {
      clear();
      err.flush();
    }
  }
}
