package io.evenkeel.mover.engine;

import io.evenkeel.mover.core.plan.ReplicaMove;
import io.evenkeel.mover.core.task.Backoff;
import io.evenkeel.mover.core.task.FileTask;
import io.evenkeel.mover.core.task.MoveQueue;
import io.evenkeel.mover.core.task.MoveResult;
import io.evenkeel.mover.core.task.MovesPerDataNode;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;

/**
 * Starts waiting moves as soon as permits and bandwidth allow, on the engine's move threads. A move
 * whose DataNode is busy waits and is tried again without its owner; one whose DataNode answers
 * nobody ends after a time. Thread-safe; its one lock is held for no I/O and while no lock is taken
 * but that of the threads.
 */
final class Dispatcher {
  private static final long BUSY_FIRST_MILLIS = 50;
  private static final long BUSY_LONGEST_MILLIS = 5_000;
  private static final int BUSY_ATTEMPTS = 200;

  private final ReplicaMover mover;
  private final Pools pools;
  private final Clock clock;
  private final int most;
  private final MoveQueue<Batch.Member> queue;
  private final Backoff backoff = new Backoff(new Random(), BUSY_FIRST_MILLIS, BUSY_LONGEST_MILLIS);
  private int running;

  private final LocalMoves local;
  private long wakeAt = Long.MAX_VALUE;

  /**
   * Moves under way on DataNodes that may hang, when somebody last looked; at most {@link #most}.
   */
  private int quiet;

  /** The last look found nothing to start. */
  private boolean drained = true;

  Dispatcher(
      ReplicaMover mover,
      Pools pools,
      Clock clock,
      EngineSettings settings,
      BiConsumer<String, Throwable> warn) {
    this.mover = mover;
    this.pools = pools;
    this.clock = clock;
    this.most = settings.threads;
    this.queue =
        new MoveQueue<>(
            new MovesPerDataNode(
                settings.movesPerNode,
                new Backoff(new Random(), BUSY_FIRST_MILLIS, BUSY_LONGEST_MILLIS)),
            settings.nodeBytesPerSecond);
    this.local = new LocalMoves(this, mover.lease(), queue, pools, clock, warn, this::pump);
  }

  /** Adds moves; their owner is told when each has ended. */
  void add(List<MoveQueue.Entry<Batch.Member>> moves) {
    synchronized (this) {
      for (MoveQueue.Entry<Batch.Member> entry : moves) {
        if (entry.move().isLocal()) {
          local.add(entry);
        } else {
          queue.add(entry);
        }
      }
    }
    pump();
  }

  /** Moves that wait. */
  synchronized int waiting() {
    return queue.size() + local.waiting();
  }

  /** Moves that run. */
  synchronized int running() {
    return running;
  }

  /** Files of which a DataNode may be at work on a move inside it. */
  synchronized Set<FileTask> filesThatGoOn() {
    return local.filesThatGoOn();
  }

  /** Why no move inside a DataNode can be made now; null when it can, as far as is known. */
  synchronized String localRefusal() {
    return local.refusal();
  }

  /** Permits of DataNodes that are taken. */
  synchronized int permits() {
    return queue.permits();
  }

  /** Whether the move threads could do more than waits for them. */
  synchronized boolean isShortOfWork() {
    return waiting() < 4 * most || isStarved();
  }

  /**
   * Whether most threads have nothing to do, since what is worked on waits for DataNodes that may
   * hang, or for another process to end its moves inside DataNodes.
   */
  synchronized boolean isStarved() {
    return drained && 2 * (running - quiet) < most && (quiet > 0 || local.waiting() > 0);
  }

  /**
   * Ends what waits for DataNodes that answer nobody, and has other threads stand in for those that
   * wait for them; to be called now and then.
   */
  void look() {
    List<MoveQueue.Entry<Batch.Member>> ofTargets;
    List<MoveQueue.Entry<Batch.Member>> ofSources;
    synchronized (this) {
      long now = clock.nanos();
      quiet = Math.min(most, queue.quiet(now));
      pools.setMoves(Math.max(most + quiet, running)); // each has a thread, or waits for one
      ofTargets = queue.removeOfStalledTargets(now);
      ofSources = queue.removeOfStalledSources(now);
      local.goOn();
    }
    for (MoveQueue.Entry<Batch.Member> entry : ofTargets) {
      stalled(entry, MoveResult.Kind.STALLED, entry.move().target());
    }
    for (MoveQueue.Entry<Batch.Member> entry : ofSources) {
      stalled(entry, MoveResult.Kind.PROXY_STALLED, entry.move().proxy());
    }
    pump();
  }

  private static void stalled(
      MoveQueue.Entry<Batch.Member> entry, MoveResult.Kind kind, String node) {
    String what = node + " has given no sign of life for 10 minutes";
    entry.owner().ended(entry.move(), MoveResult.of(kind, what));
  }

  /** Drops the waiting moves of a request and tells their owners. */
  void drop(ActiveRequest active) {
    List<MoveQueue.Entry<Batch.Member>> out;
    synchronized (this) {
      out = queue.removeIf(entry -> entry.owner().active() == active);
      out.addAll(local.removeIf(entry -> entry.owner().active() == active));
    }
    for (MoveQueue.Entry<Batch.Member> entry : out) {
      entry.owner().dropped(entry.move());
    }
  }

  /** Has the waiting moves of a file start as soon as those of a request of this priority. */
  void hurry(Batch.Member file, int priority) {
    synchronized (this) {
      queue.hurry(file, priority);
      local.hurry(file, priority);
    }
    pump();
  }

  /** After the threads have ended: gives back what other processes may wait for. */
  void close() {
    local.close();
  }

  private void pump() {
    synchronized (this) {
      local.check();
      long[] soonest = {Long.MAX_VALUE};
      while (running < most + quiet) {
        long now = clock.nanos();
        MoveQueue.Entry<Batch.Member> entry =
            queue.poll(now, wait -> soonest[0] = Math.min(soonest[0], later(now, wait)));
        drained = entry == null;
        if (entry == null) {
          wakeUp(soonest[0]);
          return;
        }
        if (entry.move().isLocal() && local.holdsBack(entry)) {
          queue.ended(entry, false);
          continue;
        }
        if (entry.move().isLocal()) {
          local.began(entry);
        }
        try {
          pools.moves.execute(() -> move(entry));
          running++;
        } catch (RejectedExecutionException e) {
          local.answered(entry);
          return; // the engine is being closed
        } catch (OutOfMemoryError e) { // no thread could be made for it
          local.answered(entry);
          long wait = TimeUnit.MILLISECONDS.toNanos(Pools.NO_THREAD_MILLIS);
          queue.putBack(entry, now, wait);
          wakeUp(now + wait);
          return;
        }
      }
    }
  }

  private static long later(long now, long wait) {
    return wait > Long.MAX_VALUE - now ? Long.MAX_VALUE : now + wait;
  }

  private void wakeUp(long at) {
    if (at < wakeAt) {
      wakeAt = at;
      long wait = Math.max(1_000_000, at - clock.nanos());
      try {
        ScheduledFuture<?> unused = pools.timer.schedule(this::woken, wait, TimeUnit.NANOSECONDS);
      } catch (RejectedExecutionException | OutOfMemoryError e) {
        wakeAt = Long.MAX_VALUE; // the engine is being closed, or no thread could be made
      }
    }
  }

  private void woken() {
    synchronized (this) {
      wakeAt = Long.MAX_VALUE;
    }
    pump();
  }

  private void move(MoveQueue.Entry<Batch.Member> entry) {
    MoveResult result;
    boolean goesOn = false;
    try {
      boolean any = !entry.move().isLocal();
      result =
          any || mayAsk() // this thread may have been held up
              ? mover.move(entry.move(), node -> alive(entry.move(), node), () -> any || mayAsk())
              : MoveResult.of(MoveResult.Kind.TOO_LATE, "");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      goesOn = true;
      result = MoveResult.of(MoveResult.Kind.FAILED, "interrupted");
    } catch (RuntimeException | Error e) { // its permits must come back
      goesOn = true; // it may have been asked for before
      result = MoveResult.of(MoveResult.Kind.FAILED, e.toString());
    }
    if (result.kind() == MoveResult.Kind.TOO_LATE) {
      tooLate(entry);
    } else {
      ended(entry, result, goesOn);
    }
    pump();
  }

  private synchronized boolean mayAsk() {
    return local.mayBegin();
  }

  /** It waits again; no DataNode has refused anything. */
  private void tooLate(MoveQueue.Entry<Batch.Member> entry) {
    boolean again;
    synchronized (this) {
      running--;
      local.answered(entry);
      again = !entry.owner().active().isStopped();
      if (again) {
        queue.putBack(entry, clock.nanos(), 0);
        local.putOff(entry);
      } else {
        queue.ended(entry, false);
      }
    }
    if (!again) {
      entry.owner().dropped(entry.move());
    }
  }

  private void ended(MoveQueue.Entry<Batch.Member> entry, MoveResult result, boolean goesOn) {
    boolean again;
    synchronized (this) {
      running--;
      if (goesOn || result.mayGoOn()) {
        local.unanswered(entry, result.kind() == MoveResult.Kind.UNANSWERED);
      } else {
        local.answered(entry);
      }
      note(entry.move(), result.kind(), clock.nanos());
      again =
          result.isBusy() && entry.delays() < BUSY_ATTEMPTS && !entry.owner().active().isStopped();
      if (again) {
        long delay = TimeUnit.MILLISECONDS.toNanos(backoff.delay(entry.delays()));
        boolean proxy = result.kind() == MoveResult.Kind.PROXY_BUSY;
        queue.putOff(entry, proxy, clock.nanos(), delay);
        if (entry.move().isLocal()) {
          local.putOff(entry);
        }
      } else {
        queue.ended(entry, result.kind() == MoveResult.Kind.DONE);
      }
    }
    if (again) {
      entry.owner().putOff(entry.move());
    } else {
      entry.owner().ended(entry.move(), result);
    }
  }

  private synchronized void alive(ReplicaMove move, String node) {
    long now = clock.nanos();
    if (node.equals(move.target())) {
      queue.answered(move, now);
    } else {
      queue.wasRead(move, now);
    }
  }

  /** What the end of a move says of its DataNodes. */
  private void note(ReplicaMove move, MoveResult.Kind kind, long now) {
    switch (kind) {
      case DONE:
      case PINNED:
      case PROXY_BUSY:
        queue.answered(move, now);
        queue.wasRead(move, now);
        break;
      case UNREACHABLE:
      case BROKEN_OFF:
      case UNANSWERED:
        queue.notAnswered(move, now);
        break;
      case PROXY_UNREACHABLE:
        queue.notRead(move, now);
        break;
      default: // if the target said that, it is known to be alive
        break;
    }
  }
}
