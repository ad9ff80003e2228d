package io.evenkeel.volume.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("once")
class RotationTest {
  private final Rotation<Object> rotation = new Rotation<>();

  private static List<Object> volumes(int count) {
    List<Object> volumes = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      volumes.add(new Object());
    }
    return volumes;
  }

  private Object choose(List<Object> volumes) throws IOException {
    return rotation.choose(volumes, 10, v -> 11).volume();
  }

  @Test
  void choose_emptyList_findsNothing() throws IOException {
    Choice<Object> choice = rotation.choose(List.of(), 10, v -> 11);
    assertThat(choice.found()).isFalse();
    assertThat(choice.volume()).isNull();
    assertThat(choice.refused()).isEmpty();
    assertThat(choice.largestFree()).isZero();
  }

  @Test
  void choose_firstRound_isListOrder() throws IOException {
    List<Object> three = volumes(3);
    for (Object expected : three) {
      assertThat(choose(three)).isSameAs(expected);
    }
  }

  @Test
  void choose_callersListChangesMeanwhile_findsTheVolumeWithRoom() throws IOException {
    List<Object> live = volumes(3);
    Object full = live.get(0);
    Object room = live.get(1);
    Choice<Object> choice =
        rotation.choose(
            live,
            10,
            v -> {
              live.remove(full); // as a removed disk would leave a shared list
              return v == room ? 11 : 10;
            });
    assertThat(choice.volume()).isSameAs(room);
  }

  @Test
  void choose_oneVolumeListedTwice_asksItOnce() throws IOException {
    List<Object> twice = new ArrayList<>(volumes(1));
    twice.add(twice.get(0));
    List<Object> asked = new ArrayList<>();
    Choice<Object> choice =
        rotation.choose(
            twice,
            10,
            v -> {
              asked.add(v);
              return 10;
            });
    assertThat(choice.found()).isFalse();
    assertThat(asked).hasSize(1);
  }

  @Test
  void choose_nothingHasRoom_namesTheLargestFreeSpace() throws IOException {
    Map<Object, Long> free = new HashMap<>();
    List<Object> three = volumes(3);
    free.put(three.get(0), 3L);
    free.put(three.get(1), 10L);
    free.put(three.get(2), 0L);
    Choice<Object> choice = rotation.choose(three, 10, free::get);
    assertThat(choice.found()).isFalse();
    assertThat(choice.largestFree()).isEqualTo(10);
    assertThat(choice.refused()).containsExactlyElementsOf(three);
  }

  @Test
  void choose_equalButDistinctVolumes_areToldApart() throws IOException {
    String one = new String("same");
    String two = new String("same");
    List<Object> both = List.of(one, two);
    assertThat(choose(both)).isSameAs(one);
    assertThat(choose(both)).isSameAs(two);
    assertThat(choose(both)).isSameAs(one);
  }

  /**
   * Large and small blocks in turn, one volume with room for small ones only: a rotation that takes
   * the turn of a volume without room never uses that volume at all.
   */
  @Test
  void choose_roomForSmallBlocksOnly_isNotStarvedByLargeOnes() throws IOException {
    List<Object> three = volumes(3);
    Object nearlyFull = three.get(0);
    int used = 0;
    for (int i = 0; i < 60; i++) {
      long size = i % 2 == 0 ? 100 : 1;
      Object chosen = rotation.choose(three, size, v -> v == nearlyFull ? 50 : 1000).volume();
      used += chosen == nearlyFull ? 1 : 0;
    }
    assertThat(used).as("of 30 small blocks").isEqualTo(15);
  }

  @Test
  void choose_volumeThatThrows_hasHadItsTurn() throws IOException {
    List<Object> two = volumes(2);
    assertThatThrownBy(
            () ->
                rotation.choose(
                    two,
                    10,
                    v -> {
                      throw new IOException("gone");
                    }))
        .hasMessage("gone");
    assertThat(choose(two)).isSameAs(two.get(1));
    assertThat(choose(two)).isSameAs(two.get(0));
  }

  @Test
  void choose_volumeThatWasAbsent_isChosenOnceAndThenRotates() throws IOException {
    List<Object> four = volumes(4);
    choose(four);
    List<Object> without = four.subList(1, 4);
    for (int i = 0; i < 30; i++) {
      choose(without);
    }
    assertThat(choose(four)).isSameAs(four.get(0));
    assertThat(choose(four)).isNotSameAs(four.get(0));
  }

  @Test
  @Timeout(30)
  void choose_volumeNobodyRefersTo_isForgotten() throws IOException {
    List<Object> kept = volumes(3);
    List<Object> all = new ArrayList<>(kept);
    all.addAll(volumes(50));
    choose(all);
    assertThat(rotation.size()).isEqualTo(53);
    all.clear();
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    while (rotation.size() > 3 && System.nanoTime() < deadline) {
      System.gc();
    }
    assertThat(rotation.size()).isEqualTo(3);
    assertThat(choose(kept)).isNotNull();
  }

  /** Against the definition itself, with volumes coming, going, filling up and shuffled. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 5, 8, 13, 21, 34})
  void choose_anySequence_isTheLeastRecentlyChosenWithRoom(long seed) throws IOException {
    Random random = new Random(seed);
    List<Object> present = volumes(6);
    List<Object> absent = volumes(4);
    Map<Object, Long> free = new IdentityHashMap<>();
    Map<Object, Integer> lastChosen = new IdentityHashMap<>();
    for (int step = 1; step <= 3000; step++) {
      if (random.nextInt(10) == 0 && !present.isEmpty()) {
        absent.add(present.remove(random.nextInt(present.size())));
      }
      if (random.nextInt(10) == 0 && !absent.isEmpty()) {
        present.add(absent.remove(random.nextInt(absent.size())));
      }
      if (random.nextInt(5) == 0) {
        Collections.shuffle(present, random);
      }
      for (Object volume : present) {
        if (random.nextInt(4) == 0) {
          free.put(volume, (long) random.nextInt(200));
        }
      }
      for (Object volume : present) {
        lastChosen.putIfAbsent(volume, step - 1); // a new one stands at the end of the line
      }
      long size = random.nextInt(200);
      Object expected = null;
      for (Object v : present) {
        if (free.getOrDefault(v, 100L) > size
            && (expected == null || lastChosen.get(v) < lastChosen.get(expected))) {
          expected = v;
        }
      }
      Choice<Object> choice = rotation.choose(present, size, v -> free.getOrDefault(v, 100L));
      assertThat(choice.volume()).as("seed %d, step %d", seed, step).isSameAs(expected);
      if (expected != null) {
        lastChosen.put(expected, step);
      }
    }
  }
}
