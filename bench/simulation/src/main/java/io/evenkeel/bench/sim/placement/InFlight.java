package io.evenkeel.bench.sim.placement;

import java.util.Arrays;

/** Blocks in flight per DataNode, and samples of the largest over the mean. One thread. */
final class InFlight {
  private final int[] blocks;
  private int[] dataNodesWith;
  private int most;
  private long sum;
  private double[] samples = new double[1024];
  private int sampled;

  InFlight(int dataNodes) {
    blocks = new int[dataNodes];
    dataNodesWith = new int[64];
    dataNodesWith[0] = dataNodes;
  }

  void start(int dataNode) {
    int now = move(dataNode, 1);
    most = Math.max(most, now);
  }

  void end(int dataNode) {
    move(dataNode, -1);
    while (most > 0 && dataNodesWith[most] == 0) {
      most--;
    }
  }

  private int move(int dataNode, int step) {
    int now = blocks[dataNode] + step;
    if (now >= dataNodesWith.length) {
      dataNodesWith = Arrays.copyOf(dataNodesWith, 2 * now);
    }
    dataNodesWith[blocks[dataNode]]--;
    dataNodesWith[now]++;
    blocks[dataNode] = now;
    sum += step;
    return now;
  }

  int of(int dataNode) {
    return blocks[dataNode];
  }

  int[] snapshot() {
    return blocks.clone();
  }

  /** Notes the largest over the mean of so many DataNodes that can be used now. */
  void sample(int usable) {
    if (sampled == samples.length) {
      samples = Arrays.copyOf(samples, 2 * sampled);
    }
    samples[sampled++] = most * (double) usable / sum;
  }

  /** Average of the samples; not a number without any. */
  double mean() {
    return Arrays.stream(samples, 0, sampled).average().orElse(Double.NaN);
  }

  /** The sample that 99 % of them do not exceed; not a number without any. */
  double p99() {
    if (sampled == 0) {
      return Double.NaN;
    }
    double[] sorted = Arrays.copyOf(samples, sampled);
    Arrays.sort(sorted);
    return sorted[(int) Math.ceil(0.99 * sampled) - 1];
  }
}
