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
 * whose DataNode is busy waits and is tried again without its owner; one whose DataNode has become
 * silent is dropped, to be planned anew. Thread-safe; its one lock is held for no I/O and while no
 * other lock is taken.
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
  private final SilentNodes silent = new SilentNodes();
  private final Backoff backoff = new Backoff(new Random(), BUSY_FIRST_MILLIS, BUSY_LONGEST_MILLIS);
  private int running;
  private long wakeAt = Long.MAX_VALUE;

  /** Nothing that waits may start, some of it for moves that run, perhaps on one that hangs. */
  private boolean starved;

  private volatile boolean anySilent;

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
    List<MoveQueue.Entry<Batch.Member>> out = new ArrayList<>();
    synchronized (this) {
      long now = clock.nanos();
      for (MoveQueue.Entry<Batch.Member> entry : moves) {
        if (needsSilent(entry, now)) {
          out.add(entry);
        } else {
          queue.add(entry);
        }
      }
    }
    dropped(out);
    pump();
  }

  private boolean needsSilent(MoveQueue.Entry<Batch.Member> entry, long now) {
    return silent.isSilent(entry.move().target(), now)
        || silent.isSilent(entry.move().proxy(), now);
  }

  /** Whether nothing is to be planned on a DataNode, since it does not answer. */
  boolean isSilent(String node) {
    if (!anySilent) {
      return false;
    }
    synchronized (this) {
      return silent.isSilent(node, clock.nanos());
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

  /** Whether all that waits for a move thread waits for DataNodes. */
  synchronized boolean isStarved() {
    return starved;
  }

  /** Drops the waiting moves of a request and tells their owners. */
  void drop(Run run) {
    List<MoveQueue.Entry<Batch.Member>> out;
    synchronized (this) {
      out = queue.removeIf(entry -> entry.owner().run() == run);
    }
    dropped(out);
  }

  private static void dropped(List<MoveQueue.Entry<Batch.Member>> moves) {
    for (MoveQueue.Entry<Batch.Member> entry : moves) {
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
    List<MoveQueue.Entry<Batch.Member>> out = new ArrayList<>();
    try {
      synchronized (this) {
        startSome(out);
      }
    } finally {
      dropped(out); // they are planned anew
    }
  }

  private void startSome(List<MoveQueue.Entry<Batch.Member>> out) {
    long[] soonest = {Long.MAX_VALUE};
    while (running < most) {
      long now = clock.nanos();
      MoveQueue.Entry<Batch.Member> entry =
          queue.poll(now, wait -> soonest[0] = Math.min(soonest[0], later(now, wait)));
      boolean forTime = soonest[0] < Long.MAX_VALUE && !silent.isAnySilent();
      starved = entry == null && queue.lacksPermits() && !forTime;
      if (entry == null) {
        wakeUp(soonest[0]);
        return;
      }
      if (needsSilent(entry, now)) { // it was planned before
        queue.ended(entry, false);
        out.add(entry);
        continue;
      }
      tryOut(entry.move().target(), now, out);
      tryOut(entry.move().proxy(), now, out);
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

  /** A move starts; where it is to find out whether a DataNode answers, no other waits for that. */
  private void tryOut(String node, long now, List<MoveQueue.Entry<Batch.Member>> out) {
    if (anySilent && silent.starts(node, now)) {
      out.addAll(waitingFor(node));
    }
  }

  private List<MoveQueue.Entry<Batch.Member>> waitingFor(String node) {
    return queue.removeIf(
        each -> each.move().target().equals(node) || each.move().proxy().equals(node));
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
    ended(entry, result, begin);
    pump();
  }

  private void ended(MoveQueue.Entry<Batch.Member> entry, MoveResult result, long begin) {
    boolean again;
    List<MoveQueue.Entry<Batch.Member>> out;
    synchronized (this) {
      running--;
      out = note(entry.move(), result.kind(), begin);
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
    dropped(out);
  }

  /** What an end says of its DataNodes; takes out what waits for one that has become silent. */
  private List<MoveQueue.Entry<Batch.Member>> note(
      ReplicaMove move, MoveResult.Kind kind, long begin) {
    long now = clock.nanos();
    String silentNow = null;
    switch (kind) {
      case TIMED_OUT:
      case UNANSWERED:
        silentNow = silent.timedOut(move.target(), begin, now) ? move.target() : null;
        break;
      case PROXY_TIMED_OUT:
        silent.answered(move.target(), now);
        silentNow = silent.timedOut(move.proxy(), begin, now) ? move.proxy() : null;
        break;
      case DONE:
      case PINNED:
      case PROXY_BUSY:
        silent.answered(move.target(), now);
        silent.answered(move.proxy(), now);
        break;
      case BUSY:
      case CHANGED:
      case EXISTS:
      case NO_SPACE:
        silent.answered(move.target(), now);
        break;
      default: // it may be that nobody was asked
        break;
    }
    anySilent = silent.isAnySilent();
    return silentNow == null ? Collections.emptyList() : waitingFor(silentNow);
  }
}
