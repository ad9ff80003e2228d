package io.evenkeel.locking.stress;

import java.io.IOException;
import java.util.Collections;
import java.util.Random;

/**
 * Makes a plan that went wrong smaller: leaves out threads, then last calls, as long as the same
 * kind of fault still comes up within some rounds.
 */
final class Shrinker {
  private static final int TRIES = 15;

  private final StressRun run;
  private final Random random;
  private BlockRound smallest;

  Shrinker(StressRun run, long seed) {
    this.run = run;
    this.random = new Random(seed);
  }

  /**
   * The smallest round found with the fault.
   *
   * @return null if the plan did not go wrong again
   */
  BlockRound shrink(Plan plan, String kind) throws IOException, InterruptedException {
    if (!fails(plan, kind)) {
      return null;
    }
    Plan best = plan;
    for (int i = best.actors().size() - 1; i >= 0; i--) {
      best = better(best, best.without(i), kind);
    }
    for (int i = best.actors().size() - 1; i >= 0; i--) {
      while (best.actors().get(i).size() > 1) {
        Plan shorter = better(best, best.shortened(i), kind);
        if (shorter.equals(best)) {
          break;
        }
        best = shorter;
      }
    }
    return smallest;
  }

  private Plan better(Plan now, Plan smaller, String kind)
      throws IOException, InterruptedException {
    return !smaller.actors().isEmpty() && fails(smaller, kind) ? smaller : now;
  }

  private boolean fails(Plan plan, String kind) throws IOException, InterruptedException {
    for (int i = 0; i < TRIES; i++) {
      for (BlockRound block : run.round(Collections.nCopies(StressRun.BLOCKS, plan), random)) {
        if (block.kinds().contains(kind)) {
          smallest = block;
          return true;
        }
      }
    }
    return false;
  }
}
