package io.evenkeel.mover.engine;

import io.evenkeel.mover.core.plan.ReplicaMove;
import io.evenkeel.mover.core.task.Backoff;
import io.evenkeel.mover.core.task.MoveQueue;
import io.evenkeel.mover.core.task.MoveResult;
import io.evenkeel.mover.core.task.NodePermits;
import io.evenkeel.mover.core.task.SilentNodes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/**
 * Starts waiting moves as soon as permits and bandwidth allow, on the engine's move threads. A move
 * whose DataNode is busy waits and is tried again without its owner; one whose DataNode is silent
 * ends at once. Thread-safe; its one lock is held for no I/O and while no other lock is taken.
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
  private final SilentNodes<MoveQueue.Entry<Batch.Member>> silent = new SilentNodes<>();
  private final Backoff backoff = new Backoff(new Random(), BUSY_FIRST_MILLIS, BUSY_LONGEST_MILLIS);
  private int running;
  private long wakeAt = Long.MAX_VALUE;

  /** All that waits does so for moves that run, perhaps on a DataNode that hangs. */
  private boolean starved;

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
    List<MoveQueue.Entry<Batch.Member>> refused = new ArrayList<>();
    synchronized (this) {
      long now = clock.nanos();
      for (MoveQueue.Entry<Batch.Member> entry : moves) {
        ReplicaMove move = entry.move();
        if (silent.isSilent(move.target(), now) || silent.isSilent(move.proxy(), now)) {
          refused.add(entry);
        } else {
          silent.begins(move.target(), entry);
          silent.begins(move.proxy(), entry);
          queue.add(entry);
        }
      }
    }
    refuse(refused);
    pump();
  }

  private void refuse(List<MoveQueue.Entry<Batch.Member>> moves) {
    for (MoveQueue.Entry<Batch.Member> entry : moves) {
      boolean ofTarget;
      synchronized (this) {
        ofTarget = silent.isSilent(entry.move().target(), clock.nanos());
      }
      entry
          .owner()
          .ended(
              entry.move(),
              MoveResult.of(
                  ofTarget ? MoveResult.Kind.UNREACHABLE : MoveResult.Kind.PROXY_UNREACHABLE,
                  "the DataNode has not answered others"));
    }
  }

  /** Moves that wait and moves that run. */
  synchronized int[] load() {
    return new int[] {queue.size(), running};
  }

  /** Permits of DataNodes that are taken. */
  synchronized int permits() {
    return queue.permits();
  }

  /** Whether the move threads could do more than waits for them, or than may start now. */
  synchronized boolean isShortOfWork() {
    return queue.size() < 4 * most || starved;
  }

  /** Drops the waiting moves of a request and tells their owners. */
  void drop(Run run) {
    List<MoveQueue.Entry<Batch.Member>> out;
    synchronized (this) {
      out = queue.removeIf(entry -> entry.owner().run() == run);
      out.forEach(silent::gone);
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
        starved = entry == null && soonest[0] == Long.MAX_VALUE;
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
      } catch (RejectedExecutionException e) {
        wakeAt = Long.MAX_VALUE; // the engine is being closed
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
    long begin = clock.nanos();
    MoveResult result;
    try {
      result = mover.move(entry.move());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      result = MoveResult.of(MoveResult.Kind.FAILED, "interrupted");
    } catch (RuntimeException | Error e) { // its permits must come back
      result = MoveResult.of(MoveResult.Kind.FAILED, e.toString());
    }
    ended(entry, result, clock.nanos() - begin);
    pump();
  }

  private void ended(MoveQueue.Entry<Batch.Member> entry, MoveResult result, long took) {
    boolean again;
    List<MoveQueue.Entry<Batch.Member>> refused;
    synchronized (this) {
      running--;
      refused = note(entry, result, took);
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
    refuse(refused);
  }

  /** What the end says of its DataNodes; returns the waiting moves that are to be refused by it. */
  private List<MoveQueue.Entry<Batch.Member>> note(
      MoveQueue.Entry<Batch.Member> entry, MoveResult result, long took) {
    String target = entry.move().target();
    String proxy = entry.move().proxy();
    String failed = null;
    switch (result.kind()) {
      case UNREACHABLE:
      case UNANSWERED:
        failed = target;
        break;
      case PROXY_UNREACHABLE:
        silent.answered(target);
        failed = proxy;
        break;
      case HELD:
        break;
      case DONE:
      case PROXY_BUSY:
        silent.answered(target);
        silent.answered(proxy);
        break;
      default:
        silent.answered(target);
        break;
    }
    long silence = result.kind() == MoveResult.Kind.UNANSWERED ? Long.MAX_VALUE : took;
    boolean refuses = failed != null && silent.failed(failed, silence, clock.nanos());
    silent.gone(entry);
    if (!refuses) {
      return Collections.emptyList();
    }
    String node = failed;
    List<MoveQueue.Entry<Batch.Member>> out =
        queue.removeIf(
            each -> each.move().target().equals(node) || each.move().proxy().equals(node));
    out.forEach(silent::gone);
    return out;
  }
}
