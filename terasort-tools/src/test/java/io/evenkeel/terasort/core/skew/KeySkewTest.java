package io.evenkeel.terasort.core.skew;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("once")
class KeySkewTest {
  private static byte[] key(long high) {
    byte[] key = new byte[10];
    for (int i = 0; i < 8; i++) {
      key[i] = (byte) (high >>> (56 - 8 * i));
    }
    return key;
  }

  private static byte[][] uniform(Random random, int keys) {
    byte[][] drawn = new byte[keys][];
    for (int i = 0; i < keys; i++) {
      drawn[i] = key(random.nextLong());
    }
    return drawn;
  }

  @Test
  void estimate_uniformKeys_intervalHoldsTheTruth() {
    int held = 0;
    double sum = 0;
    for (int seed = 0; seed < 100; seed++) {
      Random random = new Random(seed);
      SplitPoints points = SplitPoints.cut(uniform(random, 2000), 20);
      // the truth: lengths between the split points
      double truth = new KeySkew(points, uniform(random, 200_000), 0.95).ratio();
      KeySkew skew = new KeySkew(points, uniform(random, 2000), 0.95);
      assertThat(skew.low()).isLessThan(skew.high());
      held += skew.low() <= truth && truth <= skew.high() ? 1 : 0;
      sum += skew.ratio() / truth;
    }
    assertThat(held).isGreaterThanOrEqualTo(93);
    // the share of a partition chosen by other keys is not above the largest share by chance
    assertThat(sum / 100).isBetween(0.85, 1.01);
  }

  @Test
  void estimate_halfOfTheRowsHaveOneKey_theirPartitionHoldsHalf() {
    Random random = new Random(1);
    byte[][] keys = uniform(random, 20_000);
    for (int i = 0; i < keys.length; i++) {
      keys[i] = random.nextBoolean() ? key(42L << 32) : keys[i];
    }
    KeySkew skew = new KeySkew(SplitPoints.cut(keys, 10), keys, 0.95);
    assertThat(skew.low()).isBetween(4.6, 5.3);
    assertThat(skew.ratio()).isBetween(skew.low(), skew.high());
    assertThat(skew.high()).isBetween(4.9, 5.7);
    assertThat(skew.keys()).isEqualTo(20_000);
  }

  @Test
  void estimate_sampleSeesOnlyTheBeginningOfSortedRows_nearlyAllFallIntoTheLast() {
    byte[][] first = new byte[1000][];
    byte[][] all = new byte[5000][];
    for (int i = 0; i < all.length; i++) {
      all[i] = key((long) i << 40);
    }
    System.arraycopy(all, 0, first, 0, first.length);
    KeySkew skew = new KeySkew(SplitPoints.cut(first, 10), all, 0.95);
    assertThat(skew.largest()).isEqualTo(9);
    assertThat(skew.ratio()).isBetween(8.0, 8.4);
  }

  @Test
  void estimate_oneKeyOnly_isEverythingInOnePartition() {
    byte[][] keys = {key(1), key(1), key(1), key(1)};
    KeySkew skew = new KeySkew(SplitPoints.cut(keys, 4), keys, 0.95);
    assertThat(skew.ratio()).isEqualTo(4);
    assertThat(skew.high()).isEqualTo(4);
  }

  @Test
  void estimate_tooFewKeys_isRefused() {
    SplitPoints points = SplitPoints.cut(new byte[][] {key(1), key(2)}, 2);
    assertThatThrownBy(() -> new KeySkew(points, new byte[][] {key(1)}, 0.9))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void partition_splitPointItself_beginsItsPartition() {
    SplitPoints points = SplitPoints.cut(new byte[][] {key(0), key(0x80L << 56)}, 2);
    assertThat(points.partition(key(0x7fL << 56))).isZero();
    assertThat(points.partition(key(0x80L << 56))).isEqualTo(1);
    assertThat(points.partition(key(-1))).isEqualTo(1);
  }

  @Test
  void sampledKeys_smallSplits_limitWhatIsRead() {
    SampledKeys keys = new SampledKeys(100, 1000, 10);
    assertThat(keys.read(100_000)).isEqualTo(10_000);
    assertThat(keys.read(5009)).isEqualTo(5000);
    assertThat(keys.ask(5001)).isEqualTo(5010);
    assertThat(keys.ask(50_000)).isEqualTo(10_000);
    assertThat(new SampledKeys(3, 1000, 10).splitsRead()).isEqualTo(3);
  }
}
