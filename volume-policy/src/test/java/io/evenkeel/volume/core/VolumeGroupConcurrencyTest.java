package io.evenkeel.volume.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Phaser;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Many writers at once, with no lock but the policy's own, as on Hadoop 3.4 and later. */
@Timeout(60)
@Tag("once")
class VolumeGroupConcurrencyTest {
  private static final int THREADS = 16;

  private final FakeSignals signals = new FakeSignals();
  private final AtomicLong clock = new AtomicLong();
  private final Set<String> narrow = ConcurrentHashMap.newKeySet();
  private final VolumeGroup<String> group =
      new VolumeGroup<>(
          GroupSettings.defaults(),
          signals,
          new InlineProbes<>(signals, clock::get),
          v -> VolumeTraits.NONE);
  private final ExecutorService threads = Executors.newFixedThreadPool(THREADS + 2);

  @AfterEach
  void stopThreads() {
    threads.shutdownNow();
  }

  private Choice<String> choose(List<String> volumes, long size) throws IOException {
    return group.choose(new Request<>(volumes, size, size), clock.get());
  }

  /** Every thread runs it at the same moment. */
  private <T> List<T> together(int count, Callable<T> work) throws Exception {
    CyclicBarrier barrier = new CyclicBarrier(count);
    Callable<T> waiting =
        () -> {
          barrier.await();
          return work.call();
        };
    List<T> results = new ArrayList<>();
    for (Future<T> future : threads.invokeAll(Collections.nCopies(count, waiting))) {
      results.add(future.get());
    }
    return results;
  }

  private static Map<String, Integer> counts(List<String> chosen) {
    Map<String, Integer> counts = new TreeMap<>();
    chosen.forEach(v -> counts.merge(v, 1, Integer::sum));
    return counts;
  }

  @Test
  void choose_herdBeforeAnyIsSeen_spreadsEvenlyOverTheIdleVolumes() throws Exception {
    List<String> volumes = List.of("a", "b", "c", "d");
    volumes.forEach(v -> signals.users(v, 1));
    signals.users("d", 5); // four of them are writers
    for (int round = 0; round < 200; round++) {
      clock.addAndGet(TimeUnit.SECONDS.toNanos(1));
      Map<String, Integer> herd = counts(together(THREADS, () -> choose(volumes, 1).volume()));
      // 20 in all: five each
      assertThat(herd).isEqualTo(Map.of("a", 5, "b", 5, "c", 5, "d", 1));
    }
  }

  @Test
  void choose_seenWhileOthersChoose_countsNobodyTwice() throws Exception {
    List<String> volumes = List.of("a", "b", "c", "d");
    Map<String, AtomicLong> users = new ConcurrentHashMap<>();
    volumes.forEach(v -> users.put(v, new AtomicLong()));
    volumes.forEach(v -> signals.users(v, 0));
    for (int round = 0; round < 200; round++) {
      clock.addAndGet(TimeUnit.SECONDS.toNanos(1));
      List<String> herd =
          together(
              THREADS,
              () -> {
                String chosen = choose(volumes, 1).volume();
                signals.users(chosen, users.get(chosen).incrementAndGet());
                return chosen;
              });
      assertThat(counts(herd)).isEqualTo(Map.of("a", 4, "b", 4, "c", 4, "d", 4));
      users.forEach((v, count) -> count.set(0));
      volumes.forEach(v -> signals.users(v, 0));
    }
  }

  @Test
  void choose_nearlyFullVolumes_promisesNeverExceedTheirRoom() throws Exception {
    List<String> volumes = List.of("a", "b", "c");
    signals.space("a", 350, 1000).space("b", 350, 1000).space("c", 100_000, 1_000_000);
    choose(volumes, 1);
    Map<String, Integer> chosen = new TreeMap<>();
    for (int round = 0; round < 10; round++) {
      counts(together(THREADS, () -> choose(volumes, 100).volume()))
          .forEach((v, n) -> chosen.merge(v, n, Integer::sum));
    }
    assertThat(chosen.get("a")).isLessThanOrEqualTo(3);
    assertThat(chosen.get("b")).isLessThanOrEqualTo(3);
    assertThat(chosen.get("c")).isGreaterThanOrEqualTo(10 * THREADS - 6);
  }

  @Test
  void choose_herdSharesItsProbes_oneBlockPerAnswerIsPromised() throws Exception {
    SharedProbes shared = new SharedProbes();
    VolumeGroup<String> full =
        new VolumeGroup<>(GroupSettings.defaults(), signals, shared, v -> VolumeTraits.NONE);
    List<String> chosen =
        together(
            THREADS,
            () -> {
              Request<String> request = new Request<>(List.of("a"), 100, 100);
              String volume = full.choose(request, 0).volume();
              shared.waiting.arriveAndDeregister();
              return String.valueOf(volume);
            });
    // No block shows in any answer, so each of three answers has room for one.
    assertThat(counts(chosen)).isEqualTo(Map.of("a", 3, "null", THREADS - 3));
  }

  /** Asks when every writer waits for the answer; each time there is room for one block. */
  private static final class SharedProbes implements SpaceProbes<String> {
    private volatile Runnable question;
    private final Phaser waiting =
        new Phaser(THREADS) {
          @Override
          protected boolean onAdvance(int phase, int registered) {
            question.run();
            return registered == 0;
          }
        };

    @Override
    public void refresh(VolumeGroup<String> group, List<TrackedVolume<String>> volumes) {
      question =
          () -> {
            group.probeBegins(volumes.get(0), 0);
            group.probeFound(volumes.get(0), new Space(150, 1000), 0);
          };
      waiting.arriveAndAwaitAdvance();
    }

    @Override
    public void request(VolumeGroup<String> group, TrackedVolume<String> volume) {}

    @Override
    public void watch() {}
  }

  @Test
  void choose_probeIsDue_isSentOnce() throws Exception {
    List<String> volumes = List.of("slow", "b", "c", "d", "e");
    choose(volumes, 1);
    for (int second = 0; second < 20; second++) {
      for (String v : volumes) {
        if (v.equals("slow") && second > 8) {
          signals.deviceOf(v).idle();
        } else {
          signals.deviceOf(v).writes(10, v.equals("slow") ? 900 : 30);
        }
      }
      group.tick(clock.addAndGet(TimeUnit.SECONDS.toNanos(1)));
    }
    List<String> herd = together(THREADS, () -> choose(volumes, 1).volume());
    assertThat(counts(herd)).containsEntry("slow", 1);
  }

  @Test
  void choose_everythingChangesMeanwhile_alwaysAnswersFromItsOwnList() throws Exception {
    List<String> all = new ArrayList<>();
    for (int i = 0; i < 9; i++) {
      all.add(("v" + i).intern());
      signals.users(all.get(i), 1);
    }
    AtomicBoolean stop = new AtomicBoolean();
    Future<?> weather = threads.submit(() -> weather(all, stop));
    AtomicLong seed = new AtomicLong();
    try {
      together(THREADS, () -> chooseAtRandom(all, new Random(seed.incrementAndGet())));
    } finally {
      stop.set(true);
    }
    weather.get();
    for (String volume : all) { // nobody takes the room between its question and its choice now
      assertThat(findsOrFails(volume)).as(volume).isTrue();
    }
  }

  /** A block may fail on a volume whose free space cannot be read; it is not out of space. */
  private boolean findsOrFails(String volume) {
    try {
      return choose(List.of(volume), 100).found();
    } catch (IOException e) {
      return e.getMessage().equals("statfs");
    }
  }

  private Integer chooseAtRandom(List<String> all, Random random) {
    for (int i = 0; i < 2000; i++) {
      List<String> some = new ArrayList<>(all);
      Collections.shuffle(some, random);
      some = some.subList(0, 1 + random.nextInt(some.size()));
      long size = random.nextInt(3) * 50L;
      Choice<String> choice;
      try {
        choice = choose(some, size);
      } catch (IOException e) {
        assertThat(e).hasMessage("statfs");
        continue;
      }
      if (choice.found()) {
        assertThat(choice.volume()).isIn(some);
      } else {
        // Others took the room each time between the answer of the probe and this choice.
        assertThat(size).isPositive();
        assertThat(narrow).containsAll(some);
        assertThat(choice.largestFree()).isLessThanOrEqualTo(size);
      }
    }
    return 0;
  }

  /** Time passes, disks slow down, hang, fail to tell their space, fill up and recover. */
  private void weather(List<String> all, AtomicBoolean stop) {
    Random random = new Random(9608);
    while (!stop.get()) {
      String volume = all.get(random.nextInt(all.size()));
      switch (random.nextInt(5)) {
        case 0 -> signals.deviceOf(volume).writes(10, 900);
        case 1 -> signals.deviceOf(volume).inFlight(3);
        case 2 -> signals.fail(volume, new IOException("statfs"));
        case 3 -> {
          narrow.add(volume); // room for one of 100, or two of 50, and always for one of 0
          signals.space(volume, 101, 1000);
        }
        default -> all.forEach(v -> signals.deviceOf(v).writes(10, 30));
      }
      group.tick(clock.addAndGet(TimeUnit.MILLISECONDS.toNanos(500)));
      signals.users(volume, random.nextInt(5));
    }
  }
}
