package io.evenkeel.bench.sim.disk;

import java.util.List;

/**
 * A block being written to one disk or, in lock step, to one disk on each of several DataNodes; or
 * being read from one.
 */
final class Block {
  final List<Disk> disks;
  final double chosenAt;

  /** MB of one request in which its bytes come to a device. */
  final double request;

  /** MB still to be written or read. */
  double remaining;

  /** MB/s at this moment. */
  double rate;

  /** When the last byte was written; negative while it is not. */
  double doneAt = -1;

  Block(List<Disk> disks, double size, double request, double chosenAt) {
    this.disks = disks;
    this.remaining = size;
    this.request = request;
    this.chosenAt = chosenAt;
  }

  /** Seconds it took, or has taken until {@code now}. */
  double seconds(double now) {
    return (doneAt < 0 ? now : doneAt) - chosenAt;
  }
}
