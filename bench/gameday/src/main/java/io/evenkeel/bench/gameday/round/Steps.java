package io.evenkeel.bench.gameday.round;

import io.evenkeel.bench.gameday.cluster.ClusterView;
import io.evenkeel.bench.gameday.cluster.GameCluster;
import io.evenkeel.bench.gameday.history.Finding;
import io.evenkeel.bench.gameday.history.Timeline;
import io.evenkeel.bench.gameday.schedule.Fault;
import io.evenkeel.bench.gameday.schedule.Schedule;
import io.evenkeel.bench.gameday.schedule.Step;
import io.evenkeel.common.cli.CommandException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Begins and ends the faults of a schedule when the load comes to their events, one after the other
 * on one thread. When the load stands still, the oldest fault ends before its time: no event would
 * end it. Thread-safe.
 */
final class Steps {
  /** A writer may wait a minute for a DataNode that is paused, and as long for the next one. */
  static final Duration STANDSTILL = Duration.ofSeconds(150);

  /** Why a fault ends before its time: nothing was acknowledged for long. */
  static final String STOOD_STILL = "the load stood still";

  /** Why a fault ends before its time: there is nothing more to be acknowledged. */
  static final String OVER = "the load was over";

  /** What an operator does in order; its end may need what it waits for to be over. */
  private static final Set<Fault.Kind> ORDERED =
      EnumSet.of(Fault.Kind.REMOVE_VOLUME, Fault.Kind.DECOMMISSION, Fault.Kind.MAINTENANCE);

  /** After these a volume is given up, and put back at the end. */
  private static final Set<Fault.Kind> GIVEN_UP =
      EnumSet.of(Fault.Kind.REMOVE_VOLUME, Fault.Kind.FAIL_VOLUME);

  private final GameCluster cluster;
  private final Timeline timeline;
  private final ExecutorService thread;
  private final Consumer<String> progress;
  private final Set<Step> waiting = new LinkedHashSet<>(); // guarded by this; not begun
  private final List<FaultTime> done = new ArrayList<>(); // guarded by this
  private final Map<Step, FaultTime> lasting = new LinkedHashMap<>(); // guarded by this
  private final List<Finding> findings = new ArrayList<>(); // guarded by this
  private RuntimeException defect; // guarded by this

  /**
   * When a fault began and ended.
   *
   * @param begin since the load began
   * @param end since the load began
   * @param note what went otherwise than planned; empty when nothing did
   */
  record FaultTime(Fault fault, Duration begin, Duration end, String note) {}

  /**
   * Takes a cluster.
   *
   * @param thread one thread, which is ended by {@link #finish}
   */
  Steps(GameCluster cluster, Timeline timeline, ExecutorService thread, Consumer<String> progress) {
    this.cluster = cluster;
    this.timeline = timeline;
    this.thread = thread;
    this.progress = progress;
  }

  /** Has all steps wait for their events; what begins at 0 has begun when this returns. */
  void follow(Schedule schedule) throws InterruptedException {
    synchronized (this) {
      waiting.addAll(schedule.steps());
    }
    for (Step step : schedule.steps()) {
      when(step, step.begin(), () -> begin(step));
      when(step, step.end(), () -> end(step, ""));
    }
    CountDownLatch begun = new CountDownLatch(1);
    thread.execute(begun::countDown); // after all that was to be done at once
    begun.await();
  }

  private void when(Step step, long count, Runnable action) {
    Runnable later = () -> execute(action);
    if (step.file().isEmpty()) {
      timeline.when(count, later);
    } else {
      timeline.when(step.file(), count, later);
    }
  }

  /** Called by whatever thread has an acknowledgement; nothing begins once all is finished. */
  private synchronized void execute(Runnable action) {
    if (!thread.isShutdown()) {
      thread.execute(() -> run(action));
    }
  }

  private void run(Runnable action) {
    try {
      action.run();
    } catch (RuntimeException e) {
      synchronized (this) {
        defect = defect == null ? e : defect;
      }
    }
  }

  private void begin(Step step) {
    progress.accept("begins: " + step.fault());
    synchronized (this) {
      waiting.remove(step);
    }
    Duration now = timeline.now();
    String note = "";
    try {
      cluster.begin(step.fault());
    } catch (IOException | CommandException e) {
      note = String.valueOf(e.getMessage());
    }
    synchronized (this) {
      lasting.put(step, new FaultTime(step.fault(), now, now, note));
    }
  }

  private void end(Step step, String why) {
    FaultTime begun;
    synchronized (this) {
      begun = lasting.remove(step);
    }
    if (begun == null) {
      return; // ended before its time
    }
    progress.accept("ends: " + step.fault() + (why.isEmpty() ? "" : ", " + why));
    List<String> notes = new ArrayList<>(List.of(begun.note(), why));
    try {
      cluster.end(step.fault());
    } catch (IOException | CommandException e) {
      notes.add(String.valueOf(e.getMessage()));
    }
    notes.removeIf(String::isEmpty);
    if (isHung(step.fault().kind(), notes)) {
      look(step.fault().target(), notes);
      restart(step.fault().target(), notes); // as an operator does whose reconfiguration hangs
    }
    synchronized (this) {
      done.add(
          new FaultTime(step.fault(), begun.begin(), timeline.now(), String.join("; ", notes)));
    }
  }

  /** Whether a volume was not given up or not put back, by the notes of its fault. */
  static boolean isHung(Fault.Kind kind, List<String> notes) {
    return GIVEN_UP.contains(kind)
        && notes.stream().anyMatch(note -> !note.equals(STOOD_STILL) && !note.equals(OVER));
  }

  /** It was waited for long enough, with no disk that hangs. */
  private void look(String dataNode, List<String> notes) {
    try {
      ClusterView view = cluster.view();
      long receivers = Leaks.receivers(view, dataNode);
      Leaks.ofRemoval(dataNode, view.state(dataNode), receivers, view.writers(dataNode))
          .ifPresent(this::add);
    } catch (IOException e) {
      notes.add(String.valueOf(e.getMessage()));
    }
  }

  private void restart(String dataNode, List<String> notes) {
    Fault restart = new Fault(Fault.Kind.RESTART_DATANODE, dataNode, "", 0);
    try {
      notes.add("restarted");
      cluster.begin(restart);
      cluster.end(restart);
    } catch (IOException | CommandException e) {
      notes.add(String.valueOf(e.getMessage()));
    }
  }

  /** Ends the oldest fault; nothing when none lasts. */
  void endOldest(String why) {
    execute(
        () -> {
          Step oldest;
          synchronized (this) {
            oldest = lasting.keySet().stream().findFirst().orElse(null);
          }
          if (oldest != null) {
            end(oldest, why);
          }
        });
  }

  /** Ends all failures that last; what an operator has taken out stays out. */
  void endFailures() {
    execute(() -> endAll(fault -> !ORDERED.contains(fault.kind())));
  }

  private void endAll(Predicate<Fault> which) {
    List<Step> left;
    synchronized (this) {
      left = lasting.keySet().stream().filter(step -> which.test(step.fault())).toList();
    }
    left.forEach(step -> end(step, OVER));
  }

  /**
   * Waits until what is taken out of service is, since no load is in the way any more, ends all
   * that lasts, and no step begins any more.
   *
   * @return what is still not out of service, which volumes could not be removed, and which steps
   *     never began
   * @throws IllegalStateException when a fault could not be played: the round says nothing then
   */
  List<Finding> finish(Duration limit) throws InterruptedException {
    execute(
        () -> {
          for (String name : cluster.awaitOutOfService(limit)) {
            String reason = "not out of service after " + limit.toSeconds() + " s";
            add(new Finding(Finding.Kind.NOT_CALM, "", name, reason));
          }
          endAll(fault -> true);
        });
    synchronized (this) { // execute looks and acts as one
      thread.shutdown();
    }
    boolean ended = thread.awaitTermination(20, TimeUnit.MINUTES);
    synchronized (this) {
      if (defect != null || !ended) {
        String why = defect == null ? "it takes too long" : defect.getMessage();
        throw new IllegalStateException("a fault could not be played: " + why, defect);
      }
      for (Step step : waiting) {
        String reason = "never began, the load was over before: " + step.fault();
        findings.add(new Finding(Finding.Kind.NOT_CALM, "", "", reason));
      }
      return List.copyOf(findings);
    }
  }

  private synchronized void add(Finding finding) {
    findings.add(finding);
  }

  /** All faults that have ended, in that order. */
  synchronized List<FaultTime> done() {
    return List.copyOf(done);
  }
}
