package io.evenkeel.bench.locking;

import static org.apache.hadoop.fs.StorageType.DISK;

import io.evenkeel.bench.experiment.Arms;
import io.evenkeel.bench.experiment.Comparison;
import io.evenkeel.bench.experiment.Experiment;
import io.evenkeel.bench.experiment.Problem;
import io.evenkeel.bench.experiment.RunSettings;
import io.evenkeel.bench.locking.BackgroundEvents.Action;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;

/** How long clients wait for a dataset while the disk I/O of one block of another volume hangs. */
public final class StallExperiment implements Experiment {
  private static final long STUCK_MILLIS = 5000;
  private static final long QUICK_STUCK_MILLIS = 1500;
  private static final int RUNS = 5;
  private static final int QUICK_RUNS = 1;

  /** All that stock can be told about its locks: who comes while others wait may overtake them. */
  private static final Map<String, String> UNFAIR = Map.of("dfs.datanode.lock.fair", "false");

  private static final String WORST = "worst of all calls and events";
  private static final String SAME_VOLUME = "next id, same volume";
  private static final int WARM_UP = 100;
  private static final long BEFORE_EVENT_MILLIS = 200;

  @Override
  public String name() {
    return "locking.stall";
  }

  @Override
  public String description() {
    return "waits of writers and readers of a DataNode while the I/O of one block hangs";
  }

  @Override
  public List<Problem> problems() {
    return List.of(
        Problem.less(
            "Longest wait on the same volume while one I/O hangs (HDFS-9668)", SAME_VOLUME),
        Problem.less(
            "Longest wait on other volumes then, while a replica comes in",
            "incoming replication, .*"));
  }

  /** Which call of the slow block gets stuck, in turn. */
  private enum StuckCall {
    CREATE,
    FINALIZE
  }

  /**
   * What others saw of it, in milliseconds.
   *
   * @param create longest createRbw
   * @param finish longest finalizeBlock
   * @param open longest opening of a block; 0 where nobody reads
   * @param idle how late a thread went on that does nothing but pause
   */
  private record Waits(double create, double finish, double open, double idle) {
    double worst() {
      return Math.max(Math.max(create, finish), open);
    }

    /** What the longest call took beyond what an idle thread had to wait for the machine. */
    double beyondIdle() {
      return Math.max(0, worst() - idle);
    }
  }

  /** One measurement on one DataNode. */
  private interface Measurement {
    Waits run(OneDataNode dataNode, StuckCall stuck, long millis) throws Exception;
  }

  @Override
  public List<Comparison> run(RunSettings settings) throws Exception {
    if (!Release.has(settings, name())) {
      return List.of();
    }
    List<Comparison> rows = new ArrayList<>();
    List<Arms<Waits>> all = new ArrayList<>();
    for (BackgroundEvents.Event event : BackgroundEvents.all()) {
      Arms<Waits> runs =
          runs(
              settings,
              event.label(),
              (dataNode, stuck, millis) -> beside(dataNode, event.preparation(), stuck, millis));
      all.add(runs);
      rows.addAll(runs.mean(event.label() + ", createRbw", "ms", Waits::create));
      rows.addAll(runs.mean(event.label() + ", finalizeBlock", "ms", Waits::finish));
      rows.addAll(runs.mean(event.label() + ", open", "ms", Waits::open));
    }
    Arms<Waits> every = Arms.joined(all);
    rows.addAll(every.mean(WORST, "ms", Waits::worst));
    rows.addAll(every.mean("the same, of an idle thread", "ms", Waits::idle));
    rows.addAll(every.mean("the same, beyond the idle thread", "ms", Waits::beyondIdle));
    rows.addAll(sameType(settings, "next id, all volumes of the type in turn", null));
    rows.addAll(
        sameType(settings, "next id, other volume of the type", BackgroundEvents.OTHER_OF_TYPE));
    rows.addAll(sameType(settings, SAME_VOLUME, BackgroundEvents.SLOW));
    return rows;
  }

  private static List<Comparison> sameType(RunSettings settings, String label, Integer volume)
      throws Exception {
    return runs(
            settings, label, (dataNode, stuck, millis) -> sameType(dataNode, volume, stuck, millis))
        .mean(label, "ms", Waits::worst);
  }

  private static Arms<Waits> runs(RunSettings settings, String label, Measurement measurement)
      throws Exception {
    settings.say("locking.stall: " + label);
    long millis = settings.quick() ? QUICK_STUCK_MILLIS : STUCK_MILLIS;
    StuckCall[] calls = StuckCall.values();
    try (OneDataNode fair = OneDataNode.stock(BackgroundEvents.VOLUMES);
        OneDataNode unfair = OneDataNode.stock(BackgroundEvents.VOLUMES, UNFAIR);
        OneDataNode ours = OneDataNode.ours(BackgroundEvents.VOLUMES)) {
      Map<String, OneDataNode> stock = new LinkedHashMap<>();
      stock.put("fair locks (default)", fair);
      stock.put("locks not fair", unfair);
      return Arms.inTurn(
          settings.quick() ? QUICK_RUNS : RUNS,
          stock,
          ours,
          (dataNode, i) -> measurement.run(dataNode, calls[i % calls.length], millis));
    }
  }

  /** Creates, finalizes and opens on an SSD, with an event in the background. */
  private static Waits beside(
      OneDataNode dataNode, BackgroundEvents.Preparation event, StuckCall stuck, long millis)
      throws Exception {
    Action action = event.prepare(dataNode);
    String fast = dataNode.volume(0).getStorageID();
    ExtendedBlock read = dataNode.finalized(StorageType.SSD, fast);
    Probe writing = Probe.writing(dataNode, StorageType.SSD, fast).warmUp(WARM_UP);
    Probe finishing = Probe.finishing(dataNode, StorageType.SSD, fast, millis);
    Probe opening = Probe.opening(dataNode, read).warmUp(WARM_UP);
    Probe idle = Probe.idle(dataNode).start();
    Failing background = new Failing("background", action);
    Failing slow = stick(dataNode, stuck);
    writing.start();
    finishing.start();
    opening.start();
    Thread.sleep(BEFORE_EVENT_MILLIS);
    background.start();
    Thread.sleep(millis - BEFORE_EVENT_MILLIS);
    dataNode.io().letGo();
    writing.end();
    finishing.end();
    opening.end();
    idle.end();
    slow.end();
    background.end();
    return new Waits(
        writing.worstCreate(),
        Math.max(finishing.worstFinalize(), writing.worstFinalize()),
        opening.worstOpen(),
        idle.worstPause());
  }

  /** Creates and finalizes on the given volume, or all of the type in turn; no event. */
  private static Waits sameType(OneDataNode dataNode, Integer volume, StuckCall stuck, long millis)
      throws Exception {
    String storageId = volume == null ? null : dataNode.volume(volume).getStorageID();
    Probe writing = Probe.writing(dataNode, DISK, storageId).warmUp(WARM_UP);
    Probe idle = Probe.idle(dataNode).start();
    Failing slow = stick(dataNode, stuck);
    writing.start();
    Thread.sleep(millis);
    dataNode.io().letGo();
    writing.end();
    idle.end();
    slow.end();
    return new Waits(writing.worstCreate(), writing.worstFinalize(), 0, idle.worstPause());
  }

  /** Returns once the I/O hangs. */
  private static Failing stick(OneDataNode dataNode, StuckCall stuck) throws Exception {
    String slow = dataNode.volume(BackgroundEvents.SLOW).getStorageID();
    Failing thread = new Failing("slow", () -> writeSlowly(dataNode, slow, stuck));
    thread.start();
    while (!dataNode.io().hangs(thread)) {
      if (!thread.isAlive()) {
        thread.end();
        throw new IllegalStateException("the slow block was written without any I/O");
      }
      Thread.sleep(1);
    }
    return thread;
  }

  /** Fails without harm where the volume is gone when its disk works again. */
  private static void writeSlowly(OneDataNode dataNode, String storageId, StuckCall stuck)
      throws Exception {
    ExtendedBlock written = stuck == StuckCall.FINALIZE ? dataNode.written(DISK, storageId) : null;
    dataNode.io().hang(Thread.currentThread());
    try {
      if (written == null) {
        dataNode.written(DISK, storageId);
      } else {
        dataNode.dataset().finalizeBlock(written, false);
      }
    } catch (ClosedChannelException | InterruptedIOException e) {
      // The replica was opened on a volume that had been removed meanwhile.
    } catch (IOException e) {
      if (!Thread.interrupted()) {
        throw e;
      }
    }
  }

  /** A thread whose exception is not lost. */
  private static final class Failing extends Thread {
    private final Action action;
    private volatile Exception failure;

    Failing(String name, Action action) {
      super(name);
      this.action = action;
      setDaemon(true);
    }

    @Override
    public void run() {
      try {
        action.run();
      } catch (Exception e) {
        failure = e;
      }
    }

    void end() throws Exception {
      join();
      if (failure != null) {
        throw failure;
      }
    }
  }
}
