package io.evenkeel.mover.engine;

import io.evenkeel.mover.core.plan.ReplicaMove;
import io.evenkeel.mover.core.task.Backoff;
import io.evenkeel.mover.core.task.MoveQueue;
import io.evenkeel.mover.core.task.MoveResult;
import io.evenkeel.mover.core.task.NodePermits;
import java.util.List;
import java.util.Random;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * Starts waiting moves as soon as permits and bandwidth allow, on the engine's move threads. A move
 * whose DataNode is busy waits and is tried again without its owner; one whose DataNode answers
 * nobody ends after a time. Thread-safe; its one lock is held for no I/O and while no other lock is
 * taken.
 */
final class Dispatcher {
  private static final long BUSY_FIRST_MILLIS = 50;
  private static final long BUSY_LONGEST_MILLIS = 5_000;
  private static final int BUSY_ATTEMPTS = 200;

  /** Without the end of any move, that many waiting, for so long more may begin to wait. */
  private static final long STARVED_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** Longer than a DataNode that does not answer at all takes to be given up by a move. */
  private static final long STALLED_NANOS = TimeUnit.MINUTES.toNanos(10);

  /** What is paced is asked for again later, and others are to have its place. */
  private static final long PACED_STALLED_NANOS = TimeUnit.MINUTES.toNanos(2);

  private final ReplicaMover mover;
  private final Pools pools;
  private final Clock clock;
  private final int most;
  private final MoveQueue<Batch.Member> queue;
  private final Backoff backoff = new Backoff(new Random(), BUSY_FIRST_MILLIS, BUSY_LONGEST_MILLIS);
  private int running;
  private long wakeAt = Long.MAX_VALUE;
  private long endedAt;

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

  /** Permits of DataNodes that are taken. */
  synchronized int permits() {
    return queue.permits();
  }

  /** Whether the move threads could do more than waits for them. */
  synchronized boolean isShortOfWork() {
    return queue.size() < 4 * most || isStarved();
  }

  /**
   * Whether threads have nothing to do and nothing has ended for a while, so that all that waits
   * may be for a DataNode that hangs.
   */
  synchronized boolean isStarved() {
    return blocked && running < most && clock.nanos() - endedAt > STARVED_NANOS;
  }

  /** Ends what waits for DataNodes that answer nobody; to be called now and then. */
  void endStalled() {
    endStalled(ReplicaMove::target, MoveResult.Kind.STALLED);
    endStalled(ReplicaMove::proxy, MoveResult.Kind.PROXY_STALLED);
  }

  private void endStalled(Function<ReplicaMove, String> node, MoveResult.Kind kind) {
    List<MoveQueue.Entry<Batch.Member>> out;
    synchronized (this) {
      out = queue.removeStalled(node, PACED_STALLED_NANOS, STALLED_NANOS, clock.nanos());
    }
    for (MoveQueue.Entry<Batch.Member> entry : out) {
      String what = node.apply(entry.move()) + " has answered no other move for long";
      entry.owner().ended(entry.move(), MoveResult.of(kind, what));
    }
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
      while (running < most) {
        long now = clock.nanos();
        MoveQueue.Entry<Batch.Member> entry =
            queue.poll(now, wait -> soonest[0] = Math.min(soonest[0], later(now, wait)));
        blocked = entry == null && queue.lacksPermits() && soonest[0] == Long.MAX_VALUE;
        if (entry == null) {
          wakeUp(soonest[0]);
          return;
        }
        try {
          pools.moves.execute(() -> move(entry));
          running++;
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
    try {
      result = mover.move(entry.move());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      result = MoveResult.of(MoveResult.Kind.FAILED, "interrupted");
    } catch (RuntimeException | Error e) { // its permits must come back
      result = MoveResult.of(MoveResult.Kind.FAILED, e.toString());
    }
    ended(entry, result);
    pump();
  }

  private void ended(MoveQueue.Entry<Batch.Member> entry, MoveResult result) {
    boolean again;
    synchronized (this) {
      running--;
      endedAt = clock.nanos();
      answered(entry.move(), result.kind());
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

  /** Who has answered, so that what waits for it need not end. */
  private void answered(ReplicaMove move, MoveResult.Kind kind) {
    switch (kind) {
      case UNREACHABLE:
      case UNANSWERED:
      case HELD:
        break;
      case DONE:
      case PINNED:
      case PROXY_BUSY:
        queue.answered(move.target(), endedAt);
        if (!move.isLocal()) {
          queue.answered(move.proxy(), endedAt);
        }
        break;
      default:
        queue.answered(move.target(), endedAt);
        break;
    }
  }
}
