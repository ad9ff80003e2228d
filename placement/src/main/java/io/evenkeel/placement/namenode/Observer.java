package io.evenkeel.placement.namenode;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares what stock chose with what our policy would have chosen for the same block, on a daemon
 * thread of its own: who asks for a block waits for nothing here. When the thread is behind by
 * {@value #BEHIND} blocks, further ones are only counted.
 *
 * <p>The thread ends when nobody holds the observer any more. Thread-safe; {@code this} guards the
 * counts.
 */
public final class Observer {
  private static final Logger LOG = LoggerFactory.getLogger(Observer.class);
  private static final int BEHIND = 4096;

  /** Replicas per DataNode after which those so far count half. */
  private static final int FORGETS = 4096;

  private final Supplier<DataNodeIndex> index;
  private final BlockingQueue<Seen> queue = new LinkedBlockingQueue<>(BEHIND);
  private final Map<DatanodeDescriptor, Loads> loads = new HashMap<>();
  private final Outcome byStock = new Outcome();
  private final Outcome byOurs = new Outcome();
  private long compared;
  private long notCompared;
  private long given; // replicas by stock, of late
  private int dataNodes;
  private boolean warned;

  /** Creates an observer; {@code index} gives the DataNodes as ours saw them last. */
  Observer(Supplier<DataNodeIndex> index) {
    this.index = index;
  }

  /** Starts to compare. */
  void start() {
    Thread thread = new Thread(new Loop(this), "evenkeel-placement-observer");
    thread.setDaemon(true);
    thread.start();
  }

  /**
   * Stock chose {@code targets}. Does not block.
   *
   * @param chosen where the block was already; not to be changed afterwards
   * @param wanted replicas or internal blocks beside those
   * @param ours has our policy choose for the same block
   */
  public void saw(
      List<DatanodeStorageInfo> chosen,
      int wanted,
      DatanodeStorageInfo[] targets,
      Supplier<DatanodeStorageInfo[]> ours) {
    if (!queue.offer(new Seen(chosen, wanted, targets, ours))) {
      synchronized (this) {
        notCompared++;
      }
    }
  }

  /** What the thread does; it does not keep the observer alive. */
  private static final class Loop implements Runnable {
    private final BlockingQueue<Seen> queue;
    private final WeakReference<Observer> observer;

    Loop(Observer observer) {
      this.queue = observer.queue;
      this.observer = new WeakReference<>(observer);
    }

    @Override
    public void run() {
      try {
        boolean lives = true;
        while (lives) {
          lives = compare(queue.poll(1, TimeUnit.SECONDS));
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    private boolean compare(Seen seen) {
      Observer there = observer.get();
      if (there != null && seen != null) {
        there.compare(seen);
      }
      return there != null;
    }
  }

  private void compare(Seen seen) {
    try {
      count(seen, seen.ours.get(), index.get());
    } catch (RuntimeException | LinkageError e) {
      failed(e);
    }
  }

  private synchronized void failed(Throwable e) {
    notCompared++;
    if (!warned) {
      warned = true;
      LOG.warn("The uniform policy could not say what it would choose; stock decides as before", e);
    }
  }

  private synchronized void count(Seen seen, DatanodeStorageInfo[] targets, DataNodeIndex now) {
    List<DatanodeDescriptor> stocks = newOnes(seen.chosen, seen.targets);
    List<DatanodeDescriptor> ours = newOnes(seen.chosen, targets);
    compared++;
    byStock.add(seen.chosen, stocks, seen.wanted, now.hostIdentity());
    byOurs.add(seen.chosen, ours, seen.wanted, now.hostIdentity());
    stocks.forEach(node -> loads(node).byStock++);
    ours.forEach(node -> loads(node).byOurs++);
    dataNodes = now.size();
    given += stocks.size();
    if (given > FORGETS * (long) dataNodes) {
      given /= 2;
      loads.values().forEach(Loads::halve);
      loads.values().removeIf(Loads::isLittle);
    }
  }

  /** Stock's answer holds the replicas there are when it was asked for them too. */
  private static List<DatanodeDescriptor> newOnes(
      List<DatanodeStorageInfo> chosen, DatanodeStorageInfo[] targets) {
    List<DatanodeDescriptor> nodes = new ArrayList<>();
    for (DatanodeStorageInfo target : targets) {
      if (!chosen.contains(target)) {
        nodes.add(target.getDatanodeDescriptor());
      }
    }
    return nodes;
  }

  private Loads loads(DatanodeDescriptor node) {
    return loads.computeIfAbsent(node, n -> new Loads());
  }

  /** Blocks for which both were asked. */
  public synchronized long compared() {
    return compared;
  }

  /** Blocks for which ours was not asked: the thread was behind, or an error. */
  public synchronized long notCompared() {
    return notCompared;
  }

  /** What stock's choices came to, by name. */
  public synchronized Map<String, Long> byStock() {
    return byStock.counts();
  }

  /** What ours would have come to, by name. */
  public synchronized Map<String, Long> byOurs() {
    return byOurs.counts();
  }

  /** Replicas on the DataNode stock chose most over the mean; 0 before the first block. */
  public synchronized double maxOverMeanByStock() {
    return maxOverMean(l -> l.byStock);
  }

  /** The same for ours. */
  public synchronized double maxOverMeanByOurs() {
    return maxOverMean(l -> l.byOurs);
  }

  private double maxOverMean(ToDoubleFunction<Loads> of) {
    double most = 0;
    double all = 0;
    for (Loads node : loads.values()) {
      most = Math.max(most, of.applyAsDouble(node));
      all += of.applyAsDouble(node);
    }
    return all == 0 ? 0 : most * Math.max(dataNodes, loads.size()) / all;
  }

  /** One choice of stock. Immutable. */
  private static final class Seen {
    final List<DatanodeStorageInfo> chosen;
    final int wanted;
    final DatanodeStorageInfo[] targets;
    final Supplier<DatanodeStorageInfo[]> ours;

    Seen(
        List<DatanodeStorageInfo> chosen,
        int wanted,
        DatanodeStorageInfo[] targets,
        Supplier<DatanodeStorageInfo[]> ours) {
      this.chosen = chosen;
      this.wanted = wanted;
      this.ours = ours;
      this.targets = Arrays.copyOf(targets, targets.length);
    }
  }

  /** Replicas given to one DataNode, of late. */
  private static final class Loads {
    double byStock;
    double byOurs;

    void halve() {
      byStock /= 2;
      byOurs /= 2;
    }

    boolean isLittle() {
      return byStock < 1 && byOurs < 1;
    }
  }

  /** What the choices of one policy came to. */
  private static final class Outcome {
    private long shared;
    private long oneRack;
    private long fewer;

    void add(
        List<DatanodeStorageInfo> chosen,
        List<DatanodeDescriptor> targets,
        int wanted,
        HostIdentity hostIdentity) {
      Set<String> hosts = new HashSet<>();
      Set<String> racks = new HashSet<>();
      List<DatanodeDescriptor> all = new ArrayList<>(targets);
      chosen.forEach(storage -> all.add(storage.getDatanodeDescriptor()));
      for (DatanodeDescriptor node : all) {
        hosts.add(hostIdentity.host(node));
        racks.add(hostIdentity.rack(node));
      }
      shared += hosts.size() < all.size() ? 1 : 0;
      oneRack += racks.size() == 1 && all.size() > 1 ? 1 : 0;
      fewer += targets.size() < wanted ? 1 : 0;
    }

    Map<String, Long> counts() {
      Map<String, Long> counts = new LinkedHashMap<>();
      counts.put("SHARED_HOST", shared);
      counts.put("ONE_RACK", oneRack);
      counts.put("FEWER_REPLICAS", fewer);
      return counts;
    }
  }
}
