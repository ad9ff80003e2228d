package io.evenkeel.bench.sim.disk;

import java.util.List;
import java.util.TreeSet;

/**
 * What the disks could do: at each moment the bandwidth of the fastest disks, one per writer and
 * replica, without seeks and without page cache. Apart from {@link Outcome}, which is what a policy
 * made of them. Stateless.
 */
final class Ideal {
  private Ideal() {}

  /** MB/s of blocks, on average over the run. */
  static double throughput(Scenario scenario) {
    double end = scenario.load().seconds();
    TreeSet<Double> edges = new TreeSet<>(List.of(0.0, end));
    for (Fault fault : scenario.faults()) {
      edges.add(Math.min(end, fault.from()));
      edges.add(Math.min(end, fault.to()));
    }
    double sum = 0;
    for (double from : edges.headSet(end)) {
      sum += (edges.higher(from) - from) * at(scenario, from);
    }
    return sum / end / scenario.load().replicas();
  }

  private static double at(Scenario scenario, double time) {
    int count = scenario.node().disks().size();
    int writers = scenario.load().writers() * scenario.load().replicas();
    boolean[] used = new boolean[scenario.nodes() * count];
    double[][] left = new double[scenario.nodes()][scenario.node().controllers().size()];
    for (int n = 0; n < left.length; n++) {
      for (int c = 0; c < left[n].length; c++) {
        double factor = scenario.factor(n, Fault.Part.CONTROLLER, c, time);
        left[n][c] = factor * scenario.node().controllers().get(c);
      }
    }
    double sum = 0;
    for (int w = 0; w < Math.min(writers, used.length); w++) {
      int best = -1;
      double most = -1;
      for (int d = 0; d < used.length; d++) {
        double gain = used[d] ? -1 : gain(scenario, d, left[d / count], time);
        if (gain > most) {
          most = gain;
          best = d;
        }
      }
      used[best] = true;
      sum += most;
      int controller = scenario.node().disks().get(best % count).controller();
      if (controller >= 0) {
        left[best / count][controller] -= most;
      }
    }
    return sum;
  }

  /** What one more disk would add. */
  private static double gain(Scenario scenario, int disk, double[] left, double time) {
    int count = scenario.node().disks().size();
    DiskSpec spec = scenario.node().disks().get(disk % count);
    double factor = scenario.factor(disk / count, Fault.Part.DISK, disk % count, time);
    double own = Math.min(scenario.node().network(), factor * spec.bandwidth());
    return spec.controller() < 0 ? own : Math.min(own, left[spec.controller()]);
  }
}
