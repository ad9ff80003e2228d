package io.evenkeel.cli.core.blocks;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A reservoir sample: keeps some of many, every set of so many as likely as another. Not
 * thread-safe.
 */
public final class Reservoir {
  private final int most;
  private final SplittableRandom random;
  private final List<String> kept = new ArrayList<>();
  private long seen;

  /** Creates an empty one that keeps {@code most} at the most. */
  public Reservoir(int most, SplittableRandom random) {
    this.most = most;
    this.random = random;
  }

  /** One more. */
  public void add(String item) {
    seen++;
    if (kept.size() < most) {
      kept.add(item);
    } else {
      long at = random.nextLong(seen);
      if (at < most) {
        kept.set((int) at, item);
      }
    }
  }

  /** Those kept, in random order. */
  public List<String> kept() {
    List<String> mixed = new ArrayList<>(kept);
    for (int i = mixed.size() - 1; i > 0; i--) {
      Collections.swap(mixed, i, random.nextInt(i + 1));
    }
    return mixed;
  }
}
