package io.evenkeel.bench.sim.disk;

import java.util.ArrayList;
import java.util.List;

/**
 * How fast every block is written at one moment: the disks of a controller share it, the blocks of
 * a disk share it, and a block on several DataNodes gets what its slowest disk can give, the others
 * using the rest (max-min fairness). Stateless.
 */
final class FairShare {
  /** MB/s one client has at most where its network is no limit. */
  static final double STREAM_CAP = 1200;

  private FairShare() {}

  /**
   * Divides the bandwidth of controllers among their disks, in proportion to nothing but need, and
   * lets readers have their part of each disk.
   */
  static void grant(List<Disk> disks, double[] controllers, double network) {
    for (Disk disk : disks) {
      disk.granted = disk.own();
    }
    for (int c = 0; c < controllers.length; c++) {
      double level = level(disks, c, controllers[c], network);
      for (Disk disk : disks) {
        if (disk.spec.controller() == c) {
          disk.granted = Math.min(disk.granted, level);
        }
      }
    }
    disks.forEach(disk -> disk.serveReads(network));
  }

  /** The share no disk of a controller may exceed; infinite when there is enough for all. */
  private static double level(List<Disk> disks, int controller, double bandwidth, double network) {
    List<Double> wants = new ArrayList<>();
    for (Disk disk : disks) {
      if (disk.spec.controller() == controller) {
        wants.add(disk.wanted(network));
      }
    }
    wants.sort(null);
    double left = bandwidth;
    for (int i = 0; i < wants.size(); i++) {
      double share = left / (wants.size() - i);
      if (wants.get(i) > share) {
        return share;
      }
      left -= wants.get(i);
    }
    return Double.POSITIVE_INFINITY;
  }

  /** Sets the rate of each block, then what flows at each disk. */
  static void assign(List<Disk> disks, double network) {
    int size = disks.size();
    double[] left = new double[size];
    int[] waiting = new int[size];
    for (int i = 0; i < size; i++) {
      left[i] = disks.get(i).capacity();
      waiting[i] = disks.get(i).streams.size();
      disks.get(i).streams.forEach(block -> block.rate = -1);
    }
    while (true) {
      int tightest = -1;
      double share = network;
      for (int i = 0; i < size; i++) {
        if (waiting[i] > 0 && (tightest < 0 || left[i] / waiting[i] < share)) {
          tightest = i;
          share = Math.min(network, Math.max(0, left[i] / waiting[i]));
        }
      }
      if (tightest < 0) {
        break;
      }
      for (Block block : disks.get(tightest).streams) {
        if (block.rate < 0) {
          fix(block, share, left, waiting);
        }
      }
    }
    disks.forEach(Disk::settle);
  }

  private static void fix(Block block, double rate, double[] left, int[] waiting) {
    block.rate = rate;
    for (Disk disk : block.disks) {
      left[disk.index] -= rate;
      waiting[disk.index]--;
    }
  }
}
