package io.evenkeel.mover.core.report;

import io.evenkeel.common.config.Units;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * How far a run is, and when to say so: a bar several times a second on a terminal, else a line
 * every few seconds. What is to be done grows while files are found, so the bar tells of what was
 * found so far. Thread-safe.
 */
public final class Progress {
  private static final long BAR_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
  private static final long LINE_NANOS = TimeUnit.SECONDS.toNanos(5);
  private static final int SECONDS_OF_A_PACE = 5;
  private static final int WIDTH = 12;
  private static final int COLUMNS = 79; // what wraps cannot be written over

  private final boolean terminal;
  private final long start;
  private long shown;
  private String last = "";
  private long filesFound;
  private long filesDone;
  private long unsatisfied;
  private long replicasPlanned;
  private long replicasMoved;
  private long bytesPlanned;
  private long bytesMoved;

  /**
   * Creates it.
   *
   * @param terminal whether a line can be written over
   * @param nanos the clock now, as {@link System#nanoTime}
   */
  public Progress(boolean terminal, long nanos) {
    this.terminal = terminal;
    this.start = nanos;
    this.shown = nanos;
  }

  /** A file was found with so much to move. */
  public synchronized void planned(long replicas, long bytes) {
    filesFound++;
    replicasPlanned += replicas;
    bytesPlanned += bytes;
  }

  /** A replica was moved. */
  public synchronized void moved(long bytes) {
    replicasMoved++;
    bytesMoved += bytes;
  }

  /** Nothing more happens to a file. */
  public synchronized void done(boolean satisfied) {
    filesDone++;
    unsatisfied += satisfied ? 0 : 1;
  }

  /**
   * What to print now.
   *
   * @return null when the last one is recent enough, or nothing changed on a terminal
   */
  public synchronized String due(long nanos) {
    if (nanos - shown < (terminal ? BAR_NANOS : LINE_NANOS)) {
      return null;
    }
    shown = nanos;
    String text = terminal ? bar(nanos) : line(nanos, " of ");
    if (terminal && text.equals(last)) {
      return null;
    }
    last = text;
    return text;
  }

  private String bar(long nanos) {
    int full = (int) (WIDTH * share());
    StringBuilder bar = new StringBuilder("[");
    for (int i = 0; i < WIDTH; i++) {
      bar.append(i < full ? '=' : i == full ? '>' : ' ');
    }
    bar.append("] ").append(line(nanos, "/"));
    return bar.length() > COLUMNS ? bar.substring(0, COLUMNS) : bar.toString();
  }

  private double share() {
    long planned = Math.max(replicasPlanned, replicasMoved); // a retry may move more than planned
    return planned == 0 ? 0 : (double) replicasMoved / planned;
  }

  private String line(long nanos, String of) {
    double seconds = Math.max(0.001, (nanos - start) / 1e9);
    return String.format(
        Locale.ROOT,
        "%d%s%d files, %d%s%d replicas, %s%s%s, %s/s%s%s",
        filesDone,
        of,
        Math.max(filesFound, filesDone),
        replicasMoved,
        of,
        Math.max(replicasPlanned, replicasMoved),
        Units.humanBytes(bytesMoved),
        of,
        Units.humanBytes(Math.max(bytesPlanned, bytesMoved)),
        Units.humanBytes(bytesMoved / seconds),
        left(seconds),
        unsatisfied == 0 ? "" : ", " + unsatisfied + " not satisfied");
  }

  /** At the pace so far; more may be found. */
  private String left(double seconds) {
    long replicas = replicasPlanned - replicasMoved;
    if (replicas <= 0 || replicasMoved == 0 || seconds < SECONDS_OF_A_PACE) {
      return "";
    }
    double millis = 1_000 * seconds / replicasMoved * replicas;
    return ", at least " + Units.humanDuration((long) millis) + " left";
  }
}
