package io.evenkeel.mover.follow;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.evenkeel.common.testing.Await;
import io.evenkeel.mover.request.FileOutcome;
import io.evenkeel.mover.request.FileReport;
import io.evenkeel.mover.request.MoveReport;
import io.evenkeel.mover.request.MoveRequest;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A thousand renames a second below the prefix, while the segment of edits the NameNode writes to
 * is short, or long. Prints how old the events are that the daemon reads, and what the NameNode's
 * handlers take of a processor without the daemon and with it.
 */
@Tag("slow")
class EventsLoadIT {
  private static final int THREADS = 8;
  private static final int FILES = 250; // of each thread
  private static final int RATE = 1_000;
  private static final Duration WITHOUT = Duration.ofSeconds(20);
  private static final Duration WITH = Duration.ofSeconds(60);

  private final ExecutorService clients = Executors.newFixedThreadPool(THREADS);

  @AfterEach
  void stop() {
    clients.shutdownNow();
  }

  /**
   * @param segment transactions in the segment before
   * @param events most of one answer of the NameNode; stock's default is 1,000
   */
  @ParameterizedTest
  @CsvSource({"0, 1000", "450000, 1000", "450000, 10000"})
  void thousandRenamesASecond_allAreReadAndNoneIsMissed(int segment, int events) throws Exception {
    try (FollowFixture hdfs =
        FollowFixture.start(
            "dfs.namenode.edit.log.autoroll.multiplier.threshold", "1000",
            "dfs.namenode.inotify.max.events.per.rpc", "" + events,
            "dfs.namenode.handler.count", "20")) {
      hdfs.clear();
      for (int i = 0; i < THREADS * FILES; i++) {
        hdfs.fs().create(new Path("/hot/" + i / FILES + "/" + i % FILES)).close();
      }
      rename(hdfs, segment, 0);
      final double without = handlersDuring(() -> renameFor(hdfs, WITHOUT));

      Follower follower = hdfs.follow(EventsLoadIT::allAreSatisfied, "a");
      FollowFixture.awaitActive(follower);
      List<Long> lags = new ArrayList<>();
      AtomicBoolean goesOn = new AtomicBoolean(true);
      CompletableFuture<Void> sampler =
          CompletableFuture.runAsync(
              () -> {
                while (goesOn.get()) {
                  lags.add(follower.status().getLagMillis());
                  Await.pauseUninterruptibly(Duration.ofSeconds(1));
                }
              });
      final double with = handlersDuring(() -> renameFor(hdfs, WITH));
      goesOn.set(false);
      sampler.get();
      long last = hdfs.fs().getClient().getNamenode().getCurrentEditLogTxid();
      Await.until("all are read", () -> follower.status().getLastTransaction() >= last);

      System.out.printf(
          "EVENTS after %,d transactions, %,d a call: at most %,d ms old, half at most %,d;"
              + " handlers of the NameNode take %.2f of a processor without the daemon, %.2f with it%n",
          segment,
          events,
          lags.stream().mapToLong(each -> each).max().orElseThrow(),
          lags.stream().sorted().skip(lags.size() / 2).findFirst().orElseThrow(),
          without,
          with);
      assertThat(follower.status().getRescans()).isZero();
      assertThat(follower.status().getEvents()).isGreaterThan(WITH.toSeconds() * RATE / 2);
      Await.until("the queue is empty", () -> follower.status().getQueued() == 0);
    }
  }

  private static CompletableFuture<MoveReport> allAreSatisfied(MoveRequest request) {
    MoveReport.Builder report = new MoveReport.Builder();
    for (String path : request.paths()) {
      FileReport file = FileReport.of(path, FileOutcome.SATISFIED, "");
      report.add(file);
      request.listener().fileDone(file);
    }
    return CompletableFuture.completedFuture(report.build());
  }

  private interface Load {
    void run() throws Exception;
  }

  /** Processors the handlers of the NameNode need meanwhile. */
  private static double handlersDuring(Load load) throws Exception {
    long cpu = handlersNanos();
    long start = System.nanoTime();
    load.run();
    return (double) (handlersNanos() - cpu) / (System.nanoTime() - start);
  }

  private static long handlersNanos() {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long sum = 0;
    for (ThreadInfo each : threads.dumpAllThreads(false, false)) {
      if (each.getThreadName().startsWith("IPC Server handler")) {
        sum += Math.max(0, threads.getThreadCpuTime(each.getThreadId()));
      }
    }
    return sum;
  }

  private void renameFor(FollowFixture hdfs, Duration length) throws Exception {
    rename(hdfs, (int) (length.toSeconds() * RATE), RATE);
  }

  /** So many renames, of one file after the other there and back; 0 a second for no limit. */
  private void rename(FollowFixture hdfs, int renames, int perSecond) throws Exception {
    AtomicInteger begun = new AtomicInteger();
    long start = System.nanoTime();
    List<Future<?>> all = new ArrayList<>();
    for (int thread = 0; thread < THREADS; thread++) {
      String directory = "/hot/" + thread + "/";
      all.add(
          clients.submit(
              () -> {
                int file = 0;
                for (int i = begun.getAndAdd(2); i < renames; i = begun.getAndAdd(2)) {
                  if (perSecond > 0) {
                    long due = start + i * TimeUnit.SECONDS.toNanos(1) / perSecond;
                    Await.pauseUninterruptibly(Duration.ofNanos(due - System.nanoTime()));
                  }
                  Path here = new Path(directory + file++ % FILES);
                  Path away = here.suffix("-away");
                  assertThat(hdfs.fs().rename(here, away)).isTrue();
                  assertThat(hdfs.fs().rename(away, here)).isTrue();
                }
                return null;
              }));
    }
    for (Future<?> each : all) {
      each.get();
    }
  }
}
