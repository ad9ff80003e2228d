package io.evenkeel.volume.core;

import java.util.concurrent.TimeUnit;

/**
 * Whether the blocks that are sent to a volume arrive there. A volume that can tell its free space
 * but takes no new file (no inodes are left) fails each block at once, so it has the fewest users
 * of all, and would be chosen again and again; stock's rotation passes it by at each turn. Such a
 * volume is in doubt: it is preferred to no other, but has its turn among them, and one block every
 * 10 s to see whether one arrives.
 *
 * <p>A block has arrived when the volume has another number of blocks than before, or more users:
 * then it is being written. Fewer blocks hide whether one arrived, and a deletion frees an inode.
 * Where each block is deleted before the next one comes nothing shows; where that happens on all
 * volumes alike, all are in doubt, and none is preferred.
 *
 * <p>Not thread-safe: guarded by the {@link VolumeGroup}.
 */
final class Arrivals {
  /** After so many blocks in a row that did not arrive a volume is in doubt. */
  private static final int MOST_MISSING = 3;

  private static final long RETRY = TimeUnit.SECONDS.toNanos(10);

  private int missing;
  private long blocks; // when the first of the missing was sent; negative when not known
  private double users; // seen when that was sent
  private long latest;

  /**
   * Before a block is sent.
   *
   * @param blocksNow on the volume; negative when not known
   * @param usersNow as {@link Users#seen}
   */
  void sends(long blocksNow, double usersNow, long now) {
    look(blocksNow, usersNow);
    if (missing == 0) {
      blocks = blocksNow;
      users = usersNow;
    }
    missing++;
    latest = now;
  }

  /** Whether the next question needs to {@link #look}. */
  boolean manyMissing() {
    return missing >= MOST_MISSING;
  }

  /** Takes a look at what the volume has. */
  void look(long blocksNow, double usersNow) {
    if (blocksNow < 0 || blocksNow != blocks || usersNow > users) {
      missing = 0;
    }
  }

  /** Whether no block should be sent there for the sake of its few users or free space. */
  boolean inDoubt(long now) {
    return manyMissing() && now - latest < RETRY;
  }

  /** How many blocks in a row did not arrive. */
  int missing() {
    return missing;
  }
}
