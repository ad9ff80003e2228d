package io.evenkeel.volume.core;

import io.evenkeel.volume.core.WeightedRoundRobin.Place;
import java.lang.ref.WeakReference;
import java.util.concurrent.TimeUnit;

/**
 * What a {@link VolumeGroup} knows of one volume, which it holds weakly. All fields are guarded by
 * the group; code outside this package only hands instances back to it.
 *
 * <p>A choice looks at every volume and uses one. So looking writes only what has changed: a write
 * invalidates the other processors' caches, and the next choice may run on one of them.
 *
 * @param <V> type of a volume
 */
public final class TrackedVolume<V> extends WeakReference<V> {
  /** When it was last listed is known to this precision. */
  private static final long LISTED_STEP = TimeUnit.MILLISECONDS.toNanos(1);

  private static final double RECENT = TimeUnit.SECONDS.toNanos(60);

  final VolumeTraits traits;
  final AvailableSpace space = new AvailableSpace();
  final WorkInFlight<V> inFlight;
  final VolumeHealth health;
  final EvenFill evenFill = new EvenFill();
  final Arrivals arrivals = new Arrivals();
  final Place place;

  /** When it was last among the volumes a block could go to. */
  long listedAt;

  double recentChoices;
  long wouldHave;
  private final VolumeSignals<V> signals;

  TrackedVolume(V volume, VolumeTraits traits, GroupSettings settings, VolumeSignals<V> signals) {
    super(volume);
    this.traits = traits;
    this.signals = signals;
    inFlight = new WorkInFlight<>(signals);
    health = new VolumeHealth(settings, space);
    place = new Place(traits.weight());
  }

  /** It is among the volumes a block could go to. */
  void listed(long now) {
    if (place.isNew() || now - listedAt > LISTED_STEP) {
      listedAt = now;
    }
  }

  /** Takes a sample of the device and of the users; null when there are no counters. */
  void observe(DeviceCounters counters, long now) {
    V volume = get();
    if (volume == null) {
      return;
    }
    long references = VolumeSignals.UNKNOWN;
    long bytes = 0;
    try {
      references = signals.references(volume);
      bytes = signals.unacknowledgedBytes(volume);
    } catch (RuntimeException | LinkageError e) {
      references = VolumeSignals.UNKNOWN;
    }
    health.latency.observe(counters, inFlight.any(references), now);
    inFlight.observe(references, bytes, counters, health.latency.stuckFor(now), now);
    evenFill.observe(counters, bytes, now);
  }

  /**
   * Free fraction of a volume nobody uses, when it may get a block out of turn for that; else
   * negative.
   *
   * @param most as {@link EvenFill#allows} has it
   */
  double idleFraction(V volume, double most, long now) {
    try {
      long bytes = signals.unacknowledgedBytes(volume);
      boolean visible = bytes >= 0 || signals.references(volume) >= 0;
      return visible && evenFill.allows(bytes, most, now) ? space.freeFraction() : -1;
    } catch (RuntimeException | LinkageError e) {
      return -1; // whether it is idle cannot be seen
    }
  }

  /**
   * Whether the next block should go here to see how the volume is doing. A hung one is told by its
   * own stuck requests; when nobody uses it any more, nothing would come of them without a block.
   */
  boolean probeDue(Health current, V volume, long now) {
    return health.probeDue(current, now) && (current != Health.HUNG || inFlight.none(volume));
  }

  /** Whether the blocks it was sent lately did not arrive. */
  boolean inDoubt(V volume, long now) {
    if (arrivals.manyMissing()) {
      arrivals.look(blocks(volume), inFlight.seen(volume));
    }
    return arrivals.inDoubt(now);
  }

  private long blocks(V volume) {
    try {
      return signals.blocks(volume);
    } catch (RuntimeException | LinkageError e) {
      return VolumeSignals.UNKNOWN; // one that throws counts as not there
    }
  }

  /** A block of that many bytes will come. */
  void chosen(V volume, long bytes, long now) {
    arrivals.sends(blocks(volume), inFlight.seen(volume), now);
    recentChoices++;
    inFlight.chosen();
    space.promise(bytes);
    evenFill.promise(bytes, now);
  }

  /** Lets the count of recent choices fade. */
  void fade(long elapsed) {
    recentChoices *= Math.exp(-elapsed / RECENT);
  }

  /**
   * Whether the blocks that are sent to a volume arrive there. A volume that can tell its free
   * space but takes no new file (no inodes are left) fails each block at once, so it has the fewest
   * users of all, and would be chosen again and again; stock's rotation passes it by at each turn.
   * Such a volume is in doubt: it is preferred to no other, but has its turn among them, and one
   * block every 10 s to see whether one arrives.
   *
   * <p>A block has arrived when the volume has another number of blocks than before, or more users:
   * then it is being written. Fewer blocks hide whether one arrived, and a deletion frees an inode.
   * Where each block is deleted before the next one comes nothing shows; where that happens on all
   * volumes alike, all are in doubt, and none is preferred.
   */
  static final class Arrivals {
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
     * @param usersNow as {@link WorkInFlight#seen}
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
}
