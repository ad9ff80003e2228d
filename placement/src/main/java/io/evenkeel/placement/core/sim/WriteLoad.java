package io.evenkeel.placement.core.sim;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * As many writers as DataNodes, each writing block after block; a block is in flight until its
 * writer asks for the next one.
 */
public final class WriteLoad {
  private final Fleet fleet;
  private final int[][] current;
  private final int[] writers;
  private final Outcome outcome;
  private final boolean randomOrder;
  private final SplittableRandom random;
  private int turn;

  /**
   * Creates the load.
   *
   * @param local whether writers sit on the DataNodes
   * @param randomOrder whether blocks complete in random order, else in turn
   */
  public WriteLoad(Fleet fleet, boolean local, boolean randomOrder, SplittableRandom random) {
    this.fleet = fleet;
    this.randomOrder = randomOrder;
    this.random = random;
    int n = fleet.view().nodes();
    current = new int[n][];
    writers = new int[n];
    Arrays.setAll(writers, i -> local ? i : -1);
    outcome = new Outcome(fleet);
  }

  /** Writes that many blocks. */
  public WriteLoad write(Placer placer, long count, int replicas) {
    for (long i = 0; i < count; i++) {
      int stream = next();
      if (current[stream] != null) {
        for (int node : current[stream]) {
          fleet.complete(node);
        }
        outcome.completed(current[stream]);
      }
      int[] nodes = placer.place(writers[stream], replicas);
      for (int node : nodes) {
        fleet.allocate(node);
      }
      current[stream] = nodes;
      outcome.allocated(nodes, replicas);
    }
    return this;
  }

  private int next() {
    turn = turn + 1 < writers.length ? turn + 1 : 0;
    int stream = randomOrder && current[turn] != null ? random.nextInt(writers.length) : turn;
    return fleet.inService(stream) ? stream : next();
  }

  /** What came of it. */
  public Outcome outcome() {
    return outcome;
  }
}
