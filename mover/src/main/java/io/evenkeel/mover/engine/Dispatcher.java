package io.evenkeel.mover.engine;

import io.evenkeel.mover.core.plan.ReplicaMove;
import io.evenkeel.mover.core.task.Backoff;
import io.evenkeel.mover.core.task.FileTask;
import io.evenkeel.mover.core.task.MoveQueue;
import io.evenkeel.mover.core.task.MoveResult;
import io.evenkeel.mover.core.task.NodePermits;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

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

  /**
   * Moves inside DataNodes that were begun and not answered, those given up by an interrupt too.
   */
  private final Set<MoveQueue.Entry<Batch.Member>> inside = new HashSet<>();

  private long wakeAt = Long.MAX_VALUE;

  /**
   * Moves under way on DataNodes that may hang, when somebody last looked; at most {@link #most}.
   */
  private int hung;

  /** The last look found nothing to start, but moves that wait for those under way. */
  private boolean blocked;

  Dispatcher(ReplicaMover mover, Pools pools, Clock clock, EngineSettings settings) {
    this.mover = mover;
    this.pools = pools;
    this.clock = clock;
    this.most = settings.threads;
    this.queue =
        new MoveQueue<>(
            new NodePermits(
                settings.movesPerNode,
                new Backoff(new Random(), BUSY_FIRST_MILLIS, BUSY_LONGEST_MILLIS)),
            settings.nodeBytesPerSecond);
  }

  /** Adds moves; their owner is told when each has ended. */
  void add(List<MoveQueue.Entry<Batch.Member>> moves) {
    synchronized (this) {
      moves.forEach(queue::add);
    }
    pump();
  }

  /** Moves that wait and moves that run. */
  synchronized int[] load() {
    return new int[] {queue.size(), running};
  }

  /** Files of which a DataNode may be at work on a move inside it. */
  synchronized Set<FileTask> filesThatGoOn() {
    return inside.stream().map(entry -> entry.owner().task()).collect(Collectors.toSet());
  }

  /** Permits of DataNodes that are taken. */
  synchronized int permits() {
    return queue.permits();
  }

  /** Whether the move threads could do more than waits for them. */
  synchronized boolean isShortOfWork() {
    return queue.size() < 4 * most || isStarved();
  }

  /**
   * Whether most threads have nothing to do, since what waits for them waits for moves under way,
   * some of it for a DataNode that may hang.
   */
  synchronized boolean isStarved() {
    return blocked && 2 * (running - hung) < most && queue.waitsForQuiet(clock.nanos());
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
      hung = Math.min(most, queue.hung(now));
      pools.setMoves(Math.max(most + hung, running)); // each has a thread, or waits for one
      ofTargets = queue.removeOfStalledTargets(now);
      ofSources = queue.removeOfStalledSources(now);
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
  void drop(Run run) {
    List<MoveQueue.Entry<Batch.Member>> out;
    synchronized (this) {
      out = queue.removeIf(entry -> entry.owner().run() == run);
    }
    for (MoveQueue.Entry<Batch.Member> entry : out) {
      entry.owner().dropped(entry.move());
    }
  }

  /** Has the waiting moves of a file start as soon as those of a request of this priority. */
  void hurry(Batch.Member file, int priority) {
    synchronized (this) {
      queue.hurry(file, priority);
    }
    pump();
  }

  private void pump() {
    synchronized (this) {
      long[] soonest = {Long.MAX_VALUE};
      while (running < most + hung) {
        long now = clock.nanos();
        MoveQueue.Entry<Batch.Member> entry =
            queue.poll(now, wait -> soonest[0] = Math.min(soonest[0], later(now, wait)));
        blocked = entry == null && queue.lacksPermits();
        if (entry == null) {
          wakeUp(soonest[0]);
          return;
        }
        try {
          pools.moves.execute(() -> move(entry));
          running++;
          if (entry.move().isLocal()) {
            inside.add(entry);
          }
        } catch (RejectedExecutionException e) {
          return; // the engine is being closed
        } catch (OutOfMemoryError e) { // no thread could be made for it
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
      result = mover.move(entry.move(), node -> alive(entry.move(), node));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      goesOn = true;
      result = MoveResult.of(MoveResult.Kind.FAILED, "interrupted");
    } catch (RuntimeException | Error e) { // its permits must come back
      result = MoveResult.of(MoveResult.Kind.FAILED, e.toString());
    }
    ended(entry, result, goesOn);
    pump();
  }

  private void ended(MoveQueue.Entry<Batch.Member> entry, MoveResult result, boolean goesOn) {
    boolean again;
    synchronized (this) {
      running--;
      if (!goesOn) {
        inside.remove(entry);
      }
      note(entry.move(), result.kind(), clock.nanos());
      again = result.isBusy() && entry.delays() < BUSY_ATTEMPTS && !entry.owner().run().isStopped();
      if (again) {
        long delay = TimeUnit.MILLISECONDS.toNanos(backoff.delay(entry.delays()));
        boolean proxy = result.kind() == MoveResult.Kind.PROXY_BUSY;
        queue.putOff(entry, proxy, clock.nanos(), delay);
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
