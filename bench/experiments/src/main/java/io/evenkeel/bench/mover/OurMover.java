package io.evenkeel.bench.mover;

import io.evenkeel.mover.FileMover;
import io.evenkeel.mover.request.MoveReport;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;

/** Our mover, opened and closed for each request as its command does. Stateless. */
final class OurMover {
  private OurMover() {}

  /** Moves and returns what happened. */
  static MoveReport run(Configuration conf, String... paths) throws Exception {
    Path[] all = new Path[paths.length];
    for (int i = 0; i < paths.length; i++) {
      all[i] = new Path(paths[i]);
    }
    try (FileMover mover = FileMover.open(conf)) {
      return mover.move(all).get();
    }
  }

  /**
   * Moves as a tool of a run.
   *
   * @throws IllegalStateException when not all is satisfied
   */
  static Run.Tool tool(MoverRig rig, String... paths) {
    return () -> satisfied(run(rig.conf(), paths));
  }

  /** Renames and moves; timed from before the rename, the mover was open before. */
  static Run rename(MoverRig rig, String source, Run.Goal goal) throws Exception {
    String file = goal.files().get(0);
    String destination = file.substring(0, file.lastIndexOf('/'));
    try (FileMover mover = FileMover.open(rig.conf())) {
      return Run.of(
          rig,
          goal,
          View.NOTHING,
          () -> satisfied(mover.rename(new Path(source), new Path(destination)).get()));
    }
  }

  /** Checks that all is satisfied. */
  static void satisfied(MoveReport report) {
    if (!report.isSatisfied()) {
      throw new IllegalStateException("our mover left " + report);
    }
  }
}
