package io.evenkeel.placement.core.sim;

import java.util.SplittableRandom;
import java.util.function.Supplier;

/** What is to be simulated; the same for every policy. Fill in, then run. Not thread-safe. */
public final class Simulation {
  private final Supplier<Fleet> fleets;
  private long blocks = 1;
  private int replicas = 3;
  private boolean local = true;
  private boolean randomOrder;
  private long seed;

  /** On the cluster that {@code fleets} makes anew for every run. */
  public Simulation(Supplier<Fleet> fleets) {
    this.fleets = fleets;
  }

  /** Blocks to be written, at least 1, with this many replicas each. */
  public Simulation write(long count, int replication) {
    blocks = count;
    replicas = replication;
    return this;
  }

  /** Whether writers sit on the DataNodes (as is the default) or outside the cluster. */
  public Simulation localWriters(boolean onDataNodes) {
    local = onDataNodes;
    return this;
  }

  /** Whether blocks complete in random order or (the default) in turn. */
  public Simulation randomOrder(boolean random) {
    randomOrder = random;
    return this;
  }

  /** The same seed gives the same outcome. */
  public Simulation seed(long number) {
    seed = number;
    return this;
  }

  /** Writes the blocks with a policy. */
  public Outcome run(Policy policy) {
    Fleet fleet = fleets.get();
    SplittableRandom random = new SplittableRandom(seed);
    Placer placer = policy.on(fleet, random.split());
    return new WriteLoad(fleet, local, randomOrder, random)
        .write(placer, blocks, replicas)
        .outcome();
  }
}
