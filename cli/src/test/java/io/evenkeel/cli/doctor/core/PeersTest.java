package io.evenkeel.cli.doctor.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PeersTest {
  private static final double LIKENESS = 0.05;
  private static final int COMPARISONS = 40;

  private static double[][] noisy(int peers, int intervals, double noise) {
    Random random = new Random(7);
    double[][] values = new double[peers][intervals];
    for (double[] peer : values) {
      Arrays.setAll(peer, t -> (t + 1) * Math.exp(noise * random.nextGaussian()));
    }
    return values;
  }

  private static void slow(double[] peer, double factor) {
    Arrays.setAll(peer, t -> factor * peer[t]);
  }

  private static Peers.Factors compare(double[][] values) {
    return Peers.compare(values, LIKENESS);
  }

  @Test
  void above_onePeerTwice_isTheOnlyOne() {
    double[][] values = noisy(8, 18, 0.1);
    slow(values[5], 2);
    Peers.Factors factors = compare(values);
    assertThat(factors.above(1.15, COMPARISONS)).extracting(Peers.Outlier::peer).containsExactly(5);
    assertThat(factors.of(5)).isCloseTo(2, within(0.2));
    assertThat(factors.of(1)).isCloseTo(1, within(0.1));
  }

  @Test
  void above_samePeerButLittleWatched_needsMore() {
    double[][] values = noisy(8, 4, 0.3);
    slow(values[5], 1.4);
    Peers.Factors factors = compare(values);
    assertThat(factors.above(1.15, COMPARISONS)).isEmpty();
    assertThat(factors.visible(COMPARISONS)).isGreaterThan(1.4);
  }

  @Test
  void above_loadOfAllGrows_isNobodysFactor() {
    double[][] values = noisy(5, 12, 0.05);
    assertThat(compare(values).above(1.15, COMPARISONS)).isEmpty();
    assertThat(compare(values).of(0)).isCloseTo(1, within(0.1));
  }

  @Test
  void above_allEqual_findsNobody() {
    double[][] values = new double[6][10];
    for (double[] peer : values) {
      Arrays.fill(peer, 3);
    }
    Peers.Factors factors = compare(values);
    assertThat(factors.above(1.0, COMPARISONS)).isEmpty();
    assertThat(factors.of(2)).isEqualTo(1);
  }

  @Test
  void above_allEqualButOne_namesIt() {
    double[][] values = new double[6][10];
    for (double[] peer : values) {
      Arrays.fill(peer, 3);
    }
    slow(values[0], 3);
    assertThat(compare(values).above(1.15, COMPARISONS))
        .extracting(Peers.Outlier::peer)
        .containsExactly(0);
  }

  @Test
  void above_twoPeers_haveNoMajority() {
    double[][] values = noisy(2, 20, 0.05);
    slow(values[1], 10);
    Peers.Factors factors = compare(values);
    assertThat(factors.above(1.15, COMPARISONS)).isEmpty();
    assertThat(factors.visible(COMPARISONS)).isInfinite();
  }

  @Test
  void above_noPeers_findsNobody() {
    assertThat(compare(new double[0][]).above(1.15, COMPARISONS)).isEmpty();
    assertThat(compare(new double[3][0]).above(1.15, COMPARISONS)).isEmpty();
  }

  @Test
  void above_peersNotKnown_areNotCounted() {
    double[][] values = noisy(7, 18, 0.05);
    Arrays.fill(values[0], Double.NaN);
    Arrays.fill(values[1], 0);
    values[2][3] = Double.NaN;
    slow(values[6], 3);
    Peers.Factors factors = compare(values);
    assertThat(factors.known()).isEqualTo(5);
    assertThat(factors.of(0)).isNaN();
    assertThat(factors.of(1)).isNaN();
    assertThat(factors.above(1.15, COMPARISONS)).extracting(Peers.Outlier::peer).containsExactly(6);
  }

  @Test
  void above_onePeerInfinite_isNotKnownAndHidesNobody() {
    double[][] values = noisy(7, 18, 0.05);
    Arrays.fill(values[0], Double.POSITIVE_INFINITY);
    slow(values[3], 3);
    Peers.Factors factors = compare(values);
    assertThat(factors.of(0)).isNaN();
    assertThat(factors.above(1.15, COMPARISONS)).extracting(Peers.Outlier::peer).containsExactly(3);
  }

  @Test
  void above_singleBadIntervals_areNoFactor() {
    double[][] values = noisy(8, 30, 0.1);
    values[2][4] *= 50;
    values[2][5] *= 50;
    values[2][17] *= 50;
    assertThat(compare(values).above(1.15, COMPARISONS)).isEmpty();
  }

  @Test
  void above_twoKindsOfHardware_areNotFaults() {
    double[][] values = noisy(10, 30, 0.1);
    for (int i = 0; i < 4; i++) {
      slow(values[i], 3);
    }
    assertThat(compare(values).above(1.15, COMPARISONS)).isEmpty();
  }

  @Test
  void above_peersThatDifferMuch_needsFarMore() {
    double[][] values = noisy(20, 30, 0.05);
    Random random = new Random(3);
    for (double[] peer : values) {
      slow(peer, Math.exp(0.3 * random.nextGaussian()));
    }
    Peers.Factors factors = compare(values);
    assertThat(factors.above(1.15, COMPARISONS)).isEmpty();
    assertThat(factors.visible(COMPARISONS)).isGreaterThan(2);
  }

  @Test
  void above_seriesOfUnequalLength_areComparedWhileTheyLast() {
    double[][] values = noisy(6, 18, 0.05);
    values[1] = Arrays.copyOf(values[1], 9);
    slow(values[1], 2);
    assertThat(compare(values).above(1.15, COMPARISONS))
        .extracting(Peers.Outlier::peer)
        .containsExactly(1);
  }

  @Test
  void median_evenOddAndUnknown_isTheMiddle() {
    assertThat(Peers.median(new double[] {3, Double.NaN, 1})).isEqualTo(2);
    assertThat(Peers.median(new double[] {5, 1, 3})).isEqualTo(3);
    assertThat(Peers.median(new double[] {Double.NaN})).isNaN();
  }
}
