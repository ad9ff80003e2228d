package io.evenkeel.mover.cli;

import io.evenkeel.common.config.Units;
import io.evenkeel.mover.request.FileReport;
import io.evenkeel.mover.request.MoveListener;
import io.evenkeel.mover.request.MoveReport;
import java.io.PrintStream;
import java.util.Locale;
import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.TimeUnit;

/**
 * Prints how far a round is: a line every few seconds, from a thread of its own so that a slow
 * terminal holds nothing up, and with {@code --verbose} each file that is done. What is to be done
 * grows while files are found, so a line tells of what was found so far. Thread-safe.
 */
final class ProgressPrinter implements AutoCloseable {
  private static final long PERIOD_MILLIS = TimeUnit.SECONDS.toMillis(5);

  private final PrintStream err;
  private final boolean verbose;
  private final Timer timer = new Timer("mover-progress", true);

  // guarded by this
  private long filesFound;
  private long filesDone;
  private long unsatisfied;
  private long replicasPlanned;
  private long replicasMoved;
  private long bytesPlanned;
  private long bytesMoved;

  ProgressPrinter(PrintStream err, boolean verbose) {
    this.err = err;
    this.verbose = verbose;
    long start = System.nanoTime();
    TimerTask print =
        new TimerTask() {
          @Override
          public void run() {
            err.println("mover: " + line((System.nanoTime() - start) / 1e9));
          }
        };
    timer.schedule(print, PERIOD_MILLIS, PERIOD_MILLIS);
  }

  /** The listener of one request; files that are done are also added to {@code told}. */
  MoveListener listener(MoveReport.Builder told) {
    return new MoveListener() {
      @Override
      public void filePlanned(String path, long replicas, long bytes) {
        planned(replicas, bytes);
      }

      @Override
      public void replicaMoved(String path, boolean local, long bytes) {
        moved(bytes);
      }

      @Override
      public void fileDone(FileReport file) {
        told.add(file);
        done(file);
      }
    };
  }

  private synchronized void planned(long replicas, long bytes) {
    filesFound++;
    replicasPlanned += replicas;
    bytesPlanned += bytes;
  }

  private synchronized void moved(long bytes) {
    replicasMoved++;
    bytesMoved += bytes;
  }

  private synchronized void done(FileReport file) {
    filesDone++;
    unsatisfied += file.outcome().isSatisfied() ? 0 : 1;
    if (verbose) {
      err.println(ReportText.oneLine(file));
    }
  }

  /** How far it is after so many seconds. */
  synchronized String line(double seconds) {
    return String.format(
        Locale.ROOT,
        "%d of %d files, %d of %d replicas, %s of %s, %s/s%s%s",
        filesDone,
        Math.max(filesFound, filesDone),
        replicasMoved,
        Math.max(replicasPlanned, replicasMoved), // a retry may move more than planned
        Units.humanBytes(bytesMoved),
        Units.humanBytes(Math.max(bytesPlanned, bytesMoved)),
        Units.humanBytes(bytesMoved / seconds),
        left(seconds),
        unsatisfied == 0 ? "" : ", " + unsatisfied + " not satisfied");
  }

  /** At the pace so far; more may be found. */
  private String left(double seconds) {
    long replicas = replicasPlanned - replicasMoved;
    if (replicas <= 0 || replicasMoved == 0) {
      return "";
    }
    double millis = 1_000 * seconds / replicasMoved * replicas;
    return ", at least " + Units.humanDuration((long) millis) + " left";
  }

  /** Prints no more. */
  @Override
  public void close() {
    timer.cancel();
    err.flush();
  }
}
