package io.evenkeel.mover.engine;

import io.evenkeel.mover.core.task.FileTask;
import io.evenkeel.mover.core.task.MoveQueue;
import io.evenkeel.mover.core.task.MoveResult;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
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
 * more, or when those under way have ended after another process asked for it; when those do not
 * end, it is used until they do.
 *
 * <p>The dispatcher's lock guards all of it; methods that do not say otherwise are called with it.
 * The lease is asked on a thread of its own, without that lock.
 */
final class LocalMoves {
  private static final long TICK_MILLIS = 500;
  private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(2);
  private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(2);

  /** So long it is kept for moves to come. */
  private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** Longer than others need to come back for it. */
  private static final long AFTER_YOU_NANOS = TimeUnit.SECONDS.toNanos(4);

  /**
   * Nothing is begun on an answer that came earlier: a process that was stopped meanwhile asks
   * first, as a mover of stock may have been started.
   */
  private static final long STALE_NANOS = TimeUnit.SECONDS.toNanos(10);

  /** Others get the lease of one who was not heard of for a minute. */
  private static final long UNSEEN_NANOS = TimeUnit.SECONDS.toNanos(40);

  /** As long as stock keeps others off after a crash. */
  private static final long GOES_ON_NANOS = TimeUnit.MINUTES.toNanos(1);

  /** Of a DataNode that was silent for long before: as long as others wait for one that hangs. */
  private static final long HUNG_GOES_ON_NANOS = TimeUnit.MINUTES.toNanos(10);

  /**
   * Longer than moves under way take as a rule: then one of them is on a DataNode that hangs.
   * Doubled each time, as all of them may take that long, and another process is to have its turn.
   */
  private static final long ENDING_NANOS = TimeUnit.SECONDS.toNanos(30);

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

  /** Moves that did not end while another process waited; until they do it cannot be given back. */
  private final Set<MoveQueue.Entry<Batch.Member>> inTheWay = new HashSet<>();

  private State state = State.FREE;
  private boolean lost; // since it was taken
  private long goesOnSince; // nobody waits for a move from then on
  private boolean forbidden; // a mover of stock ran at the last answer, so nobody else waits
  private boolean over; // it is lost or not known for too long, or forbidden
  private long endingSince;
  private long endingNanos = ENDING_NANOS;
  private boolean ticking;
  private long usedAt;
  private long lookedAt; // when the question was asked that was answered last
  private long heardAt; // when its answer came
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
    this.goesOnSince = notBefore;
  }

  /**
   * Puts a move into the queue as soon as that may be. One for which a DataNode was asked already,
   * by a request that has ended, waits until that one is over.
   */
  void add(MoveQueue.Entry<Batch.Member> entry) {
    if (lease == null || mayBegin() && !isBegun(entry)) {
      queue.add(entry);
      return;
    }
    await(entry);
    tickAfter(0);
  }

  private void await(MoveQueue.Entry<Batch.Member> entry) {
    if (waiting.isEmpty()) {
      waitsSince = clock.nanos();
      warned = false;
    }
    waiting.add(entry);
  }

  /** To be called now and then: goes on where no thread could be made for it. */
  void goOn() {
    if (state != State.FREE || !waiting.isEmpty()) {
      tickAfter(TICK_MILLIS);
    }
  }

  /** Why no move inside a DataNode can be made now; null when it can, or that is not known. */
  String refusal() {
    return clock.nanos() < notBefore ? refusal : null;
  }

  /**
   * Takes all out of the queue again when the last answer is too old, as where the NameNode does
   * not answer, or where the process was stopped. Before a move is begun.
   */
  void check() {
    long now = clock.nanos();
    if (state == State.HELD && queue.localMoves() > 0 && !isFresh(now)) {
      if (now - lookedAt >= UNSEEN_NANOS) {
        over = true;
        ends(now);
      } else {
        awaitAll();
        tickAfter(0);
      }
    }
  }

  /** Whether one that was taken from the queue may be begun now. */
  boolean mayBegin() {
    return lease == null || state == State.HELD && isFresh(clock.nanos());
  }

  private boolean isFresh(long now) {
    return now - heardAt < STALE_NANOS && now - lookedAt < UNSEEN_NANOS;
  }

  private void ends(long now) {
    state = State.ENDING;
    endingSince = now;
    awaitAll();
  }

  private void awaitAll() {
    List<MoveQueue.Entry<Batch.Member>> back = queue.removeIf(entry -> entry.move().isLocal());
    back.forEach(this::await);
  }

  /**
   * Has a move wait whose replica is being moved already, as for a file that had the block before a
   * concat.
   */
  boolean holdsBack(MoveQueue.Entry<Batch.Member> entry) {
    if (lease == null || !isBegun(entry)) {
      return false;
    }
    await(entry);
    tickAfter(TICK_MILLIS);
    return true;
  }

  private boolean isBegun(MoveQueue.Entry<Batch.Member> entry) {
    return isAnyBegun() && begun.keySet().stream().anyMatch(other -> isSame(other, entry));
  }

  private static boolean isSame(
      MoveQueue.Entry<Batch.Member> one, MoveQueue.Entry<Batch.Member> other) {
    return one.move().replica().blockId() == other.move().replica().blockId()
        && one.move().target().equals(other.move().target());
  }

  /** How many wait for the lease. */
  int waiting() {
    return waiting.size();
  }

  /** Takes those out of a kind that wait for the lease. */
  List<MoveQueue.Entry<Batch.Member>> removeIf(Predicate<MoveQueue.Entry<Batch.Member>> kind) {
    List<MoveQueue.Entry<Batch.Member>> out = new ArrayList<>();
    waiting.removeIf(entry -> kind.test(entry) && out.add(entry));
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

  /**
   * Nobody waits any more for a move, of which the DataNode has said nothing.
   *
   * @param hung whether it was waited for long, so that it may go on for longer
   */
  void unanswered(MoveQueue.Entry<Batch.Member> entry, boolean hung) {
    long now = clock.nanos();
    if (begun.replace(entry, now + (hung ? HUNG_GOES_ON_NANOS : GOES_ON_NANOS)) != null) {
      goesOnSince = now;
    }
  }

  /** The DataNode is not at work on a move any more. */
  void answered(MoveQueue.Entry<Batch.Member> entry) {
    begun.remove(entry);
  }

  /** A move is in the queue again. */
  void putOff(MoveQueue.Entry<Batch.Member> entry) {
    if (!mayBegin()) {
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
      try {
        lease.close(goesOn);
      } catch (RuntimeException | Error e) { // or who waits for requests would wait for ever
        warn.accept("The lease for moves inside DataNodes was not released", e);
      }
    }
  }

  private void tickAfter(long millis) {
    if (ticking) {
      startThread();
      return;
    }
    try {
      ScheduledFuture<?> unused = pools.lease.schedule(this::tick, millis, TimeUnit.MILLISECONDS);
      ticking = true;
    } catch (RejectedExecutionException e) {
      ticking = false; // the engine is being closed
    } catch (OutOfMemoryError e) { // no thread could be made, but it may wait for one
      ticking = !pools.lease.getQueue().isEmpty();
    }
  }

  /** Where there was none for a tick that is planned. */
  private void startThread() {
    if (pools.lease.getPoolSize() == 0) {
      try {
        pools.lease.prestartCoreThread();
      } catch (OutOfMemoryError e) {
        return; // the next time then
      }
    }
  }

  /** At most one is planned or under way; whatever it ends with, another one follows. */
  private void tick() {
    try {
      doWhatIsDue();
    } finally {
      synchronized (lock) {
        ticking = false;
        goOn();
      }
    }
  }

  private void doWhatIsDue() {
    State due;
    boolean looks;
    boolean resumed = false;
    synchronized (lock) {
      long now = clock.nanos();
      if (state == State.TAKING) {
        state = State.FREE; // an Error ended the tick before
      }
      if (state == State.FREE && !waiting.isEmpty() && now >= notBefore) {
        state = State.TAKING;
      } else if (state == State.HELD
          && (isAnyBegun() || queue.localMoves() > 0 || !waiting.isEmpty())) {
        usedAt = now;
        resumed = letIn(now);
      } else if (state == State.HELD && now - usedAt >= IDLE_NANOS) {
        state = State.RELEASING;
      } else if (state == State.ENDING && (!isAnyBegun() || isGivenUp(now))) {
        state = State.RELEASING;
        notBefore = now + AFTER_YOU_NANOS;
      } else if (state == State.ENDING && !over && now - endingSince >= endingNanos) {
        endingNanos *= 2;
        inTheWay.addAll(begun.keySet());
        holds(now);
        resumed = true;
      }
      due = state;
      boolean has = state == State.HELD || state == State.ENDING;
      looks = has && now - lookedAt >= LOOK_NANOS;
    }
    if (due == State.TAKING) {
      take();
    } else if (due == State.RELEASING) {
      release();
    } else if (looks) {
      resumed |= look();
    }
    if (resumed) {
      held.run();
    }
  }

  /**
   * Whether it need not be kept for moves that nobody waits for any more: nothing can be begun with
   * it, and of a process that died others get it after a minute as well.
   */
  private boolean isGivenUp(long now) {
    return over
        && !forbidden
        && now - endingSince >= GOES_ON_NANOS
        && now - goesOnSince >= GOES_ON_NANOS
        && !begun.containsValue(Long.MAX_VALUE);
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
      refusal = null;
      if (failure == null) {
        failures = 0;
        lookedAt = asked;
        heardAt = now;
        over = false;
        forbidden = false;
        lost = false;
        holds(now);
      } else {
        state = State.FREE;
        notBefore = now + RETRY_NANOS;
        failures = cause == null ? 0 : failures + 1;
        if (failures >= FAILURES) {
          failures = 0;
          given.addAll(waiting);
          waiting.clear();
          refusal = failure;
          notBefore = now + REFUSED_NANOS;
        }
      }
    }
    if (tell) {
      warn.accept("Moves inside DataNodes have waited for a minute: " + failure, cause);
    }
    for (MoveQueue.Entry<Batch.Member> entry : given) {
      try {
        entry.owner().ended(entry.move(), MoveResult.of(MoveResult.Kind.HELD, failure));
      } catch (RuntimeException e) { // the others are to be told as well
        warn.accept("The end of a move could not be reported", e);
      }
    }
    if (failure == null) {
      held.run();
    }
  }

  private void holds(long now) {
    state = State.HELD;
    usedAt = now;
    letIn(now);
  }

  /** Puts those into the queue that may be begun; false when there are none. */
  private boolean letIn(long now) {
    if (!isFresh(now)) {
      return false;
    }
    List<MoveQueue.Entry<Batch.Member>> in = removeIf(entry -> !isBegun(entry));
    in.forEach(queue::add);
    return !in.isEmpty();
  }

  private void release() {
    try {
      lease.release();
    } catch (RuntimeException | Error e) {
      warn.accept("The lease for moves inside DataNodes was not released", e);
    }
    synchronized (lock) {
      state = State.FREE;
      inTheWay.clear();
      endingNanos = ENDING_NANOS;
    }
  }

  /** Whether moves were put into the queue. */
  private boolean look() {
    long asked = clock.nanos();
    LocalMoveLease.State found = null; // not known
    try {
      found = lease.look();
    } catch (IOException | RuntimeException | Error e) {
      found = null; // when nobody can be asked for long, it counts as lost
    }
    synchronized (lock) {
      long now = clock.nanos();
      lost |= found == LocalMoveLease.State.LOST;
      if (found != null) {
        lookedAt = asked;
        heardAt = now;
        forbidden = found == LocalMoveLease.State.FORBIDDEN;
        over = lost || forbidden;
      } else {
        over |= now - lookedAt >= UNSEEN_NANOS;
      }
      isAnyBegun(); // what is over by now is in nobody's way
      inTheWay.retainAll(begun.keySet());
      if (state == State.HELD
          && (over || found == LocalMoveLease.State.WANTED && inTheWay.isEmpty())) {
        ends(now);
      }
      return state == State.HELD && letIn(now);
    }
  }
}
