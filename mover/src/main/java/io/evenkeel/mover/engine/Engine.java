package io.evenkeel.mover.engine;

import io.evenkeel.mover.request.FileOutcome;
import io.evenkeel.mover.request.FileReport;
import io.evenkeel.mover.request.MoveReport;
import io.evenkeel.mover.request.MoveRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;

/**
 * Works on requests for one namespace: some at once, the others by priority and age. Those that are
 * {@link MoveRequest#isPaced paced} take hours, so as many of the others are worked on beside them.
 * Threads and memory do not grow with the number of files. Thread-safe.
 */
public final class Engine implements AutoCloseable {
  /** Paced requests worked on at once, and others. */
  private static final int ACTIVE = 32;

  /** The same where moves that take long leave the move threads too little to do. */
  private static final int MORE_ACTIVE = 1_024;

  private static final long LOOK_MILLIS = 1_000;

  private static final int CLOSE_SECONDS = 10;
  private static final Duration LONGEST = Duration.ofDays(36_500);

  final EngineResources resources;
  private final Line paced = new Line();
  private final Line others = new Line();
  private long sequence;
  private final Set<Future> open = new HashSet<>();
  private boolean looking;
  private boolean closed;

  /** Requests that wait for each other. */
  private static final class Line {
    private final Set<ActiveRequest> active = new HashSet<>();
    private final PriorityQueue<Future> waiting =
        new PriorityQueue<>(
            Comparator.<Future>comparingInt(future -> -future.request.priority())
                .thenComparingLong(future -> future.sequence));
    private int most = ACTIVE;

    /** Called now and then; lets more begin where those that are worked on only wait. */
    private void adapt(boolean starved) {
      if (!starved) {
        most = Math.max(ACTIVE, Math.min(most, active.size()));
      } else if (active.size() >= most) {
        most = Math.min(MORE_ACTIVE, most + ACTIVE);
      }
    }
  }

  /** Of a request. Ending it stops the work on it; what was in flight ends by itself. */
  static final class Future extends CompletableFuture<MoveReport> {
    final MoveRequest request;
    private volatile ActiveRequest active; // null until its turn comes
    private volatile Runnable answer; // null until it has ended

    // both guarded by the engine
    private long sequence;
    private boolean expired; // before its turn came

    Future(MoveRequest request) {
      this.request = request;
    }

    /**
     * The request has ended, and whoever waits is told on a thread of its own.
     *
     * @param between what is done before, with the answer known to who closes
     */
    void ends(EngineResources resources, Runnable completing, Runnable between) {
      answer = completing;
      between.run();
      resources.pools.answer(completing);
    }

    /** The engine is closed, perhaps before that thread came to tell. */
    private void closed() {
      if (answer == null) {
        cancel(false);
      } else {
        answer.run();
      }
    }

    /** Ended by somebody else, by a cancel as a rule: the work on it stops. */
    private void stopRun() {
      ActiveRequest started = active;
      if (answer == null && started != null) {
        started.stop("cancelled");
      }
    }
  }

  /**
   * Creates an engine; it has no threads until there is something to do.
   *
   * @param warn told about what an operator should know
   */
  public Engine(
      Namespace namespace,
      ReplicaMover mover,
      EngineSettings settings,
      BiConsumer<String, Throwable> warn) {
    this(namespace, mover, settings, warn, new Clock());
  }

  Engine(
      Namespace namespace,
      ReplicaMover mover,
      EngineSettings settings,
      BiConsumer<String, Throwable> warn,
      Clock clock) {
    this.resources = new EngineResources(namespace, mover, settings, warn, clock);
  }

  /**
   * Takes a request.
   *
   * @return ends with the report; cancelling it starts nothing more
   * @throws IllegalStateException when the engine is closed
   */
  public CompletableFuture<MoveReport> submit(MoveRequest request) {
    Future future = new Future(request);
    synchronized (this) {
      if (closed) {
        throw new IllegalStateException("this mover is closed");
      }
      open.add(future);
      CompletableFuture<MoveReport> unused = future.whenComplete((report, e) -> forget(future));
      if (request.deadline() != null) {
        after(request.deadline(), future, () -> expired(future));
      }
      if (!request.delay().isZero()) {
        after(request.delay(), future, () -> add(future));
        return future;
      }
    }
    add(future);
    return future;
  }

  private void after(Duration time, Future future, Runnable what) {
    long millis = time.compareTo(LONGEST) > 0 ? LONGEST.toMillis() : time.toMillis();
    ScheduledFuture<?> timer = resources.pools.timer.schedule(what, millis, TimeUnit.MILLISECONDS);
    CompletableFuture<MoveReport> unused = future.whenComplete((report, e) -> timer.cancel(false));
  }

  private void forget(Future future) {
    synchronized (this) {
      open.remove(future);
    }
    future.stopRun();
  }

  private void expired(Future future) {
    ActiveRequest active;
    synchronized (this) {
      active = future.active;
      future.expired = active == null;
      lineOf(future).waiting.remove(future);
    }
    String reason = "deadline passed";
    if (active != null) {
      active.stop(reason);
    } else {
      FileReport none = FileReport.of("", FileOutcome.CANCELLED, reason + ": not begun");
      MoveReport report = new MoveReport.Builder().add(none).build();
      future.ends(resources, () -> future.complete(report), () -> {});
    }
  }

  private Line lineOf(Future future) {
    return future.request.isPaced() ? paced : others;
  }

  private void add(Future future) {
    Line line = lineOf(future);
    synchronized (this) {
      if (future.expired) {
        return;
      }
      if (closed || future.isDone()) {
        future.cancel(false);
        return;
      }
      future.sequence = sequence++;
      line.waiting.add(future);
    }
    startWaiting(line);
  }

  private void startWaiting(Line line) {
    while (true) {
      Future next;
      ActiveRequest active;
      synchronized (this) {
        next = line.active.size() < line.most && !closed ? line.waiting.poll() : null;
        if (next == null) {
          return;
        }
        if (next.isDone()) {
          continue; // cancelled while it waited
        }
        active = new ActiveRequest(resources, next, ended -> ended(line, ended));
        next.active = active;
        line.active.add(active);
        if (!looking) {
          looking = true;
          lookLater();
        }
      }
      active.start();
      if (next.isDone()) { // before it was known whom to stop
        next.stopRun();
      }
    }
  }

  private void lookLater() {
    try {
      ScheduledFuture<?> unused =
          resources.pools.timer.schedule(this::look, LOOK_MILLIS, TimeUnit.MILLISECONDS);
    } catch (OutOfMemoryError e) {
      looking = false; // no thread could be made now
    }
  }

  /**
   * As long as requests are worked on: a DataNode that hangs answers none of their moves for
   * minutes, and is to hold up no file that does not need it, and none for ever.
   */
  private void look() {
    boolean starved = isStarved();
    List<ActiveRequest> active;
    synchronized (this) {
      active = new ArrayList<>(paced.active);
      active.addAll(others.active);
      looking = !active.isEmpty() && !closed;
      if (!looking) {
        paced.most = ACTIVE;
        others.most = ACTIVE;
        return;
      }
      paced.adapt(starved);
      others.adapt(starved);
      lookLater();
    }
    resources.dispatcher.look();
    active.forEach(
        ActiveRequest::readOn); // what waits for DataNodes may keep all they have read from ending
    if (starved) {
      startWaiting(paced);
      startWaiting(others);
    }
  }

  /** Whether what is worked on only waits for DataNodes, and more may be begun. */
  public boolean isStarved() {
    return resources.dispatcher.isStarved() && resources.mayReadOn();
  }

  private void ended(Line line, ActiveRequest active) {
    synchronized (this) {
      line.active.remove(active);
    }
    startWaiting(line);
  }

  /** What there is at one moment, for tests. Immutable. */
  static final class Load {
    final int activeRequests;
    final int waitingRequests;
    final int waitingMoves;
    final int runningMoves;
    final int claimedFiles;
    final int permits;

    private Load(Engine engine) {
      synchronized (engine) {
        activeRequests = engine.paced.active.size() + engine.others.active.size();
        waitingRequests = engine.paced.waiting.size() + engine.others.waiting.size();
      }
      Dispatcher dispatcher = engine.resources.dispatcher;
      synchronized (dispatcher) {
        waitingMoves = dispatcher.waiting();
        runningMoves = dispatcher.running();
        permits = dispatcher.permits();
      }
      claimedFiles = engine.resources.owners.size();
    }

    /** Requests and moves. */
    int all() {
      return activeRequests + waitingRequests + waitingMoves + runningMoves;
    }

    /** What nobody holds once all has ended. */
    int held() {
      return claimedFiles + permits;
    }
  }

  Load load() {
    return new Load(this);
  }

  /** Ends all requests as cancelled; moves under way get some seconds to end. */
  @Override
  public void close() {
    Set<ActiveRequest> begun;
    Set<Future> unfinished;
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
      begun = new HashSet<>(paced.active);
      begun.addAll(others.active);
      unfinished = new HashSet<>(open);
      paced.waiting.clear();
      others.waiting.clear();
    }
    resources.close(CLOSE_SECONDS);
    begun.forEach(ActiveRequest::abandon);
    unfinished.forEach(Future::closed); // those whose turn had not come
  }
}
