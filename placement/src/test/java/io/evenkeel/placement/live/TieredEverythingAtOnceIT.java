package io.evenkeel.placement.live;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;

/** The same with two storage tiers: one replica of a block on DISK, two on ARCHIVE. */
@Tag("slow")
@Timeout(600)
class TieredEverythingAtOnceIT extends EverythingAtOnceIT {
  private static final long MB = 1024 * 1024;

  @Override
  TestCluster start(Shape shape) throws Exception {
    // there are twice as many volumes, and the Balancer is to find something to move
    return shape.capacityOfEveryOther(12 * MB, 36 * MB).tiered("WARM");
  }
}
