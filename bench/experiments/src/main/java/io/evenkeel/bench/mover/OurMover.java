package io.evenkeel.bench.mover;

import io.evenkeel.mover.FileMover;
import io.evenkeel.mover.request.MoveReport;
import org.apache.hadoop.fs.Path;

/** Our mover, opened and closed for each request as its command does. Stateless. */
final class OurMover {
  private OurMover() {}

  /**
   * Moves what is at a path.
   *
   * @throws IllegalStateException when not all is satisfied
   */
  static Run.Tool tool(MoverCluster cluster, String path) {
    return () -> {
      try (FileMover mover = FileMover.open(cluster.conf())) {
        requireSatisfied(mover.move(new Path(path)).get());
      }
    };
  }

  /** Renames and moves; timed from before the rename, the mover was open before. */
  static Run rename(MoverCluster cluster, String source, Run.Goal goal) throws Exception {
    try (FileMover mover = FileMover.open(cluster.conf())) {
      return Run.of(
          cluster,
          goal,
          View.NOTHING,
          () -> requireSatisfied(mover.rename(new Path(source), new Path(goal.directory())).get()));
    }
  }

  private static void requireSatisfied(MoveReport report) {
    if (!report.isSatisfied()) {
      throw new IllegalStateException("our mover left " + report);
    }
  }
}
