package io.evenkeel.mover.follow;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.common.testing.Await;
import io.evenkeel.mover.config.FollowKeys;
import io.evenkeel.mover.core.follow.Journal;
import io.evenkeel.mover.core.follow.MemoryStore;
import io.evenkeel.mover.core.follow.RequestKind;
import io.evenkeel.mover.core.follow.RetryRule;
import io.evenkeel.mover.core.task.TaskRules;
import io.evenkeel.mover.engine.Engine;
import io.evenkeel.mover.engine.EngineSettings;
import io.evenkeel.mover.engine.ManyFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.util.Time;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The daemon's queue, hand-out, planner and limits with their default settings before millions of
 * files. Time runs faster: everything a second is multiplied by that, every wait divided. What is
 * printed is in the time of the daemon. Constants stay as they are, such as the 100 ms in which the
 * hand-out looks again, so with renames the factor is small.
 */
@Tag("slow")
@Tag("once") // says nothing about a Hadoop release
class DaemonLoadTest {
  private static final int SPEED = 5;
  private static final int SPEED_OF_SCAN = 400;
  private static final int MINUTES = Integer.getInteger("evenkeel.mover.load.minutes", 20);
  private static final int FILES = Integer.getInteger("evenkeel.mover.load.files", 1_000_000);
  private static final int RENAMES_PER_DAY = 10_000_000;

  /** Beyond the limits, for a bucket that is full at the start and for what is counted late. */
  private static final double SLACK = 1.1;

  private final FollowSettings settings = settings();
  private final long mostQueued = settings.get(FollowKeys.MOST_QUEUED);
  private final long replicas = settings.get(FollowKeys.REPLICAS_PER_SECOND);
  private final long listings = settings.get(FollowKeys.LISTINGS_PER_SECOND);
  private final FollowCounters counters = new FollowCounters("load");
  private ManyFiles files;
  private int speed;
  private Engine engine;
  private ActiveDaemon daemon;
  private long begin;
  private long heapBefore;
  private int renamed;
  private int mostWaiting;

  private static FollowSettings settings() {
    try {
      Configuration conf = new Configuration(false);
      conf.set(FollowKeys.PREFIXES.name(), "/hot");
      return FollowSettings.read(conf);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void start(ManyFiles manyFiles, int times) throws IOException {
    files = manyFiles;
    speed = times;
    heapBefore = heap();
    EngineSettings limits =
        new EngineSettings(
            50,
            5,
            0,
            new TaskRules(60_000 / speed, 60_000 / speed, 5),
            replicas * speed,
            listings * speed);
    engine = new Engine(files, files, limits, (what, e) -> counters.error(what + e));
    Journal journal =
        Journal.open(
            new MemoryStore(new MemoryStore.Disk()), 16 << 20, Time.monotonicNow(), List.of());
    daemon = new ActiveDaemon(journal, counters, mostQueued);
    RetryRule rule =
        new RetryRule(
            settings.get(FollowKeys.RETRIES).intValue(),
            settings.get(FollowKeys.RETRY_WAIT).toMillis() / speed,
            3_600_000 / speed);
    int inFlight = settings.get(FollowKeys.IN_FLIGHT).intValue();
    daemon.start(
        "requests",
        new RequestRunner(daemon, engine::submit, rule, settings.prefixes(), Map.of(), inFlight));
    begin = System.nanoTime();
  }

  @AfterEach
  void stop() {
    daemon.stop();
    engine.close();
  }

  private static long heap() {
    System.gc();
    Runtime runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }

  /** Seconds of the daemon's time since the start. */
  private double seconds() {
    return (System.nanoTime() - begin) / 1e9 * speed;
  }

  private int waiting() {
    return daemon.journal().size();
  }

  private void print(String what) {
    double seconds = seconds();
    System.out.printf(
        "%s: after %.0f min: %,d renames, %,d replicas moved, %,d requests wait (most %,d), a second"
            + " %.1f calls, %.2f listings, %.1f replicas; %,d MiB of heap beyond the files%n",
        what,
        seconds / 60,
        renamed,
        files.moved(),
        waiting(),
        mostWaiting,
        files.calls() / seconds,
        files.listings() / seconds,
        files.moved() / seconds,
        (heap() - heapBefore) >> 20);
  }

  /** Renames at the rate of the day, for so many minutes. */
  private void rename(String what, int minutes) throws Exception {
    double from = seconds();
    double printed = from;
    double perSecond = RENAMES_PER_DAY / 86_400.0;
    int before = renamed;
    while (seconds() < from + minutes * 60) {
      int due = before + (int) ((seconds() - from) * perSecond);
      for (; renamed < due; renamed++) {
        daemon.add(RequestKind.EVENT, files.path(renamed));
      }
      daemon.sync();
      mostWaiting = Math.max(mostWaiting, waiting());
      if (seconds() > printed + minutes * 60 / 6.0) {
        print(what);
        printed = seconds();
      }
      Await.pause(Math.max(1, 100 / speed)); // as events are asked for
    }
  }

  private void awaitAll(String what, Callable<Boolean> done) throws Exception {
    Await.until(
        what,
        Duration.ofMinutes(40 + FILES / 50_000),
        () -> {
          mostWaiting = Math.max(mostWaiting, waiting());
          return done.call();
        },
        files::moved);
    print(what);
  }

  private void assertLimits() {
    double seconds = seconds();
    assertThat(files.moved()).as("replicas").isLessThan((long) (replicas * seconds * SLACK));
    assertThat(files.listings()).as("listings").isLessThan((long) (listings * seconds * SLACK));
    assertThat(mostWaiting).isLessThanOrEqualTo((int) mostQueued);
    assertThat(counters.getRescans()).isZero();
  }

  /** What need not move costs a hundredth of a call each; nothing waits for long. */
  @Test
  void tenMillionRenamesADay_aHundredthMoves_nothingIsLeft() throws Exception {
    int most = RENAMES_PER_DAY / 1_440 * (MINUTES + 2);
    start(new ManyFiles(most, file -> file % 100 == 0), SPEED);
    rename("10 million renames a day", MINUTES);
    assertThat(waiting()).isLessThan(10_000);
    awaitAll("all has ended", () -> waiting() == 0);
    assertThat(files.moved()).isEqualTo(3L * ((renamed + 99) / 100));
    assertThat(files.listings()).isZero();
    assertThat(files.calls()).isLessThan(renamed / 4);
    assertLimits();
  }

  /** Renamed trees take as long as the limit wants; what need not move has its end meanwhile. */
  @Test
  void treesAreMoved_renamesGoOn() throws Exception {
    int most = RENAMES_PER_DAY / 1_440 * (MINUTES + 2) + 100_000;
    start(new ManyFiles(most, file -> file < 100_000 || file % 100 == 0), SPEED);
    renamed = 100_000;
    for (int i = 0; i < 100; i++) {
      daemon.add(RequestKind.EVENT, String.format("/hot/%05d", i));
    }
    rename("10 million renames a day beside 100 trees of 1,000 files", MINUTES);
    assertThat(waiting()).isLessThan(2_000);
    assertLimits();
  }

  /** The limit of replicas decides how long it takes; the queue holds one request. */
  @Test
  void policySetOnAllFiles_aScanMovesThem() throws Exception {
    start(new ManyFiles(FILES, file -> true), SPEED_OF_SCAN);
    daemon.add(RequestKind.SCAN, "/hot");
    daemon.sync();
    awaitAll("a tenth", () -> files.moved() >= 3L * FILES / 10);
    awaitAll("all files of a new policy", () -> waiting() == 0);
    assertThat(files.moved()).isEqualTo(3L * FILES);
    assertLimits();
  }

  /** What finds no room waits within half of the queue, or for a scan. */
  @Test
  void fastTierIsFull_renamesGoOn_untilThereIsRoom() throws Exception {
    int most = RENAMES_PER_DAY / 1_440 * (2 * MINUTES + 2);
    start(new ManyFiles(most, file -> file % 20 == 0), SPEED);
    files.hasRoom(false);
    rename("SSD full, a twentieth wants it", MINUTES);
    assertThat(files.moved()).isZero();
    files.hasRoom(true);
    rename("room again", MINUTES / 4);
    assertLimits();
  }
}
