package io.evenkeel.volume.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Random histories of one DataNode: whatever happens, stock finds no volume that we do not. */
@Tag("once")
class VolumeGroupFuzzTest {
  private static final int STEPS = 6_000;

  private final FakeSignals signals = new FakeSignals();
  private final List<String> volumes = new ArrayList<>();
  private final List<Long> free = new ArrayList<>();
  private long now = 1;
  private int named;

  private void add(long bytes) {
    String name = ("v" + named++).intern();
    volumes.add(name);
    free.add(bytes);
    signals.space(name, bytes, 10_000);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void choose_samplesOnly_neverOutOfSpaceWhereStockFindsAVolume(long seed) throws IOException {
    run(seed, 0);
  }

  @ParameterizedTest
  @ValueSource(longs = {11, 12, 13, 14, 15, 16, 17, 18})
  void choose_nearlyFullIsAskedAgain_findsExactlyWhereStockDoes(long seed) throws IOException {
    run(seed, Long.MAX_VALUE);
  }

  private void run(long seed, long nearlyFull) throws IOException {
    Random random = new Random(seed);
    VolumeGroup<String> group =
        new VolumeGroup<>(
            new GroupSettings.Builder().nearlyFull(nearlyFull).build(),
            signals,
            new InlineProbes<>(signals, () -> now),
            v -> new VolumeTraits("c", 1 + v.length() % 2, v.endsWith("1") ? 0.5 : 1));
    add(1000);
    int found = 0;
    int full = 0;
    for (int step = 0; step < STEPS; step++) {
      change(random);
      if (random.nextInt(4) == 0) {
        group.tick(now);
      }
      long need = random.nextInt(400);
      boolean stockFinds = free.stream().anyMatch(bytes -> bytes > need);
      Choice<String> choice = group.choose(new Request<>(volumes, need, need), now);
      if (stockFinds || nearlyFull > 0) {
        assertThat(choice.found()).as("step %d", step).isEqualTo(stockFinds);
      }
      if (!stockFinds) {
        full++;
        continue;
      }
      found++;
      int at = volumes.indexOf(choice.volume());
      if (nearlyFull > 0) {
        assertThat(free.get(at)).isGreaterThan(need);
      }
      setFree(at, Math.max(0, free.get(at) - random.nextInt((int) need + 1)));
    }
    assertThat(found).isGreaterThan(STEPS / 10);
    assertThat(full).isGreaterThan(STEPS / 1000);
  }

  private void setFree(int at, long bytes) {
    free.set(at, bytes);
    signals.space(volumes.get(at), bytes, 10_000);
  }

  private void change(Random random) {
    now += TimeUnit.MILLISECONDS.toNanos(101 + random.nextInt(500));
    int at = random.nextInt(volumes.size());
    switch (random.nextInt(12)) {
      case 0 -> signals.deviceOf(volumes.get(at)).writes(10, random.nextInt(1000));
      case 1 -> signals.deviceOf(volumes.get(at)).inFlight(random.nextInt(3));
      case 2 -> signals.users(volumes.get(at), random.nextInt(9) - 1);
      case 3 -> setFree(at, random.nextInt(600));
      case 4 -> setFree(at, 0);
      case 5 -> {
        if (volumes.size() < 12 && random.nextInt(20) == 0) {
          add(random.nextInt(3000));
        }
      }
      case 6 -> {
        if (volumes.size() > 1 && random.nextInt(20) == 0) {
          volumes.remove(at);
          free.remove(at);
        }
      }
      case 7 -> {
        int other = random.nextInt(volumes.size());
        Collections.swap(volumes, at, other);
        Collections.swap(free, at, other);
      }
      case 8 -> signals.noDevice(volumes.get(at));
      default -> setFree(at, Math.min(2000, free.get(at) + random.nextInt(50)));
    }
  }
}
