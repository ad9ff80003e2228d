package io.evenkeel.volume.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.volume.core.Rotation.Claim;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
@Tag("once")
class RotationConcurrencyTest {
  private static final int THREADS = 8;

  private final Rotation<String> rotation = new Rotation<>();
  private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);

  @AfterEach
  void stopThreads() {
    threads.shutdownNow();
  }

  private static List<String> names(int count) {
    List<String> names = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      names.add("v" + i);
    }
    return names;
  }

  private Map<String, Integer> chooseFromAllThreads(
      List<String> volumes, int perThread, FreeSpace<String> space) throws Exception {
    CyclicBarrier together = new CyclicBarrier(THREADS);
    Callable<List<String>> work =
        () -> {
          List<String> own = new ArrayList<>(volumes);
          List<String> chosen = new ArrayList<>();
          together.await();
          for (int i = 0; i < perThread; i++) {
            chosen.add(rotation.choose(own, 10, space).volume());
          }
          return chosen;
        };
    List<Future<List<String>>> results = threads.invokeAll(Collections.nCopies(THREADS, work));
    Map<String, Integer> counts = new HashMap<>();
    volumes.forEach(v -> counts.put(v, 0));
    for (Future<List<String>> result : results) {
      result.get().forEach(v -> counts.merge(v, 1, Integer::sum));
    }
    return counts;
  }

  private static int spread(Iterable<Integer> counts) {
    List<Integer> sorted = new ArrayList<>();
    counts.forEach(sorted::add);
    Collections.sort(sorted);
    return sorted.get(sorted.size() - 1) - sorted.get(0);
  }

  @Test
  void choose_eightThreads_countsDifferByAtMostOne() throws Exception {
    Map<String, Integer> counts = chooseFromAllThreads(names(7), 20_001, v -> 11);
    assertThat(counts.values().stream().mapToInt(Integer::intValue).sum()).isEqualTo(8 * 20_001);
    assertThat(spread(counts.values())).as("%s", counts).isLessThanOrEqualTo(1);
  }

  @Test
  void choose_eightThreadsAndFullVolumes_othersDifferByAtMostOne() throws Exception {
    Map<String, Integer> counts =
        chooseFromAllThreads(names(9), 10_001, v -> v.compareTo("v3") < 0 ? 10 : 11);
    for (int full = 0; full < 3; full++) {
      assertThat(counts.remove("v" + full)).isZero();
    }
    assertThat(spread(counts.values())).as("%s", counts).isLessThanOrEqualTo(1);
  }

  @Test
  void choose_oneVolumeDoesNotAnswer_othersAreChosenMeanwhile() throws Exception {
    List<String> volumes = names(4);
    CountDownLatch asked = new CountDownLatch(1);
    CountDownLatch answer = new CountDownLatch(1);
    Future<String> slow =
        threads.submit(
            () ->
                rotation
                    .choose(
                        volumes,
                        10,
                        v -> {
                          asked.countDown();
                          awaitUninterrupted(answer);
                          return 11;
                        })
                    .volume());
    assertThat(asked.await(30, TimeUnit.SECONDS)).isTrue();
    List<String> meanwhile = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      meanwhile.add(rotation.choose(volumes, 10, v -> 11).volume());
    }
    assertThat(meanwhile).containsExactly("v1", "v2", "v3");
    answer.countDown();
    assertThat(slow.get()).isEqualTo("v0");
  }

  private static void awaitUninterrupted(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /**
   * Every interleaving of claims and answers is a sequence of claim and settle; a seed picks one of
   * up to 12 choices in flight, some of them on volumes without room.
   */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
  void claimAndSettle_anyInterleaving_keepsTheRotationExact(long seed) {
    Random random = new Random(seed);
    List<String> volumes = names(2 + random.nextInt(9));
    int full = random.nextInt(volumes.size());
    Map<String, Integer> counts = new IdentityHashMap<>();
    volumes.subList(full, volumes.size()).forEach(v -> counts.put(v, 0));
    List<InFlight> open = new ArrayList<>();
    for (int step = 0; step < 20_000; step++) {
      if (open.size() < 12 && random.nextBoolean()) {
        open.add(new InFlight(new ArrayList<>(volumes)));
      } else if (!open.isEmpty()) {
        InFlight one = open.get(random.nextInt(open.size()));
        boolean hasRoom = counts.containsKey(one.claim.volume);
        rotation.settle(one.claim, hasRoom);
        if (hasRoom) {
          counts.merge(one.claim.volume, 1, Integer::sum);
          open.remove(one);
        } else {
          one.left.removeIf(v -> v == one.claim.volume);
          one.claim = rotation.claim(one.left);
        }
      }
      // choices in flight on volumes with room are already promised to them
      Map<String, Integer> promised = new IdentityHashMap<>(counts);
      open.forEach(o -> promised.computeIfPresent(o.claim.volume, (v, n) -> n + 1));
      assertThat(spread(promised.values())).as("seed %d, step %d", seed, step).isLessThan(2);
    }
  }

  private final class InFlight {
    final List<String> left;
    Claim<String> claim;

    InFlight(List<String> left) {
      this.left = left;
      this.claim = rotation.claim(left);
    }
  }
}
