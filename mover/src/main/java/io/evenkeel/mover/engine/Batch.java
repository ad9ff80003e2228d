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
import io.evenkeel.mover.request.MoveRequest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/**
 * Files of a request that are read from the NameNode together until nothing more is to be done
 * about them: those of one page of a directory by that page, which is one call for all of them; a
 * few of it, others, and those that are not there any more, by their inode id, since a rename does
 * not change it. All its work happens in its request's turn, one call after the other.
 */
final class Batch {
  /** After the last move ended the NameNode has usually heard of it. */
  private static final long HEARD_MILLIS = 40;

  private static final long ERROR_MILLIS = 1_000;

  /** For a file somebody waits for, before the others of its batch are done. */
  private static final long HURRIED_MILLIS = 500;

  private static final int ERRORS = 30;

  private final ActiveRequest active;
  private final String listing; // null for files that were named
  private final String startAfter; // of the page
  private final String position;
  private final int found;
  private final boolean striped;
  private final List<Member> members = new ArrayList<>();

  /** Moves that were handed out and have not ended. */
  private int moving;

  private ScheduledFuture<?> nextLook;

  /** For a file that another request works on. */
  private final GrowingWait claimed = new GrowingWait(200, 3_200);

  /** For the slowest move of the batch, before its other files are looked at. */
  private final GrowingWait straggler = new GrowingWait(5_000, 60_000);

  /** The NameNode's state in this look; null until it was asked for. */
  private NameNodeState nameNode;

  private int errors;

  /** A file of the batch. It owns its moves: the threads that make them tell it of their ends. */
  final class Member {
    private final FileTask task;
    private final String key;

    /** Whether it came after another one that had the same path. */
    private final boolean replacing;

    /** Whether a third one has come. */
    private boolean replacedAgain;

    /** Priority of somebody who waits for it and is not paced; null for nobody. */
    private Integer hurried;

    Member(FileView found) {
      this(found, false);
    }

    /** One that may be there instead of a file that is gone. */
    private Member(FileView found, boolean replacing) {
      this.replacing = replacing;
      this.task = new FileTask(found, active.resources.rules, Batch.this::nameNode);
      this.key = key(found);
    }

    ActiveRequest active() {
      return active;
    }

    FileTask task() {
      return task;
    }

    /** A move has ended. */
    void ended(ReplicaMove move, MoveResult result) {
      active.turn(
          () -> {
            task.ended(move, result, active.resources.clock.millis());
            if (result.kind() == MoveResult.Kind.DONE) {
              active.tell(l -> l.replicaMoved(task.path(), move.isLocal(), move.replica().bytes()));
            } else if (result.kind() == MoveResult.Kind.HELD) {
              active.resources.dispatcher.drop(active);
            }
            afterMove(this);
          });
    }

    /** A move was taken out of the queue before it started. */
    void dropped(ReplicaMove move) {
      active.turn(
          () -> {
            task.dropped(move);
            afterMove(this);
          });
    }

    /** A move waits since its DataNode is busy. */
    void putOff(ReplicaMove move) {
      active.turn(
          () -> {
            // else its next attempt has ended, or was dropped, before this turn
            if (task.putOff(move) && hurried != null) { // it ran as somebody came to wait for it
              active.resources.dispatcher.hurry(this, hurried);
            }
          });
    }

    /** From any thread: somebody who is not paced waits for it. */
    private void hurry(int priority) {
      if (!active.request.isPaced()) {
        return;
      }
      active.turn(
          () -> {
            boolean known = hurried != null;
            hurried = priority;
            if (known || !members.contains(this)) {
              return;
            }
            if (task.inFlight() == 0) {
              schedule(HEARD_MILLIS); // it waits for a look
            } else {
              active.resources.dispatcher.hurry(this, priority);
            }
          });
    }
  }

  Batch(ActiveRequest active, Walk.Found found) {
    this.active = active;
    this.listing = found.listing();
    this.startAfter = found.start();
    this.position = found.position();
    this.found = found.files().size();
    this.striped = found.files().stream().anyMatch(file -> file.wantedTypes().isStriped());
    found.files().forEach(file -> members.add(new Member(file)));
    // Another process on the same files then seldom comes to the same replica at the same time.
    Collections.shuffle(members);
  }

  /** Where it was found, as {@link Walk.Found#position} says. */
  String position() {
    return position;
  }

  /** The first look, at the files as they were found. */
  void start(List<FileView> files) {
    Map<String, FileView> views = new HashMap<>();
    files.forEach(file -> views.put(key(file), file));
    lookAt(views);
  }

  /** A file whose moves run is not read again: located listings are what costs most. */
  private void afterMove(Member file) {
    moving--;
    if (moving == 0) {
      schedule(active.isStopped() ? 0 : HEARD_MILLIS);
    } else if (file.task.inFlight() > 0) {
      return;
    } else if (file.hurried != null) {
      if (nextLook == null || nextLook.getDelay(TimeUnit.MILLISECONDS) > HURRIED_MILLIS) {
        schedule(HURRIED_MILLIS);
      }
    } else if (nextLook == null) {
      schedule(active.isStopped() ? HEARD_MILLIS : straggler.next());
    }
  }

  private void schedule(long millis) {
    if (nextLook != null) {
      nextLook.cancel(false);
    }
    nextLook = active.later(this::again, millis);
  }

  /** The request was stopped: ends at once what does not wait for a move. */
  void stopped() {
    schedule(0);
  }

  private void again() {
    if (nextLook != null) { // this one was already in its turn when another took its place
      nextLook.cancel(false);
    }
    nextLook = null;
    if (!members.isEmpty()) {
      lookAt(null);
    }
  }

  private List<Member> idle() {
    List<Member> idle = new ArrayList<>(members);
    idle.removeIf(file -> file.task.inFlight() > 0);
    return idle;
  }

  /**
   * What a file is asked for by, and known by here. An inode id always means the current file,
   * which a snapshot's path does not.
   */
  private static String key(FileView file) {
    return Namespace.isInSnapshot(file.path()) ? file.path() : MoveRequest.inode(file.inodeId());
  }

  /** The files that are not being moved, by their keys; those that are gone are absent. */
  private Map<String, FileView> readAgain() throws IOException {
    Namespace namespace = active.resources.namespaceOf(active.request);
    Map<String, FileView> views = new HashMap<>();
    Set<String> missing = new LinkedHashSet<>();
    idle().forEach(file -> missing.add(file.key));
    if (isReadByPage(namespace, missing.size())) {
      Namespace.Page page = namespace.list(listing, startAfter);
      List<FileView> files = page == null ? Collections.emptyList() : page.files();
      for (FileView view : files) {
        if (missing.remove(key(view))) {
          views.put(key(view), view);
        }
      }
    }
    for (FileView view : filesThere(namespace, missing)) {
      views.put(key(view), view);
    }
    replaceGone(namespace, views);
    return views;
  }

  private static List<FileView> filesThere(Namespace namespace, Collection<String> paths)
      throws IOException {
    List<String> all = new ArrayList<>(paths);
    List<FileView> there = new ArrayList<>();
    for (int i = 0; i < all.size(); i += Namespace.FILES_AT_ONCE) {
      List<String> some = all.subList(i, Math.min(all.size(), i + Namespace.FILES_AT_ONCE));
      there.addAll(namespace.files(some));
    }
    there.removeIf(Objects::isNull);
    return there;
  }

  /**
   * A file that has the path of one that is gone takes its place: it is asked for as well. But only
   * once, or the request would not end while somebody writes that path again and again.
   */
  private void replaceGone(Namespace namespace, Map<String, FileView> views) throws IOException {
    Map<String, Member> gone = new LinkedHashMap<>();
    for (Member file : idle()) {
      if (!views.containsKey(file.key) && !file.key.equals(file.task.path())) {
        gone.put(file.task.path(), file);
      }
    }
    Set<String> known = new HashSet<>();
    members.forEach(file -> known.add(file.key));
    for (FileView view : filesThere(namespace, gone.keySet())) {
      if (known.add(key(view))) { // else it was renamed to there
        Member old = gone.get(view.path());
        if (old.replacing) {
          old.replacedAgain = true;
        } else {
          active.resources.owners.release(old.task);
          members.set(members.indexOf(old), new Member(view, true));
          views.put(key(view), view);
        }
      }
    }
  }

  /**
   * A page costs the NameNode as much for a file that is not asked for as for one that is. But in a
   * snapshot, and of striped files, only the page tells the policy as the first look saw it.
   */
  private boolean isReadByPage(Namespace namespace, int files) {
    if (listing == null || files == 0) {
      return false;
    }
    boolean few = 2 * files <= found && files <= namespace.filesOfOneCall();
    return !few || striped || Namespace.isInSnapshot(listing + "/");
  }

  /** One look at all files; {@code known} is null when they are to be read anew. */
  private void lookAt(Map<String, FileView> known) {
    nameNode = null;
    try {
      Map<String, FileView> views = known == null ? readAgain() : known;
      if (active.request.isDryRun()) {
        dryRun(views);
      } else {
        look(views);
      }
      errors = 0;
    } catch (IOException e) {
      failed(e);
    }
    if (members.isEmpty()) {
      active.closed(this);
    }
  }

  private void dryRun(Map<String, FileView> views) throws IOException {
    for (Member file : new ArrayList<>(members)) {
      FileTask task = file.task;
      FileView view = views.get(file.key);
      if (view == null) {
        done(file, gone(file));
      } else if (active.request.isFilesOnly() && active.resources.owners.isTaken(task)) {
        done(file, task.ended(FileOutcome.PARTIAL, "another request works on it"));
      } else {
        done(file, active.resources.plan(planner -> task.dryRun(view, planner)));
      }
    }
  }

  private void look(Map<String, FileView> views) throws IOException {
    long wait = Long.MAX_VALUE;
    boolean taken = false;
    List<MoveQueue.Entry<Member>> start = new ArrayList<>();
    try {
      for (Member file : idle()) {
        if (active.isStopped()) {
          stop(file, views.get(file.key));
        } else if (!active.resources.owners.take(file.task, file::hurry)) {
          taken = true;
          if (!active.request.isPaced()) {
            active.resources.owners.hurry(file.task, active.request.priority());
          }
        } else if (views.containsKey(file.key)) {
          wait = Math.min(wait, look(file, views.get(file.key), start));
        } else {
          done(file, gone(file));
        }
      }
    } finally { // what was planned before an error counts as in flight and must end
      if (!start.isEmpty()) {
        straggler.reset();
        active.resources.dispatcher.add(start);
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
    long now = active.resources.clock.millis();
    Decision planned = active.resources.plan(planner -> task.look(view, planner, now));
    Decision decision = active.resources.allowed(task, planned);
    if (first) {
      active.tell(
          l -> l.filePlanned(task.path(), decision.moves().size(), bytes(decision.moves())));
    }
    for (ReplicaMove move : decision.moves()) {
      moving++;
      int own = active.request.priority();
      int priority = file.hurried == null ? own : Math.max(own, file.hurried);
      MoveQueue.Entry<Member> entry = new MoveQueue.Entry<>(move, file, active.bandwidth, priority);
      if (active.request.isPaced() && file.hurried == null) {
        entry.pacedBy(active.resources.pace);
      }
      start.add(entry);
    }
    if (decision.report() != null) {
      done(file, decision.report());
    }
    return decision.waitMillis() > 0 ? decision.waitMillis() : Long.MAX_VALUE;
  }

  /**
   * A snapshot that was named and is gone may have been renamed, with all replicas where they were;
   * of a file a rename does not change the inode id.
   */
  private FileReport gone(Member file) {
    FileTask task = file.task;
    if (file.replacedAgain) {
      return task.ended(FileOutcome.FAILED, "replaced more than once meanwhile");
    }
    return Namespace.isInSnapshot(task.path()) && !active.request.includesSnapshots()
        ? task.ended(FileOutcome.MISSING, "its snapshot was deleted or renamed meanwhile")
        : task.ended(FileOutcome.DELETED, "");
  }

  /** Asks once for all files of a look. */
  private NameNodeState nameNode() {
    if (nameNode == null) {
      try {
        nameNode = active.resources.namespace.nameNode();
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
    long now = active.resources.clock.millis();
    FileReport last =
        view == null ? null : active.resources.plan(planner -> task.lastLook(view, planner, now));
    done(
        file,
        last != null && last.outcome().isSatisfied()
            ? last
            : task.ended(FileOutcome.CANCELLED, active.stopReason()));
  }

  private void done(Member file, FileReport report) {
    members.remove(file);
    active.resources.owners.release(file.task);
    active.closed(report);
  }

  /** The NameNode did not answer: tries again for a while, then gives the files up. */
  private void failed(IOException e) {
    errors++;
    boolean passing = !(e instanceof AccessDeniedException);
    if (passing && errors < ERRORS && !active.isStopped()) {
      schedule(ERROR_MILLIS);
      return;
    }
    boolean stopped = active.isStopped(); // then the call itself may have been interrupted
    FileOutcome outcome =
        stopped ? FileOutcome.CANCELLED : passing ? FileOutcome.FAILED : FileOutcome.DENIED;
    String reason = stopped ? active.stopReason() : ActiveRequest.line(e);
    for (Member file : idle()) {
      done(file, file.task.ended(outcome, reason));
    }
    if (!members.isEmpty()) {
      schedule(ERROR_MILLIS);
    }
  }

  /** The engine is closed: what is not done is cancelled. */
  void abandon() {
    for (Member file : new ArrayList<>(members)) {
      done(file, file.task.ended(FileOutcome.CANCELLED, ActiveRequest.CLOSED));
    }
  }
}
