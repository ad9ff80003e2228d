package io.evenkeel.placement.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.placement.core.LoadTree.MinTree;
import java.util.Arrays;
import java.util.BitSet;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("once")
class MinTreeTest {
  private static final double NONE = Double.POSITIVE_INFINITY;

  @Test
  void minAndLeast_randomChanges_agreeWithAScan() {
    SplittableRandom random = new SplittableRandom(7);
    for (int size : new int[] {1, 2, 3, 7, 8, 9, 31, 64, 100}) {
      MinTree tree = new MinTree(size);
      double[] model = new double[size];
      Arrays.fill(model, NONE);
      for (int i = 0; i < 2_000; i++) {
        int at = random.nextInt(size);
        model[at] = random.nextInt(8) == 0 ? NONE : random.nextInt(-20, 20);
        tree.set(at, model[at]);
        assertThat(tree.get(at)).isEqualTo(model[at]);
        int from = random.nextInt(size + 1);
        int to = random.nextInt(from, size + 1);
        assertThat(tree.min(from, to)).isEqualTo(least(model, from, to));
        checkLeast(tree, model, from, to, random);
        double most = Math.min(20, model[at]);
        assertThat(tree.next(from, most)).isEqualTo(next(model, from, most));
      }
      MinTree copy = new MinTree(size);
      copy.setAll(size, i -> model[i]);
      assertThat(copy.min(0, size)).isEqualTo(least(model, 0, size));
    }
  }

  private static int next(double[] values, int from, double most) {
    for (int i = from; i < values.length; i++) {
      if (values[i] <= most) {
        return i;
      }
    }
    return -1;
  }

  /** Some places are not to be had, others cost more than their value. */
  private static void checkLeast(
      MinTree tree, double[] model, int from, int to, SplittableRandom random) {
    double[] bound = model.clone();
    for (int i = 0; i < bound.length; i++) {
      int kind = random.nextInt(4);
      bound[i] = kind == 0 ? NONE : bound[i] + (kind == 1 ? random.nextInt(5) : 0);
    }
    int found = tree.least(from, to, i -> bound[i]);
    double least = least(bound, from, to);
    if (least == NONE) {
      assertThat(found).isEqualTo(-1);
    } else {
      assertThat(found).isBetween(from, to - 1);
      assertThat(bound[found]).isEqualTo(least);
    }
    assertThat(tree.found()).isEqualTo(least);
  }

  private static double least(double[] values, int from, int to) {
    return Arrays.stream(values, from, to).min().orElse(NONE);
  }

  @Test
  void least_largeTree_asksFewPlaces() {
    MinTree tree = new MinTree(4096);
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < 4096; i++) {
      tree.set(i, random.nextDouble());
    }
    int[] asked = new int[1];
    tree.least(
        0,
        4096,
        i -> {
          asked[0]++;
          return tree.get(i);
        });
    assertThat(asked[0]).isEqualTo(1);
  }

  @Test
  void least_bestPlacesRefused_asksOnlyThoseAndOneMore() {
    MinTree tree = new MinTree(1000);
    for (int i = 0; i < 1000; i++) {
      tree.set(i, (i * 7919) % 1000);
    }
    BitSet asked = new BitSet();
    int found =
        tree.least(
            0,
            1000,
            i -> {
              asked.set(i);
              return tree.get(i) < 20 ? NONE : tree.get(i);
            });
    assertThat(tree.get(found)).isEqualTo(20);
    assertThat(asked.cardinality()).isLessThanOrEqualTo(40);
  }
}
