package io.evenkeel.mover.engine;

import io.evenkeel.mover.core.task.FileTask;
import io.evenkeel.mover.core.task.MoveQueue;
import io.evenkeel.mover.core.task.MoveResult;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Moves inside DataNodes: those under way, and those that wait for the {@link LocalMoveLease}. They
 * are in the dispatcher's queue only while it is held. It is given back when there are none any
 * more, or when those under way have ended after another process asked for it.
 *
 * <p>The dispatcher's lock guards all of it; methods that do not say otherwise are called with it.
 * The lease is asked on the timer's threads, by one at a time and without that lock.
 */
final class LocalMoves {
  private static final long TICK_MILLIS = 500;
  private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(5);
  private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(2);

  /** So long it is kept for moves to come. */
  private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** Longer than others need to come back for it. */
  private static final long AFTER_YOU_NANOS = TimeUnit.SECONDS.toNanos(4);

  /** Others get the lease of one who was not heard of for a minute. */
  private static final long UNSEEN_NANOS = TimeUnit.SECONDS.toNanos(40);

  /** As long as stock keeps others off after a crash. */
  private static final long GOES_ON_NANOS = TimeUnit.MINUTES.toNanos(1);

  private static final long WARN_NANOS = TimeUnit.MINUTES.toNanos(1);
  private static final int FAILURES = 30;

  /** So long files are refused before it is tried again. */
  private static final long REFUSED_NANOS = TimeUnit.SECONDS.toNanos(30);

  private enum State {
    FREE,
    TAKING,
    HELD,
    /** Held, but nothing is started any more. */
    ENDING,
    RELEASING
  }

  private final Object lock;
  private final LocalMoveLease lease; // null: nobody else is to be excluded
  private final MoveQueue<Batch.Member> queue;
  private final Pools pools;
  private final Clock clock;
  private final BiConsumer<String, Throwable> warn;
  private final Runnable held;

  private final List<MoveQueue.Entry<Batch.Member>> waiting = new ArrayList<>();

  /** Those begun, and until when DataNodes may be at work on them. */
  private final Map<MoveQueue.Entry<Batch.Member>, Long> begun = new HashMap<>();

  private State state = State.FREE;
  private boolean ticking;
  private long usedAt;
  private long lookedAt;
  private long notBefore;
  private long waitsSince;
  private boolean warned;
  private int failures;
  private String refusal; // null while there is none

  /**
   * Creates it.
   *
   * @param lock the dispatcher's
   * @param held called without it when moves were put into the queue
   */
  LocalMoves(
      Object lock,
      LocalMoveLease lease,
      MoveQueue<Batch.Member> queue,
      Pools pools,
      Clock clock,
      BiConsumer<String, Throwable> warn,
      Runnable held) {
    this.lock = lock;
    this.lease = lease;
    this.queue = queue;
    this.pools = pools;
    this.clock = clock;
    this.warn = warn;
    this.held = held;
    this.notBefore = clock.nanos();
  }

  /** Puts a move into the queue as soon as that may be. */
  void add(MoveQueue.Entry<Batch.Member> entry) {
    if (lease == null || state == State.HELD) {
      queue.add(entry);
      return;
    }
    if (waiting.isEmpty()) {
      waitsSince = clock.nanos();
      warned = false;
    }
    waiting.add(entry);
    if (!ticking) {
      ticking = true;
      tickAfter(0);
    }
  }

  /** Why no move inside a DataNode can be made now; null when it can, or that is not known. */
  String refusal() {
    return clock.nanos() < notBefore ? refusal : null;
  }

  /** How many wait for the lease. */
  int waiting() {
    return waiting.size();
  }

  /** Takes those out of a kind that wait for the lease. */
  List<MoveQueue.Entry<Batch.Member>> removeIf(Predicate<MoveQueue.Entry<Batch.Member>> kind) {
    List<MoveQueue.Entry<Batch.Member>> out =
        waiting.stream().filter(kind).collect(Collectors.toList());
    waiting.removeAll(out);
    return out;
  }

  /** Has the waiting moves of a file wait for no pace any more. */
  void hurry(Batch.Member file, int priority) {
    waiting.stream().filter(entry -> entry.owner() == file).forEach(entry -> entry.hurry(priority));
  }

  /** A move was begun. */
  void began(MoveQueue.Entry<Batch.Member> entry) {
    begun.put(entry, Long.MAX_VALUE);
  }

  /** Nobody waits any more for a move, of which the DataNode has said nothing. */
  void unanswered(MoveQueue.Entry<Batch.Member> entry) {
    begun.replace(entry, clock.nanos() + GOES_ON_NANOS);
  }

  /** The DataNode is not at work on a move any more. */
  void answered(MoveQueue.Entry<Batch.Member> entry) {
    begun.remove(entry);
  }

  /** A move is in the queue again. */
  void putOff(MoveQueue.Entry<Batch.Member> entry) {
    if (lease != null && state != State.HELD) {
      queue.removeIf(other -> other == entry);
      add(entry);
    }
  }

  /** Files of which a DataNode may be at work on a move inside it. */
  Set<FileTask> filesThatGoOn() {
    isAnyBegun();
    return begun.keySet().stream().map(entry -> entry.owner().task()).collect(Collectors.toSet());
  }

  private boolean isAnyBegun() {
    long now = clock.nanos();
    begun.values().removeIf(until -> until <= now);
    return !begun.isEmpty();
  }

  /** Ends it, without the lock, after the threads of the engine have. */
  void close() {
    if (lease != null) {
      boolean goesOn;
      synchronized (lock) {
        goesOn = isAnyBegun();
      }
      lease.close(goesOn);
    }
  }

  private void tickAfter(long millis) {
    try {
      ScheduledFuture<?> unused = pools.timer.schedule(this::tick, millis, TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException | OutOfMemoryError e) {
      ticking = false; // the engine is being closed, or no thread could be made
    }
  }

  /** What is due now; at most one tick is planned or under way. */
  private void tick() {
    State due;
    boolean looks;
    synchronized (lock) {
      long now = clock.nanos();
      if (state == State.FREE && !waiting.isEmpty() && now >= notBefore) {
        state = State.TAKING;
      } else if (state == State.HELD && (queue.localMoves() > 0 || isAnyBegun())) {
        usedAt = now;
      } else if (state == State.HELD && now - usedAt >= IDLE_NANOS) {
        state = State.RELEASING;
      } else if (state == State.ENDING && !isAnyBegun()) {
        state = State.RELEASING;
        notBefore = now + AFTER_YOU_NANOS;
      }
      due = state;
      looks = state == State.HELD && now - lookedAt >= LOOK_NANOS;
    }
    if (due == State.TAKING) {
      take();
    } else if (due == State.RELEASING) {
      lease.release();
      synchronized (lock) {
        state = State.FREE;
      }
    } else if (looks) {
      look();
    }
    synchronized (lock) {
      ticking = state != State.FREE || !waiting.isEmpty();
      if (ticking) {
        tickAfter(TICK_MILLIS);
      }
    }
  }

  private void take() {
    String failure;
    IOException cause = null;
    long asked = clock.nanos(); // others count from when the NameNode heard of it
    try {
      failure = lease.take();
    } catch (IOException | RuntimeException | Error e) {
      failure = e.getMessage() == null ? e.toString() : e.getMessage();
      cause = e instanceof IOException ? (IOException) e : new IOException(e);
    }
    boolean tell;
    List<MoveQueue.Entry<Batch.Member>> given = new ArrayList<>();
    synchronized (lock) {
      long now = clock.nanos();
      tell = failure != null && !warned && now - waitsSince >= WARN_NANOS;
      warned |= tell;
      if (failure == null) {
        state = State.HELD;
        failures = 0;
        refusal = null;
        usedAt = now;
        lookedAt = asked;
        waiting.forEach(queue::add);
        waiting.clear();
      } else {
        state = State.FREE;
        notBefore = now + RETRY_NANOS;
        failures = cause == null ? 0 : failures + 1;
        if (failures >= FAILURES) {
          given.addAll(waiting);
          waiting.clear();
          refusal = failure;
          notBefore = now + REFUSED_NANOS;
        }
      }
    }
    if (tell) {
      warn.accept("moves inside DataNodes wait for a minute already: " + failure, cause);
    }
    for (MoveQueue.Entry<Batch.Member> entry : given) {
      entry.owner().ended(entry.move(), MoveResult.of(MoveResult.Kind.HELD, failure));
    }
    if (failure == null) {
      held.run();
    }
  }

  private void look() {
    long asked = clock.nanos();
    LocalMoveLease.State found = null; // not known
    try {
      found = lease.look();
    } catch (IOException | RuntimeException | Error e) {
      warn.accept("could not ask about the lease for moves inside DataNodes", e);
    }
    synchronized (lock) {
      boolean unseen = clock.nanos() - lookedAt >= UNSEEN_NANOS;
      if (found == LocalMoveLease.State.HELD && !unseen) {
        lookedAt = asked;
      } else if (found != null || unseen) {
        state = State.ENDING;
        List<MoveQueue.Entry<Batch.Member>> back = queue.removeIf(e -> e.move().isLocal());
        if (waiting.isEmpty()) {
          waitsSince = clock.nanos();
          warned = false;
        }
        waiting.addAll(back);
      }
    }
  }
}
