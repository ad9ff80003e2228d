package io.evenkeel.mover.engine;

import io.evenkeel.mover.core.task.TokenBucket;
import io.evenkeel.mover.request.FileOutcome;
import io.evenkeel.mover.request.FileReport;
import io.evenkeel.mover.request.MoveListener;
import io.evenkeel.mover.request.MoveReport;
import io.evenkeel.mover.request.MoveRequest;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * One request being worked on. Its state is touched only in its own turn, a queue of tasks that run
 * one after the other; the stop and the future may come from any thread.
 */
final class ActiveRequest {
  private static final int BATCHES = 4;

  /** Batches that may be open while the move threads have too little to do; each is read anew. */
  private static final int MORE_BATCHES = 256;

  private static final int READ_ERRORS = 30;
  static final String CLOSED = "the mover was closed";

  final EngineResources resources;
  final MoveRequest request;
  final TokenBucket bandwidth;
  private final Deque<Runnable> turns = new ArrayDeque<>(); // guarded by itself
  private boolean turning; // guarded by turns
  private final Lock inTurn = new ReentrantLock();
  private final MoveReport.Builder report = new MoveReport.Builder();
  private final Engine.Future future;
  private final Consumer<ActiveRequest> onEnd;
  private final List<Batch> batches = new ArrayList<>();
  private Walk walk;
  private String lastRead; // its position
  private String position; // that was told
  private boolean allRead;
  private boolean reading; // or about to
  private boolean ended;
  private int readErrors;
  private volatile boolean readsOn; // in a turn to come
  private volatile String stopReason;

  /**
   * Creates it.
   *
   * @param onEnd told once when it has ended
   */
  ActiveRequest(EngineResources resources, Engine.Future future, Consumer<ActiveRequest> onEnd) {
    this.resources = resources;
    this.request = future.request;
    this.bandwidth = new TokenBucket(request.bytesPerSecond());
    this.future = future;
    this.onEnd = onEnd;
  }

  boolean isStopped() {
    return stopReason != null;
  }

  String stopReason() {
    return stopReason;
  }

  /** Does something in this request's turn. From any thread. */
  void turn(Runnable task) {
    synchronized (turns) {
      turns.add(task);
      if (turning) {
        return;
      }
      turning = true;
    }
    try {
      resources.pools.timer.execute(this::takeTurns);
    } catch (OutOfMemoryError e) { // no thread could be made, but it waits for the next one
      return;
    } catch (RejectedExecutionException e) {
      synchronized (turns) {
        turns.clear(); // the engine is closed, and abandon() follows
        turning = false;
      }
    }
  }

  private void takeTurns() {
    for (Runnable task = nextTurn(); task != null; task = nextTurn()) {
      inTurn.lock();
      try {
        task.run();
      } catch (RuntimeException | Error e) {
        if (!resources.pools.isClosed()) { // else abandon() follows
          broken(e);
        }
      } finally {
        inTurn.unlock();
      }
    }
  }

  private Runnable nextTurn() {
    synchronized (turns) {
      Runnable task = turns.poll();
      turning = task != null;
      return task;
    }
  }

  /** The same after a time. */
  ScheduledFuture<?> later(Runnable task, long millis) {
    return resources.pools.timer.schedule(() -> turn(task), millis, TimeUnit.MILLISECONDS);
  }

  void start() {
    turn(this::read);
  }

  /** Reads on where the move threads have too little to do. From any thread. */
  void readOn() {
    if (readsOn) {
      return; // it is in a turn, perhaps in a listener that does not return
    }
    readsOn = true;
    turn(
        () -> {
          readsOn = false;
          if (!ended) {
            read();
          }
        });
  }

  /** Starts nothing more; what is in flight ends by itself. From any thread. */
  void stop(String reason) {
    if (stopReason == null) {
      stopReason = reason;
      turn(
          () -> {
            resources.dispatcher.drop(this);
            new ArrayList<>(batches).forEach(Batch::stopped);
            endIfDone();
          });
    }
  }

  /** Reads on as long as that is sensible; reading may block, so it is not done in the turn. */
  private void read() {
    if (!reading && !allRead && !isStopped() && wantsMore()) {
      reading = true;
      // a list that is given piece by piece may make its reader wait
      boolean lazy = !(request.paths() instanceof Collection);
      Executor reader = lazy ? resources.pools.readers : resources.pools.timer;
      long wait = resources.listingDelayNanos(request);
      if (wait == 0) {
        reader.execute(this::readOne);
      } else {
        ScheduledFuture<?> unused =
            resources.pools.timer.schedule(this::readOne, wait, TimeUnit.NANOSECONDS);
      }
    }
    endIfDone();
  }

  private void readOne() {
    if (isStopped()) {
      return; // it ends without what is left
    }
    try {
      if (walk == null) {
        walk =
            new Walk(
                resources.namespaceOf(request),
                request,
                file -> turn(() -> fileDone(file)),
                path -> turn(() -> tell(listener -> listener.leftOut(path))));
      }
      Walk.Found found = walk.next();
      turn(() -> wasRead(found));
    } catch (AccessDeniedException e) {
      turn(() -> ends(FileOutcome.DENIED, e));
    } catch (IOException e) {
      turn(() -> readFailed(e));
    } catch (RuntimeException | Error e) { // an unknown policy, a pattern that is none
      turn(() -> ends(FileOutcome.FAILED, e));
    }
  }

  private void wasRead(Walk.Found found) {
    reading = false;
    readErrors = 0;
    if (found == null) {
      allRead = true;
    } else if (!isStopped()) {
      lastRead = found.position();
      if (!found.files().isEmpty()) {
        Batch batch = new Batch(this, found);
        batches.add(batch);
        resources.openFiles.addAndGet(found.files().size());
        batch.start(found.files());
      }
      tellPosition();
    }
    read();
  }

  /** Nothing more can be read. */
  private void ends(FileOutcome outcome, Throwable why) {
    reading = false;
    allRead = true;
    fileDone(FileReport.of("", outcome, line(why)));
    endIfDone();
  }

  private boolean wantsMore() {
    return batches.isEmpty()
        || resources.mayReadOn()
            && (batches.size() < BATCHES
                || batches.size() < MORE_BATCHES && resources.dispatcher.isShortOfWork());
  }

  private void readFailed(IOException e) {
    readErrors++;
    if (readErrors < READ_ERRORS && !isStopped()) {
      ScheduledFuture<?> unused =
          later(
              () -> {
                reading = false;
                read();
              },
              1_000);
    } else {
      ends(FileOutcome.FAILED, e);
    }
  }

  /** A batch has no open file any more. */
  void closed(Batch batch) {
    if (batches.remove(batch)) {
      tellPosition();
      turn(this::read);
    }
  }

  /** Batches are in the order in which they were read. */
  private void tellPosition() {
    String now = batches.isEmpty() ? lastRead : batches.get(0).position();
    if (now != null && !now.equals(position) && !isStopped()) { // else it leaves files behind
      position = now;
      tell(listener -> listener.readUpTo(now));
    }
  }

  /** A file of a batch has ended. */
  void closed(FileReport file) {
    resources.openFiles.decrementAndGet();
    fileDone(file);
  }

  private void fileDone(FileReport file) {
    if (!ended) {
      report.add(file);
      tell(listener -> listener.fileDone(file));
    }
  }

  void tell(Consumer<MoveListener> what) {
    try {
      what.accept(request.listener());
    } catch (RuntimeException | Error e) {
      resources.warn.accept("The listener of a request failed", e);
    }
  }

  private void endIfDone() {
    boolean nothingMore = allRead || isStopped();
    if (nothingMore && batches.isEmpty() && !ended) {
      if (!allRead) {
        report.add(FileReport.of("", FileOutcome.CANCELLED, stopReason + ": not all paths read"));
      }
      MoveReport whole = report.build();
      end(() -> future.complete(whole));
    }
  }

  private void end(Runnable completing) {
    ended = true;
    future.ends(resources, completing, () -> onEnd.accept(this));
  }

  /** A mistake in the mover itself: the request ends instead of hanging. */
  private void broken(Throwable e) {
    if (!ended) {
      stopReason = "internal error";
      resources.dispatcher.drop(this);
      batches.forEach(Batch::abandon); // also when closing broke this turn off
      end(() -> future.completeExceptionally(e));
    }
  }

  /** The engine is closed and its threads with it. */
  void abandon() {
    if (!inTurn.tryLock()) { // a call to the NameNode or a listener does not return
      report.add(FileReport.of("", FileOutcome.CANCELLED, CLOSED));
      future.complete(report.build());
      return;
    }
    try {
      if (!ended) {
        if (!allRead) {
          report.add(FileReport.of("", FileOutcome.CANCELLED, CLOSED + ": not all paths read"));
        }
        batches.forEach(Batch::abandon); // who cancelled knows only what is told
        ended = true;
        future.complete(report.build());
      }
    } finally {
      inTurn.unlock();
    }
  }

  static String line(Throwable e) {
    String message = e.getMessage() == null ? e.toString() : e.getMessage();
    return message.split("\n", 2)[0];
  }
}
