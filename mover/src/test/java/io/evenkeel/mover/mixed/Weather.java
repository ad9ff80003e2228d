package io.evenkeel.mover.mixed;

import io.evenkeel.common.testing.Await;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.hdfs.MiniDFSCluster.DataNodeProperties;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo.AdminStates;
import org.apache.hadoop.hdfs.server.datanode.DataNode;

/**
 * What happens to a cluster: NameNodes change over in good order or because one is lost, a DataNode
 * leaves and comes back, another restarts at once or after it was taken for dead, a storage type
 * becomes full. One thing after the other, except that what leaves or is full is so for some time.
 * Confined to one thread.
 */
final class Weather {
  private static final Duration LIMIT = Duration.ofMinutes(4);
  private static final long DEAD_AFTER_MS = 25_000;
  private static final long CALM_AFTER_NANOS = Duration.ofSeconds(3).toNanos();

  private final MixedStand stand;
  private final Random random;
  private final Tally tally;
  private final Filler filler; // null where no tier becomes full
  private final boolean maintenance;
  private String leaving;
  private AdminStates wanted;
  private int events;
  private volatile boolean changing;
  private volatile long changed = System.nanoTime();

  Weather(MixedStand stand, Kind kind, long seed, Tally tally) throws IOException {
    this.stand = stand;
    this.filler = kind == Kind.FULL_TIER ? new Filler(stand.newClient()) : null;
    this.maintenance = kind == Kind.MAINTENANCE;
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
    int kinds = filler == null ? 5 : 6;
    int kind = events++ < kinds ? events - 1 : random.nextInt(kinds);
    switch (kind) {
      case 0 -> change("failovers in order", stand::failOver);
      case 1 -> leaveOrReturn();
      case 2 -> restart("DataNode restarts", 500);
      case 3 -> change("NameNodes lost", stand::loseNameNode);
      case 4 -> restart("DataNodes dead for a while", DEAD_AFTER_MS);
      default -> fillOrEmpty();
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
      wanted =
          maintenance && (events == 2 || random.nextInt(4) > 0)
              ? AdminStates.IN_MAINTENANCE
              : AdminStates.DECOMMISSIONED;
      stand.leave(leaving, wanted);
      tally.count("weather", "DataNodes to be " + wanted);
    } else {
      comeBack();
    }
  }

  private void comeBack() throws IOException {
    if (leaving != null) {
      String left = stand.hasLeft(leaving, wanted) ? "after it was " : "before it was ";
      tally.count("weather", "DataNodes that come back, " + left + wanted);
      stand.leave(leaving, AdminStates.NORMAL);
      leaving = null;
    }
  }

  private void fillOrEmpty() {
    boolean full = filler.isFull();
    try {
      if (full) {
        filler.empty();
      } else {
        filler.fill();
      }
      tally.count("weather", full ? "SSD is empty again" : "SSD is full");
    } catch (IOException e) {
      tally.error("filler", e);
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
    Await.until("the cluster is complete", LIMIT, stand::isReady, stand::account);
  }

  /** Everybody is back. */
  void clear() throws Exception {
    comeBack();
    awaitReady();
    if (filler != null) {
      filler.empty();
    }
  }
}
