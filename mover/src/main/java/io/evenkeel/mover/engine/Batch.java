package io.evenkeel.mover.engine;

import io.evenkeel.mover.core.plan.FileView;
import io.evenkeel.mover.core.plan.ReplicaMove;
import io.evenkeel.mover.core.task.FileTask;
import io.evenkeel.mover.core.task.GrowingWait;
import io.evenkeel.mover.core.task.MoveQueue;
import io.evenkeel.mover.core.task.MoveResult;
import io.evenkeel.mover.core.task.NameNodeState;
import io.evenkeel.mover.core.task.Step;
import io.evenkeel.mover.request.FileOutcome;
import io.evenkeel.mover.request.FileReport;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/**
 * Files of a request that are read from the NameNode together until nothing more is to be done
 * about them. All its work happens in its run's turn, one call after the other.
 */
final class Batch {
  /** After the last move ended the NameNode has usually heard of it. */
  private static final long HEARD_MILLIS = 40;

  private static final long ERROR_MILLIS = 1_000;

  /** For a file somebody waits for, before the others of its batch are done. */
  private static final long HURRIED_MILLIS = 500;

  private static final int ERRORS = 30;

  private final Run run;
  private final Walk.Found found;
  private final List<FileTask> tasks = new ArrayList<>();
  private final Map<ReplicaMove, FileTask> moving = new HashMap<>();
  private ScheduledFuture<?> nextStep;

  /** For a file that another request works on. */
  private final GrowingWait claimed = new GrowingWait(200, 3_200);

  /** For the slowest move of the batch, before its other files are looked at. */
  private final GrowingWait straggler = new GrowingWait(5_000, 60_000);

  /** Whether the NameNode was in safe mode in this look; null until it was asked. */
  private NameNodeState nameNode; // null until a look asks

  private int errors;

  /** Files of it that somebody waits for who is not paced, and with which priority. */
  private final Map<FileTask, Integer> hurried = new HashMap<>();

  Batch(Run run, Walk.Found found) {
    this.run = run;
    this.found = found;
    for (FileView file : found.files()) {
      tasks.add(new FileTask(file, run.context().rules(), this::nameNode));
    }
    // Another process on the same files then seldom comes to the same replica at the same time.
    Collections.shuffle(tasks);
  }

  Run run() {
    return run;
  }

  Walk.Found found() {
    return found;
  }

  /** The first step, with the files as they were found. */
  void start() {
    step(Reload.known(found.files()));
  }

  /** From a move thread: a move has ended. */
  void ended(ReplicaMove move, MoveResult result) {
    run.turn(
        () -> {
          FileTask task = moving.remove(move);
          task.ended(move, result, run.context().clock().millis());
          if (result.kind() == MoveResult.Kind.DONE) {
            run.tell(l -> l.replicaMoved(task.path(), move.isLocal(), move.replica().bytes()));
          } else if (result.kind() == MoveResult.Kind.HELD) {
            run.context().dispatcher().drop(run);
          }
          afterMove(task);
        });
  }

  /** A move was taken out of the queue before it started. */
  void dropped(ReplicaMove move) {
    run.turn(
        () -> {
          FileTask task = moving.remove(move);
          task.dropped(move);
          afterMove(task);
        });
  }

  /** From a move thread: a move waits since its DataNode is busy. */
  void putOff(ReplicaMove move) {
    run.turn(
        () -> {
          FileTask task = moving.get(move);
          if (task != null) { // else its next attempt has ended, or was dropped, before this turn
            task.putOff(move);
            if (hurried.containsKey(task)) { // it ran as somebody came to wait for it
              run.context().dispatcher().hurry(Collections.singleton(move), hurried.get(task));
            }
          }
        });
  }

  /** A file whose moves run is not read again: located listings are what costs most. */
  private void afterMove(FileTask task) {
    if (moving.isEmpty()) {
      schedule(run.isStopped() ? 0 : HEARD_MILLIS);
    } else if (task.inFlight() == 0 && hurried.containsKey(task)) {
      if (nextStep == null || nextStep.getDelay(TimeUnit.MILLISECONDS) > HURRIED_MILLIS) {
        schedule(HURRIED_MILLIS);
      }
    } else if (task.inFlight() == 0 && nextStep == null) {
      schedule(run.isStopped() ? HEARD_MILLIS : straggler.next());
    }
  }

  private void schedule(long millis) {
    if (nextStep != null) {
      nextStep.cancel(false);
    }
    nextStep = run.later(this::again, millis);
  }

  /** The request was stopped: ends at once what does not wait for a move. */
  void stopped() {
    schedule(0);
  }

  private void again() {
    if (nextStep != null) { // this one was already in its turn when another took its place
      nextStep.cancel(false);
    }
    nextStep = null;
    if (!tasks.isEmpty()) {
      step(null);
    }
  }

  private List<FileTask> idle() {
    List<FileTask> idle = new ArrayList<>(tasks);
    idle.removeIf(task -> task.inFlight() > 0);
    return idle;
  }

  /** One look at all files; {@code known} is null when they are to be read anew. */
  private void step(Map<String, FileView> known) {
    try {
      Map<String, FileView> views =
          known == null
              ? Reload.of(run.context().namespaceOf(run.request()), found, idle())
              : known;
      if (run.request().isDryRun()) {
        dryRun(views);
      } else {
        look(views);
      }
      errors = 0;
    } catch (IOException e) {
      failed(e);
    }
    if (tasks.isEmpty()) {
      run.closed(this);
    }
  }

  private void dryRun(Map<String, FileView> views) throws IOException {
    nameNode = null;
    for (FileTask task : new ArrayList<>(tasks)) {
      FileView view = views.get(Reload.key(task));
      if (view == null) {
        done(task, task.ended(FileOutcome.MISSING, "deleted meanwhile"));
      } else if (run.request().isFilesOnly() && run.context().claims().isTaken(task)) {
        done(task, task.ended(FileOutcome.PARTIAL, "another request works on it"));
      } else {
        done(task, run.context().planning().with(planner -> task.dryRun(view, planner)));
      }
    }
  }

  private void look(Map<String, FileView> views) throws IOException {
    long wait = Long.MAX_VALUE;
    boolean taken = false;
    nameNode = null;
    List<MoveQueue.Entry<Batch>> start = new ArrayList<>();
    try {
      for (FileTask task : idle()) {
        if (run.isStopped()) {
          stop(task, views.get(Reload.key(task)));
        } else if (!run.context().claims().take(task, priority -> hurry(task, priority))) {
          taken = true;
          if (!run.request().isPaced()) {
            run.context().claims().hurry(task, run.request().priority());
          }
        } else {
          wait = Math.min(wait, look(task, views.get(Reload.key(task)), start));
        }
      }
    } finally { // what was planned before an error counts as in flight and must end
      if (!start.isEmpty()) {
        straggler.reset();
        run.context().dispatcher().add(start);
      }
    }
    if (taken) {
      wait = Math.min(wait, claimed.next());
    }
    if (wait < Long.MAX_VALUE) {
      boolean soon = moving.isEmpty() || hurried.keySet().stream().anyMatch(t -> t.inFlight() == 0);
      schedule(soon ? wait : Math.max(wait, ERROR_MILLIS));
    }
  }

  /** From any thread: somebody who is not paced waits for a file. */
  private void hurry(FileTask task, int priority) {
    if (!run.request().isPaced()) {
      return;
    }
    run.turn(
        () -> {
          if (tasks.contains(task) && hurried.put(task, priority) == null) {
            Set<ReplicaMove> moves = new HashSet<>(moving.keySet());
            moves.removeIf(move -> moving.get(move) != task);
            if (moves.isEmpty()) {
              schedule(HEARD_MILLIS); // it waits for a look
            } else {
              run.context().dispatcher().hurry(moves, priority);
            }
          }
        });
  }

  /** One file's next step; returns how long it wants to wait. */
  private long look(FileTask task, FileView view, List<MoveQueue.Entry<Batch>> start)
      throws IOException {
    boolean first = !task.wasLookedAt();
    long now = run.context().clock().millis();
    Step planned = run.context().planning().with(planner -> task.look(view, planner, now));
    Step step = run.context().allowed(task, planned);
    if (first) {
      run.tell(l -> l.filePlanned(task.path(), step.moves().size(), bytes(step.moves())));
    }
    for (ReplicaMove move : step.moves()) {
      moving.put(move, task);
      int own = run.request().priority();
      MoveQueue.Entry<Batch> entry =
          new MoveQueue.Entry<>(
              move, this, run.bandwidth(), Math.max(own, hurried.getOrDefault(task, own)));
      if (run.request().isPaced() && !hurried.containsKey(task)) {
        entry.pacedBy(run.context().pace());
      }
      start.add(entry);
    }
    if (step.report() != null) {
      done(task, step.report());
    }
    return step.waitMillis() > 0 ? step.waitMillis() : Long.MAX_VALUE;
  }

  /** Asks once for all files of a look. */
  private NameNodeState nameNode() {
    if (nameNode == null) {
      try {
        nameNode = run.context().namespace().nameNode();
      } catch (IOException e) {
        nameNode = NameNodeState.USUAL; // not known
      }
    }
    return nameNode;
  }

  private static long bytes(List<ReplicaMove> moves) {
    return moves.stream().mapToLong(move -> move.replica().bytes()).sum();
  }

  private void stop(FileTask task, FileView view) throws IOException {
    long now = run.context().clock().millis();
    FileReport last =
        view == null
            ? null
            : run.context().planning().with(planner -> task.lastLook(view, planner, now));
    done(
        task,
        last != null && last.outcome().isSatisfied()
            ? last
            : task.ended(FileOutcome.CANCELLED, run.stopReason()));
  }

  private void done(FileTask task, FileReport report) {
    tasks.remove(task);
    hurried.remove(task);
    run.context().claims().release(task);
    run.fileDone(report);
  }

  /** The NameNode did not answer: tries again for a while, then gives the files up. */
  private void failed(IOException e) {
    errors++;
    boolean passing = !(e instanceof AccessDeniedException);
    if (passing && errors < ERRORS && !run.isStopped()) {
      schedule(ERROR_MILLIS);
      return;
    }
    boolean stopped = run.isStopped(); // then the call itself may have been interrupted
    FileOutcome outcome =
        e instanceof AccessDeniedException ? FileOutcome.DENIED : FileOutcome.FAILED;
    for (FileTask task : idle()) {
      done(
          task,
          stopped
              ? task.ended(FileOutcome.CANCELLED, run.stopReason())
              : task.ended(outcome, Run.line(e)));
    }
    if (tasks.isEmpty()) {
      run.closed(this);
    } else {
      schedule(ERROR_MILLIS);
    }
  }

  /** The engine is closed: what is not done is cancelled. */
  List<FileReport> abandoned() {
    List<FileReport> reports = new ArrayList<>();
    for (FileTask task : tasks) {
      run.context().claims().release(task);
      reports.add(task.ended(FileOutcome.CANCELLED, Run.CLOSED));
    }
    tasks.clear();
    return Collections.unmodifiableList(reports);
  }
}
