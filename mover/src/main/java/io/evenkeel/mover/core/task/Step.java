package io.evenkeel.mover.core.task;

import io.evenkeel.mover.core.plan.ReplicaMove;
import io.evenkeel.mover.request.FileReport;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** What is to be done next about a file: moves, or a wait, or nothing more. Immutable. */
public final class Step {
  private final List<ReplicaMove> moves;
  private final FileReport report;
  private final long waitMillis;

  private Step(List<ReplicaMove> moves, FileReport report, long waitMillis) {
    this.moves = Collections.unmodifiableList(new ArrayList<>(moves));
    this.report = report;
    this.waitMillis = waitMillis;
  }

  static Step move(List<ReplicaMove> moves) {
    return new Step(moves, null, 0);
  }

  static Step waitFor(long millis) {
    return new Step(Collections.emptyList(), null, millis);
  }

  static Step done(FileReport report) {
    return new Step(Collections.emptyList(), report, 0);
  }

  /** What to start now; empty when there is nothing to start. */
  public List<ReplicaMove> moves() {
    return moves;
  }

  /** What became of the file, null while it is in work. */
  public FileReport report() {
    return report;
  }

  /** How long to wait before the next look when there is nothing to start, milliseconds. */
  public long waitMillis() {
    return waitMillis;
  }
}
