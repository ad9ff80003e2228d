package io.evenkeel.mover.engine;

import io.evenkeel.mover.core.plan.FileView;
import io.evenkeel.mover.core.plan.ReplicaMove;
import io.evenkeel.mover.core.task.FileTask;
import io.evenkeel.mover.core.task.FileTask.Decision;
import io.evenkeel.mover.core.task.GrowingWait;
import io.evenkeel.mover.core.task.MoveQueue;
import io.evenkeel.mover.core.task.MoveResult;
import io.evenkeel.mover.core.task.NameNodeState;
import io.evenkeel.mover.request.FileOutcome;
import io.evenkeel.mover.request.FileReport;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
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
  private final List<Member> members = new ArrayList<>();

  /** Moves that were handed out and have not ended. */
  private int moving;

  private ScheduledFuture<?> nextStep;

  /** For a file that another request works on. */
  private final GrowingWait claimed = new GrowingWait(200, 3_200);

  /** For the slowest move of the batch, before its other files are looked at. */
  private final GrowingWait straggler = new GrowingWait(5_000, 60_000);

  /** Whether the NameNode was in safe mode in this look; null until it was asked. */
  private NameNodeState nameNode; // null until a look asks

  private int errors;

  /** A file of the batch. It owns its moves: the threads that make them tell it of their ends. */
  final class Member {
    private final FileTask task;
    private final String key;

    /** Priority of somebody who waits for it and is not paced; null for nobody. */
    private Integer hurried;

    Member(FileTask task) {
      this.task = task;
      this.key = Reload.key(task.path(), task.inodeId());
    }

    Run run() {
      return run;
    }

    FileTask task() {
      return task;
    }

    /** A move has ended. */
    void ended(ReplicaMove move, MoveResult result) {
      run.turn(
          () -> {
            task.ended(move, result, run.context.clock.millis());
            if (result.kind() == MoveResult.Kind.DONE) {
              run.tell(l -> l.replicaMoved(task.path(), move.isLocal(), move.replica().bytes()));
            } else if (result.kind() == MoveResult.Kind.HELD) {
              run.context.dispatcher.drop(run);
            }
            afterMove(this);
          });
    }

    /** A move was taken out of the queue before it started. */
    void dropped(ReplicaMove move) {
      run.turn(
          () -> {
            task.dropped(move);
            afterMove(this);
          });
    }

    /** A move waits since its DataNode is busy. */
    void putOff(ReplicaMove move) {
      run.turn(
          () -> {
            // else its next attempt has ended, or was dropped, before this turn
            if (task.putOff(move) && hurried != null) { // it ran as somebody came to wait for it
              run.context.dispatcher.hurry(this, hurried);
            }
          });
    }

    /** From any thread: somebody who is not paced waits for it. */
    private void hurry(int priority) {
      if (!run.request.isPaced()) {
        return;
      }
      run.turn(
          () -> {
            boolean known = hurried != null;
            hurried = priority;
            if (known || !members.contains(this)) {
              return;
            }
            if (task.inFlight() == 0) {
              schedule(HEARD_MILLIS); // it waits for a look
            } else {
              run.context.dispatcher.hurry(this, priority);
            }
          });
    }
  }

  Batch(Run run, Walk.Found found) {
    this.run = run;
    this.found = found.withoutFiles();
    for (FileView file : found.files()) {
      members.add(new Member(new FileTask(file, run.context.rules, this::nameNode)));
    }
    // Another process on the same files then seldom comes to the same replica at the same time.
    Collections.shuffle(members);
  }

  Walk.Found found() {
    return found;
  }

  /** The first step, with the files as they were found. */
  void start(Collection<FileView> files) {
    step(Reload.known(files));
  }

  /** A file whose moves run is not read again: located listings are what costs most. */
  private void afterMove(Member file) {
    moving--;
    if (moving == 0) {
      schedule(run.isStopped() ? 0 : HEARD_MILLIS);
    } else if (file.task.inFlight() > 0) {
      return;
    } else if (file.hurried != null) {
      if (nextStep == null || nextStep.getDelay(TimeUnit.MILLISECONDS) > HURRIED_MILLIS) {
        schedule(HURRIED_MILLIS);
      }
    } else if (nextStep == null) {
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
    if (!members.isEmpty()) {
      step(null);
    }
  }

  private List<Member> idle() {
    List<Member> idle = new ArrayList<>(members);
    idle.removeIf(file -> file.task.inFlight() > 0);
    return idle;
  }

  private List<String> keysOfIdle() {
    List<String> keys = new ArrayList<>();
    idle().forEach(file -> keys.add(file.key));
    return keys;
  }

  /** One look at all files; {@code known} is null when they are to be read anew. */
  private void step(Map<String, FileView> known) {
    try {
      Map<String, FileView> views =
          known == null
              ? Reload.of(run.context.namespaceOf(run.request), found, keysOfIdle())
              : known;
      if (run.request.isDryRun()) {
        dryRun(views);
      } else {
        look(views);
      }
      errors = 0;
    } catch (IOException e) {
      failed(e);
    }
    if (members.isEmpty()) {
      run.closed(this);
    }
  }

  private void dryRun(Map<String, FileView> views) throws IOException {
    nameNode = null;
    for (Member file : new ArrayList<>(members)) {
      FileTask task = file.task;
      FileView view = views.get(file.key);
      if (view == null) {
        done(file, task.ended(FileOutcome.MISSING, "deleted meanwhile"));
      } else if (run.request.isFilesOnly() && run.context.owners.isTaken(task)) {
        done(file, task.ended(FileOutcome.PARTIAL, "another request works on it"));
      } else {
        done(file, run.context.plan(planner -> task.dryRun(view, planner)));
      }
    }
  }

  private void look(Map<String, FileView> views) throws IOException {
    long wait = Long.MAX_VALUE;
    boolean taken = false;
    nameNode = null;
    List<MoveQueue.Entry<Member>> start = new ArrayList<>();
    try {
      for (Member file : idle()) {
        if (run.isStopped()) {
          stop(file, views.get(file.key));
        } else if (!run.context.owners.take(file.task, file::hurry)) {
          taken = true;
          if (!run.request.isPaced()) {
            run.context.owners.hurry(file.task, run.request.priority());
          }
        } else {
          wait = Math.min(wait, look(file, views.get(file.key), start));
        }
      }
    } finally { // what was planned before an error counts as in flight and must end
      if (!start.isEmpty()) {
        straggler.reset();
        run.context.dispatcher.add(start);
      }
    }
    if (taken) {
      wait = Math.min(wait, claimed.next());
    }
    if (wait < Long.MAX_VALUE) {
      boolean soon = moving == 0 || idle().stream().anyMatch(file -> file.hurried != null);
      schedule(soon ? wait : Math.max(wait, ERROR_MILLIS));
    }
  }

  /** Decides about one file; returns how long it wants to wait. */
  private long look(Member file, FileView view, List<MoveQueue.Entry<Member>> start)
      throws IOException {
    FileTask task = file.task;
    boolean first = !task.wasLookedAt();
    long now = run.context.clock.millis();
    Decision planned = run.context.plan(planner -> task.look(view, planner, now));
    Decision decision = run.context.allowed(task, planned);
    if (first) {
      run.tell(l -> l.filePlanned(task.path(), decision.moves().size(), bytes(decision.moves())));
    }
    for (ReplicaMove move : decision.moves()) {
      moving++;
      int own = run.request.priority();
      int priority = file.hurried == null ? own : Math.max(own, file.hurried);
      MoveQueue.Entry<Member> entry = new MoveQueue.Entry<>(move, file, run.bandwidth, priority);
      if (run.request.isPaced() && file.hurried == null) {
        entry.pacedBy(run.context.pace);
      }
      start.add(entry);
    }
    if (decision.report() != null) {
      done(file, decision.report());
    }
    return decision.waitMillis() > 0 ? decision.waitMillis() : Long.MAX_VALUE;
  }

  /** Asks once for all files of a look. */
  private NameNodeState nameNode() {
    if (nameNode == null) {
      try {
        nameNode = run.context.namespace.nameNode();
      } catch (IOException e) {
        nameNode = NameNodeState.USUAL; // not known
      }
    }
    return nameNode;
  }

  private static long bytes(List<ReplicaMove> moves) {
    return moves.stream().mapToLong(move -> move.replica().bytes()).sum();
  }

  private void stop(Member file, FileView view) throws IOException {
    FileTask task = file.task;
    long now = run.context.clock.millis();
    FileReport last =
        view == null ? null : run.context.plan(planner -> task.lastLook(view, planner, now));
    done(
        file,
        last != null && last.outcome().isSatisfied()
            ? last
            : task.ended(FileOutcome.CANCELLED, run.stopReason()));
  }

  private void done(Member file, FileReport report) {
    members.remove(file);
    run.context.owners.release(file.task);
    run.closed(report);
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
    for (Member file : idle()) {
      done(
          file,
          stopped
              ? file.task.ended(FileOutcome.CANCELLED, run.stopReason())
              : file.task.ended(outcome, Run.line(e)));
    }
    if (members.isEmpty()) {
      run.closed(this);
    } else {
      schedule(ERROR_MILLIS);
    }
  }

  /** The engine is closed: what is not done is cancelled. */
  List<FileReport> abandoned() {
    List<FileReport> reports = new ArrayList<>();
    for (Member file : members) {
      run.context.owners.release(file.task);
      reports.add(file.task.ended(FileOutcome.CANCELLED, Run.CLOSED));
    }
    members.clear();
    return Collections.unmodifiableList(reports);
  }
}
