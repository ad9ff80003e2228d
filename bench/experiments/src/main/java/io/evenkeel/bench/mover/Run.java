package io.evenkeel.bench.mover;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * One tool at work, and what the NameNode said meanwhile.
 *
 * @param all seconds until every replica was where it should be; not a number when that never was
 * @param back seconds until the tool was back; not a number when it was not
 * @param watched seconds until nothing more was waited for
 * @param begin where the replicas were before
 * @param end where they were then
 * @param most replicas of a block at most at any time
 * @param calls of the NameNode meanwhile
 */
record Run(double all, double back, double watched, View begin, View end, int most, Calls calls) {

  /** What is timed. */
  interface Tool {
    void run() throws Exception;
  }

  /** Whose mover: makes a tool that moves what is at a path. */
  interface Mover {
    Tool tool(MoverCluster cluster, String path);
  }

  /**
   * Which replicas are to be where.
   *
   * @param directory of the files
   * @param limitSeconds after that the tool is interrupted and the run is over
   */
  record Goal(String directory, List<String> files, String type, double limitSeconds) {}

  /** Replicas moved in a second, until all were or until the end. */
  double perSecond() {
    return moved() / (Double.isNaN(all) ? watched : all);
  }

  /** Replicas that got where they should be. */
  int moved() {
    return end.onTarget() - begin.onTarget();
  }

  /**
   * This run.
   *
   * @throws IllegalStateException when not all was moved or the tool did not come back
   */
  Run mustComplete() {
    if (Double.isNaN(all) || Double.isNaN(back)) {
      throw new IllegalStateException(
          "after " + watched + " s " + end + "; back after " + back + " s");
    }
    return this;
  }

  /** Runs a tool in a thread of its own until it is back and all is done, or the time is over. */
  static Run of(MoverCluster cluster, Goal goal, Tool tool) throws Exception {
    return of(cluster, goal, cluster.view(goal.files, goal.type), tool);
  }

  /** The same for files that are only there once the tool has renamed them. */
  static Run of(MoverCluster cluster, Goal goal, View begin, Tool tool) throws Exception {
    Calls before = cluster.calls();
    Worker worker = new Worker(tool);
    // Looking costs the NameNode time: seldom where there is much to look at.
    long pause = Math.max(5, goal.files.size());
    worker.start();
    double all = Double.NaN;
    int most = begin.most();
    View now = begin;
    while (worker.seconds() < goal.limitSeconds && (worker.isAlive() || Double.isNaN(all))) {
      TimeUnit.MILLISECONDS.sleep(pause);
      if (Double.isNaN(all)) {
        now = cluster.view(goal.files, goal.type);
        most = Math.max(most, now.most());
        all = now.complete() ? worker.seconds() : all;
      }
    }
    double watched = worker.seconds();
    worker.end();
    View end = cluster.view(goal.files, goal.type);
    return new Run(all, worker.back, watched, begin, end, most, cluster.calls().since(before));
  }

  private static final class Worker extends Thread {
    private static final long END_MILLIS = 20_000;

    private final Tool tool;
    private final long start = System.nanoTime();
    private volatile double back = Double.NaN;
    private volatile Exception failure;
    private volatile boolean ending;

    Worker(Tool tool) {
      super("tool");
      this.tool = tool;
      setDaemon(true);
    }

    @Override
    public void run() {
      try {
        tool.run();
        back = ending ? back : seconds();
      } catch (Exception e) {
        failure = ending ? null : e;
      }
    }

    double seconds() {
      return (System.nanoTime() - start) / 1e9;
    }

    void end() throws Exception {
      ending = isAlive();
      interrupt();
      join(END_MILLIS);
      if (failure != null) {
        throw new IOException("the tool failed: " + failure, failure);
      }
    }
  }
}
