package io.evenkeel.bench.sim.disk;

import io.evenkeel.volume.VolumeReport;
import java.io.IOException;
import java.util.List;

/** The policy of one simulated DataNode. */
interface Chooser {
  /**
   * Chooses a disk for a block.
   *
   * @param size MB
   * @throws IOException when the policy finds none
   */
  Disk choose(double size) throws IOException;

  /** One second has passed. */
  void sample();

  /** What the policy knows, in the order of the disks; empty when it keeps nothing. */
  List<VolumeReport> volumes();

  /** Makes the choosers of a run. */
  interface Factory {
    /**
     * Makes the policy of one DataNode.
     *
     * @param disks its disks
     * @param clock virtual time
     * @param seed of everything random in it
     */
    Chooser create(Scenario.Node node, List<Disk> disks, Clock clock, long seed);
  }
}
