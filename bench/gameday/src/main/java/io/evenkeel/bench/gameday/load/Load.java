package io.evenkeel.bench.gameday.load;

import io.evenkeel.bench.gameday.history.History;
import io.evenkeel.bench.gameday.history.Timeline;
import io.evenkeel.bench.gameday.schedule.Mix;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/**
 * Threads that write and read HDFS and keep a history. Prepared, started and finished by one
 * thread, once; {@link #working} and {@link #pause} are for its own.
 */
public final class Load {
  private static final List<String> LOG_POLICIES = List.of("HOT", "ALL_SSD", "ONE_SSD");
  private static final long AFTER_INTERRUPT_MILLIS = 5000;

  private final DistributedFileSystem fs;
  private final LoadPlan plan;
  private final History history;
  private final Timeline timeline;
  private final CountDownLatch enough = new CountDownLatch(1);
  private final Map<String, Thread> threads = new LinkedHashMap<>();
  private final Map<String, Writer> writers = new HashMap<>(); // by name of their thread
  private final Queue<Throwable> defects = new ConcurrentLinkedQueue<>();
  private volatile boolean givenUp;

  /** What a thread does until the load ends. */
  private interface Body {
    void run() throws InterruptedException;
  }

  /**
   * Takes a client.
   *
   * @param fs is used by all threads; closed by the caller, after the end
   */
  public Load(DistributedFileSystem fs, LoadPlan plan, History history, Timeline timeline) {
    this.fs = fs;
    this.plan = plan;
    this.history = history;
    this.timeline = timeline;
  }

  /** Makes the directories with their policies and starts the threads. */
  public void start() throws IOException {
    timeline.when(plan.acknowledgements(), enough::countDown);
    Mix mix = plan.mix();
    List<Directory> shared = shared();
    for (int i = 0; i < Math.max(mix.logs(), mix.files()); i++) {
      if (i < mix.logs()) {
        start(logWriter(i));
      }
      if (i < mix.files()) {
        start(fileWriter("files-" + i, shared));
      }
    }
    if (mix.snapshots()) {
      Directory.Use use = Directory.Use.SNAPSHOTS;
      Directory snapshots = made(Directory.replicated(plan.root() + "/snapshots", use, "HOT"));
      fs.allowSnapshot(new Path(snapshots.path()));
      start(fileWriter("snapshots", List.of(snapshots)));
    }
    for (int i = 0; i < mix.readers(); i++) {
      Reader reader = new Reader("reader-" + i, fs, history, timeline, random());
      start("reader-" + i, () -> reader.run(this));
    }
    begin();
  }

  /** The directories of all writers of whole files. */
  private List<Directory> shared() throws IOException {
    List<Directory> shared = new ArrayList<>();
    for (String policy : plan.mix().policies()) {
      boolean lazy = policy.equals(Directory.LAZY_PERSIST);
      Directory.Use use = lazy ? Directory.Use.WRITE_ONCE : Directory.Use.ANY;
      shared.add(made(Directory.replicated(plan.root() + "/" + policy, use, policy)));
    }
    if (plan.mix().erasureCoding()) {
      fs.enableErasureCodingPolicy(plan.erasureCoding());
      String path = plan.root() + "/" + plan.erasureCoding();
      Directory directory =
          new Directory(path, Directory.Use.WRITE_ONCE, "HOT", plan.erasureCoding());
      shared.add(made(directory));
      fs.setErasureCodingPolicy(new Path(path), plan.erasureCoding());
    }
    return shared;
  }

  private FileWriter fileWriter(String name, List<Directory> directories) {
    Recorder recorder = new Recorder(fs, history, timeline, name);
    return new FileWriter(recorder, history, timeline, random(), directories, plan.mix().changes());
  }

  private LogWriter logWriter(int number) throws IOException {
    String above = new Path(plan.log(number, 0)).getParent().getParent().toString();
    String policy = LOG_POLICIES.get(number % LOG_POLICIES.size());
    made(Directory.replicated(above, Directory.Use.ANY, policy));
    Directory current = made(Directory.replicated(above + "/current", Directory.Use.ANY, policy));
    Directory archive = made(Directory.replicated(above + "/archive", Directory.Use.ANY, policy));
    Recorder recorder = new Recorder(fs, history, timeline, "log-" + number);
    return new LogWriter(
        recorder, history, timeline, random(), plan.mix(), current, archive.path());
  }

  /** A generator of its own for the next thread; they are asked for in a fixed order. */
  private Random random() {
    return new Random(plan.seed() * 1_000_003 + threads.size());
  }

  private Directory made(Directory directory) throws IOException {
    fs.mkdirs(new Path(directory.path()));
    fs.setStoragePolicy(new Path(directory.path()), directory.policy());
    return directory;
  }

  /** Starts the threads. */
  void begin() {
    threads.values().forEach(Thread::start);
  }

  /** Has a writer begin with the others. */
  void start(Writer writer) {
    writers.put(writer.name(), writer);
    start(writer.name(), () -> writer.run(this));
  }

  private void start(String name, Body body) {
    Thread thread =
        new Thread(
            () -> {
              try {
                body.run();
              } catch (InterruptedException e) {
                return; // given up by finish
              } catch (RuntimeException | Error e) {
                if (!givenUp) { // afterwards the history refuses what is begun
                  defects.add(e);
                }
                enough.countDown(); // the others need not go on
              }
            },
            "load-" + name);
    thread.setDaemon(true);
    threads.put(name, thread);
  }

  /** Whether new work is to be begun. */
  boolean working() {
    return enough.getCount() > 0;
  }

  /** Waits between two operations; the end for a thread that is given up. */
  void pause() throws InterruptedException {
    if (givenUp) {
      throw new InterruptedException("the load is over");
    }
    Thread.sleep(plan.pause().toMillis());
  }

  /**
   * Waits until there are as many acknowledgements as planned.
   *
   * @return whether there are; no when the time is over before
   */
  public boolean awaitAcknowledgements(Duration limit) throws InterruptedException {
    return enough.await(limit.toMillis(), TimeUnit.MILLISECONDS);
  }

  /**
   * Begins nothing new and waits until everything is closed and no doubt is left. Whoever is not
   * ready in time is interrupted, and what it was at stays in doubt.
   *
   * @return names of the threads that were still at work; not of writers with doubts only, of which
   *     {@link Verification} tells more
   * @throws IllegalStateException when a thread of the load has a defect
   */
  public List<String> finish(Duration limit) throws InterruptedException {
    enough.countDown();
    long deadline = System.nanoTime() + limit.toNanos();
    List<String> late = new ArrayList<>();
    for (Map.Entry<String, Thread> entry : threads.entrySet()) {
      join(entry.getValue(), (deadline - System.nanoTime()) / 1_000_000);
      if (entry.getValue().isAlive()) {
        late.add(entry.getKey());
      }
    }
    late.removeIf(name -> writers.containsKey(name) && writers.get(name).closed());
    givenUp = true;
    history.end();
    for (String name : threads.keySet()) {
      threads.get(name).interrupt();
      join(threads.get(name), AFTER_INTERRUPT_MILLIS);
    }
    if (!defects.isEmpty()) {
      throw new IllegalStateException("a thread of the load has a defect", defects.peek());
    }
    return late;
  }

  private static void join(Thread thread, long millis) throws InterruptedException {
    if (millis > 0) {
      thread.join(millis);
    }
  }
}
