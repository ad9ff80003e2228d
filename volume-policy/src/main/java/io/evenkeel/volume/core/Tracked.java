package io.evenkeel.volume.core;

import io.evenkeel.volume.core.Turns.Place;
import java.lang.ref.WeakReference;
import java.util.concurrent.TimeUnit;

/**
 * What a {@link VolumeGroup} knows of one volume, which it holds weakly. All fields are guarded by
 * the group; code outside this package only hands instances back to it.
 *
 * <p>A choice looks at every volume and uses one. So looking writes only what has changed: a write
 * takes the memory away from the other processors, and the next choice may be on one of them.
 *
 * @param <V> type of a volume
 */
public final class Tracked<V> extends WeakReference<V> {
  /** When it was last listed is known to this precision. */
  private static final long LISTED_STEP = TimeUnit.MILLISECONDS.toNanos(1);

  private static final double RECENT = TimeUnit.SECONDS.toNanos(60);

  final VolumeTraits traits;
  final Room room = new Room();
  final Users<V> users;
  final Trust trust;
  final EvenFill evenFill = new EvenFill();
  final Arrivals arrivals = new Arrivals();
  final Place place;

  /** When it was last among the volumes a block could go to. */
  long listedAt;

  double recentChoices;
  long wouldHave;
  private final VolumeSignals<V> signals;

  Tracked(V volume, VolumeTraits traits, GroupSettings settings, VolumeSignals<V> signals) {
    super(volume);
    this.traits = traits;
    this.signals = signals;
    users = new Users<>(signals);
    trust = new Trust(settings, room);
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
    trust.latency.observe(counters, users.any(references), now);
    users.observe(references, bytes, counters, trust.latency.stuckFor(now), now);
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
      return visible && evenFill.allows(bytes, most, now) ? room.freeFraction() : -1;
    } catch (RuntimeException | LinkageError e) {
      return -1; // whether it is idle cannot be seen
    }
  }

  /**
   * Whether the next block should go here to see how the volume is doing. A hung one is told by its
   * own stuck requests; when nobody uses it any more, nothing would come of them without a block.
   */
  boolean probeDue(Health health, V volume, long now) {
    return trust.probeDue(health, now) && (health != Health.HUNG || users.none(volume));
  }

  /** Whether the blocks it was sent lately did not arrive. */
  boolean inDoubt(V volume, long now) {
    if (arrivals.manyMissing()) {
      arrivals.look(blocks(volume), users.seen(volume));
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
    arrivals.sends(blocks(volume), users.seen(volume), now);
    recentChoices++;
    users.chosen();
    room.promise(bytes);
    evenFill.promise(bytes, now);
  }

  /** Lets the count of recent choices fade. */
  void fade(long elapsed) {
    recentChoices *= Math.exp(-elapsed / RECENT);
  }
}
