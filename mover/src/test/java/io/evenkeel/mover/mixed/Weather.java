package io.evenkeel.mover.mixed;

import io.evenkeel.common.testing.Await;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.hdfs.MiniDFSCluster.DataNodeProperties;
import org.apache.hadoop.hdfs.server.datanode.DataNode;

/**
 * What happens to a cluster: NameNodes change over in good order or because one is lost, a DataNode
 * leaves and comes back, another restarts at once or after it was taken for dead. One thing after
 * the other, except that what leaves does so for some time. Confined to one thread.
 */
final class Weather {
  private static final Duration LIMIT = Duration.ofMinutes(4);
  private static final long DEAD_AFTER_MS = 25_000;
  private static final long CALM_AFTER_NANOS = Duration.ofSeconds(3).toNanos();

  private final MixedStand stand;
  private final Random random;
  private final Tally tally;
  private String leaving;
  private int events;
  private volatile boolean changing;
  private volatile long changed = System.nanoTime();

  Weather(MixedStand stand, long seed, Tally tally) {
    this.stand = stand;
    this.random = new Random(seed);
    this.tally = tally;
  }

  /**
   * Whether NameNodes did not change over since a moment and some seconds before it; any thread.
   */
  boolean isCalmSince(long nanos) {
    return !changing && nanos - changed > CALM_AFTER_NANOS;
  }

  /** Waits, and then something happens; the first times one thing of each kind. */
  void step() throws Exception {
    Worker.pause(3000 + random.nextInt(7000));
    int kind = events++ < 5 ? events - 1 : random.nextInt(5);
    switch (kind) {
      case 0 -> change("failovers in order", stand::failOver);
      case 1 -> leaveOrReturn();
      case 2 -> restart("DataNode restarts", 500);
      case 3 -> change("NameNodes lost", stand::loseNameNode);
      default -> restart("DataNodes dead for a while", DEAD_AFTER_MS);
    }
    awaitReady();
  }

  /** A change over of the NameNodes. */
  private interface Change {
    void make() throws IOException;
  }

  private void change(String name, Change change) throws IOException {
    changing = true;
    try {
      change.make();
    } finally {
      changed = System.nanoTime();
      changing = false;
    }
    tally.count("weather", name);
  }

  private void leaveOrReturn() throws IOException {
    if (leaving == null) {
      leaving = any().getDatanodeId().getXferAddr();
      stand.leave(leaving, true);
      tally.count("weather", "decommissions");
    } else {
      comeBack();
    }
  }

  private void comeBack() throws IOException {
    if (leaving != null) {
      boolean left = stand.isDecommissioned(leaving);
      tally.count("weather", "recommissions, " + (left ? "after" : "before") + " the end");
      stand.leave(leaving, false);
      leaving = null;
    }
  }

  private DataNode any() {
    List<DataNode> all = stand.mini().getDataNodes();
    return all.get(random.nextInt(all.size()));
  }

  private void restart(String name, long millis) throws Exception {
    DataNodeProperties stopped = stand.mini().stopDataNode(any().getDatanodeId().getXferAddr());
    Worker.pause(millis);
    stand.mini().restartDataNode(stopped, true);
    tally.count("weather", name);
  }

  private void awaitReady() throws Exception {
    Await.until("the cluster is complete", LIMIT, stand::isReady, () -> "nothing more is known");
  }

  /** Everybody is back. */
  void clear() throws Exception {
    comeBack();
    awaitReady();
  }
}
