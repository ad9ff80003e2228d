package io.evenkeel.volume.signal;

import io.evenkeel.common.log.LogLimiter;
import io.evenkeel.volume.core.InlineProbes;
import io.evenkeel.volume.core.SpaceProbes;
import io.evenkeel.volume.core.TrackedVolume;
import io.evenkeel.volume.core.VolumeGroup;
import io.evenkeel.volume.core.VolumeSignals;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks volumes for their free space on daemon threads of its own, one volume after the other. A
 * thread that is not answered in time is left with its volume, and another one serves the rest. No
 * volume is asked twice at a time; so there is one thread, and one more for each volume that hangs.
 * Threads without work end.
 *
 * <p>A thread cannot see that it hangs: others do, when they call {@link #request}, {@link
 * #refresh} or {@link #watch}.
 *
 * <p>Separate from the groups to be tested without a DataNode, and because its lock is no group's.
 * Thread-safe; {@code this} guards all state. The lock is not held while a volume is asked or a
 * {@link VolumeGroup} is told.
 *
 * @param <V> type of a volume
 */
public final class WatchedProbes<V> implements SpaceProbes<V> {
  private static final Logger LOG = LoggerFactory.getLogger(WatchedProbes.class);
  private static final long WARN_INTERVAL = TimeUnit.SECONDS.toNanos(60);
  private static final AtomicLong THREADS = new AtomicLong();

  private final VolumeSignals<V> signals;
  private final ThreadFactory threads;
  private final long patience;
  private final long idle;
  private final LogLimiter errors = new LogLimiter(WARN_INTERVAL);

  /** The latest question about each volume that has one which is not answered. */
  private final IdentityHashMap<TrackedVolume<V>, Question<V>> open = new IdentityHashMap<>();

  private final Deque<Question<V>> queue = new ArrayDeque<>();
  private Worker serving; // null for none; a worker that is left with its volume serves no more

  /** Creates probes that ask {@code signals}; a question may take 1 s. */
  public WatchedProbes(VolumeSignals<V> signals) {
    this(
        signals,
        WatchedProbes::newThread,
        TimeUnit.SECONDS.toNanos(1),
        TimeUnit.SECONDS.toNanos(5));
  }

  /**
   * Creates probes.
   *
   * @param patience nanoseconds after which a question counts as hung, and that a refresh lasts
   * @param idle nanoseconds without a question after which a thread ends
   */
  WatchedProbes(VolumeSignals<V> signals, ThreadFactory threads, long patience, long idle) {
    this.signals = signals;
    this.threads = threads;
    this.patience = patience;
    this.idle = idle;
  }

  private static Thread newThread(Runnable work) {
    String name = "evenkeel-volume-space-" + THREADS.incrementAndGet();
    Thread thread = new Thread(topGroup(), work, name);
    thread.setDaemon(true);
    return thread;
  }

  /**
   * Not the group of the calling thread: a DataNode reports the size of that of its writers as its
   * load, interrupts it, and waits for it to end before an upgrade.
   */
  private static ThreadGroup topGroup() {
    ThreadGroup group = Thread.currentThread().getThreadGroup();
    try {
      while (group.getParent() != null) {
        group = group.getParent();
      }
    } catch (SecurityException e) {
      LOG.debug("A security manager allows no thread group further up", e);
    }
    return group;
  }

  @Override
  public void request(VolumeGroup<V> group, TrackedVolume<V> volume) {
    synchronized (this) {
      if (!open.containsKey(volume)) {
        enqueue(new Question<>(group, volume, null));
      }
    }
    watch();
  }

  @Override
  public void watch() {
    Throwable failure;
    synchronized (this) {
      failure = serve();
    }
    log(failure);
  }

  @Override
  public void refresh(VolumeGroup<V> group, List<TrackedVolume<V>> volumes) {
    Throwable failure;
    synchronized (this) {
      long end = System.nanoTime() + patience;
      List<Question<V>> wanted = new ArrayList<>();
      volumes.forEach(volume -> wanted.add(fresh(group, volume)));
      failure = await(wanted, end);
    }
    log(failure);
  }

  /** A question that begins from now on; callers that come before it begins share it. */
  private Question<V> fresh(VolumeGroup<V> group, TrackedVolume<V> volume) {
    Question<V> latest = open.get(volume);
    if (latest != null && !latest.begun) {
      return latest;
    }
    Question<V> question = new Question<>(group, volume, latest);
    if (latest == null) {
      enqueue(question);
    } else {
      open.put(volume, question); // its turn comes when the one under way is answered
    }
    return question;
  }

  private void enqueue(Question<V> question) {
    open.put(question.volume, question);
    queue.add(question);
    notifyAll(); // a thread without work
  }

  private Throwable await(List<Question<V>> wanted, long end) {
    while (true) {
      Throwable failure = serve();
      long now = System.nanoTime();
      wanted.removeIf(q -> q.answered || q.blocked(now, patience));
      if (wanted.isEmpty() || end - now <= 0 || failure != null) {
        return failure;
      }
      // Nobody tells when a question begins to hang, so the wait ends when the next one may.
      long until = end;
      for (Question<V> q : wanted) {
        until = q.before != null ? Math.min(until, q.before.began + patience) : until;
      }
      if (serving != null && serving.asking != null) {
        until = Math.min(until, serving.asking.began + patience);
      }
      try {
        TimeUnit.NANOSECONDS.timedWait(this, Math.max(1, until - now));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return null;
      }
    }
  }

  /** Sees to it that a thread serves the queue; returns why that is impossible, else null. */
  private Throwable serve() {
    boolean hangs = serving != null && serving.hangs(System.nanoTime());
    if (queue.isEmpty() || (serving != null && !hangs)) {
      return null;
    }
    Worker worker = new Worker();
    try {
      threads.newThread(worker).start();
    } catch (RuntimeException | Error e) {
      return e; // the next call tries again
    }
    serving = worker;
    return null;
  }

  private void log(Throwable failure) {
    if (failure != null && errors.permit(System.nanoTime()) != LogLimiter.QUIET) {
      LOG.warn("No thread can be started that reads the free space of volumes", failure);
    }
  }

  /** The next question for a thread; null when it must end. */
  private synchronized Question<V> take(Worker worker) throws InterruptedException {
    long end = System.nanoTime() + idle;
    while (serving == worker) {
      Question<V> question = queue.poll();
      long now = System.nanoTime();
      if (question != null) {
        question.begun = true;
        question.began = now;
        worker.asking = question;
        return question;
      }
      if (end - now <= 0) {
        serving = null;
      } else {
        TimeUnit.NANOSECONDS.timedWait(this, end - now);
      }
    }
    return null;
  }

  private synchronized void answered(Worker worker, Question<V> question) {
    worker.asking = null;
    question.answered = true;
    Question<V> latest = open.get(question.volume);
    if (latest == question) {
      open.remove(question.volume);
    } else {
      latest.before = null;
      enqueue(latest);
      serve(); // this thread may have been left; if another cannot start, the next call tries again
    }
    notifyAll();
  }

  private synchronized void ended(Worker worker) {
    if (serving == worker) {
      serving = null;
    }
  }

  /** A volume to be asked, or being asked. Fields that change are guarded by the probes. */
  private static final class Question<V> {
    final VolumeGroup<V> group;
    final TrackedVolume<V> volume;
    Question<V> before; // under way when this one came; null once that is answered
    boolean begun;
    long began;
    boolean answered;

    Question(VolumeGroup<V> group, TrackedVolume<V> volume, Question<V> before) {
      this.group = group;
      this.volume = volume;
      this.before = before;
    }

    boolean hangs(long now, long patience) {
      return begun && !answered && now - began >= patience;
    }

    /** Whether it waits for one that hangs. */
    boolean blocked(long now, long patience) {
      return before != null && before.hangs(now, patience);
    }
  }

  /** A thread; serves until it is left with a volume that hangs, or has no work. */
  private final class Worker implements Runnable {
    private Question<V> asking; // guarded by the probes

    boolean hangs(long now) {
      return asking != null && asking.hangs(now, patience);
    }

    @Override
    public void run() {
      try {
        while (servesOne()) {
          // a method of its own, so that a waiting thread refers to no volume
        }
      } catch (InterruptedException e) {
        LOG.debug("Interrupted", e); // by nobody we know; the next request starts another
      } finally {
        ended(this);
      }
    }

    private boolean servesOne() throws InterruptedException {
      Question<V> question = take(this);
      if (question == null) {
        return false;
      }
      try {
        InlineProbes.probe(signals, question.group, question.volume, System::nanoTime);
      } finally {
        answered(this, question);
      }
      return true;
    }
  }
}
