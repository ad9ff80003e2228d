package io.evenkeel.volume.core;

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
  /** Length of the window in which choices count although nobody has seen them start. */
  static final long WINDOW = TimeUnit.MILLISECONDS.toNanos(3);

  /** A question for free space that is not answered after this long makes a volume last choice. */
  static final long UNANSWERED = TimeUnit.SECONDS.toNanos(3);

  /** When it was last listed is known to this precision. */
  private static final long LISTED_STEP = TimeUnit.MILLISECONDS.toNanos(1);

  /** A device that completes nothing for this long is taken for stuck by its idle users. */
  private static final long STUCK = TimeUnit.SECONDS.toNanos(1);

  private static final double RECENT = TimeUnit.SECONDS.toNanos(60);

  /** Bytes that count as one user when only bytes are known. */
  private static final double BYTES_PER_USER = 64L << 20;

  final Room room = new Room();
  final Latency latency = new Latency();
  final Ejection ejection = new Ejection();
  final VolumeTraits traits;

  /** Its place in the rotation: how far it has been served, in blocks over weight. */
  double served;

  /** When it was last chosen, as the number of that choice in the group. */
  long turn;

  /** When that was; meaningful once it was chosen. */
  long chosenAt;

  /** When it was last among the volumes a block could go to. */
  long listedAt;

  long choices;
  long wouldHave;
  double recentChoices;
  Health reported = Health.IN_USE;
  String reason = "";
  private long turnOfFailureEnds;
  private long failureWait;
  private boolean hungProbed;
  private long hungProbedAt;
  private long fewestUsers = Long.MAX_VALUE;
  private final IdleUsers idleUsers = new IdleUsers();
  final EvenFill evenFill = new EvenFill();
  private boolean known;
  private long window = Long.MIN_VALUE;
  private double lastSeen;
  private double unseen;

  Tracked(V volume, VolumeTraits traits) {
    super(volume);
    this.traits = traits;
  }

  /** The number of the window a moment lies in; the same for all volumes. */
  static long window(long now) {
    return Math.floorDiv(now, WINDOW);
  }

  /**
   * Work in flight, in users of the volume: those seen, and the choices of the current window that
   * have not shown as a user yet.
   *
   * @param current the {@link #window} it is
   */
  double work(VolumeSignals<V> signals, V volume, long current) {
    double seen = ask(signals, volume);
    if (seen < 0) {
      return 0; // whoever cannot be seen would count as unseen for ever: turns decide
    }
    if (window != current) {
      window = current;
      unseen = 0;
    } else if (seen > lastSeen) {
      unseen = Math.max(0, unseen - (seen - lastSeen));
    }
    if (seen != lastSeen) {
      lastSeen = seen;
    }
    return seen + unseen;
  }

  /** It is among the volumes a block could go to. */
  void listed(long now) {
    if (isNew() || now - listedAt > LISTED_STEP) {
      listedAt = now;
    }
  }

  /** Whether it has not been considered yet. */
  boolean isNew() {
    return !known;
  }

  /**
   * It is considered for the first time, beside volumes with at least that much work. Else it would
   * catch up with all that the others were given in this window.
   */
  void join(double leastWork, VolumeSignals<V> signals, V volume, long now) {
    known = true;
    unseen = Math.max(0, leastWork - work(signals, volume, window(now)));
  }

  /** Work in flight as {@link #work} has it, without choices that have not shown as a user yet. */
  double seen(VolumeSignals<V> signals, V volume) {
    return Math.max(0, ask(signals, volume));
  }

  /** How many users beside are idle, without the one that is always there. */
  long idle(VolumeSignals<V> signals, V volume) {
    try {
      long users = signals.references(volume);
      return users < 0 ? 0 : Math.max(0, idleUsers.among(users) - Math.min(1, fewestUsers));
    } catch (RuntimeException | LinkageError e) {
      return 0;
    }
  }

  /** Negative when nothing is known. */
  private double ask(VolumeSignals<V> signals, V volume) {
    try {
      long references = signals.references(volume);
      if (references >= 0) {
        if (references < fewestUsers) {
          fewestUsers = references;
        }
        return references - Math.max(Math.min(1, fewestUsers), idleUsers.among(references));
      }
      return signals.unacknowledgedBytes(volume) / BYTES_PER_USER;
    } catch (RuntimeException | LinkageError e) {
      return VolumeSignals.UNKNOWN; // one that throws counts as not there
    }
  }

  /** Takes a sample of the device and of the users; null when there are no counters. */
  void observe(VolumeSignals<V> signals, DeviceCounters counters, long now) {
    V volume = get();
    if (volume == null) {
      return;
    }
    long users = VolumeSignals.UNKNOWN;
    long bytes = 0;
    try {
      users = signals.references(volume);
      bytes = signals.unacknowledgedBytes(volume);
    } catch (RuntimeException | LinkageError e) {
      users = VolumeSignals.UNKNOWN;
    }
    latency.observe(counters, users < 0 || users > Math.min(1, fewestUsers), now);
    idleUsers.observe(users, bytes, counters, latency.stuckFor(now) >= STUCK, now);
    evenFill.observe(counters, bytes, now);
  }

  /**
   * Free fraction of a volume nobody uses, when it may get a block out of turn for that; else
   * negative.
   *
   * @param most as {@link EvenFill#allows} has it
   */
  double idleFraction(VolumeSignals<V> signals, V volume, double most, long now) {
    try {
      long bytes = signals.unacknowledgedBytes(volume);
      boolean visible = bytes >= 0 || signals.references(volume) >= 0;
      return visible && evenFill.allows(bytes, most, now) ? room.freeFraction() : -1;
    } catch (RuntimeException | LinkageError e) {
      return -1; // whether it is idle cannot be seen
    }
  }

  void chosen(long bytes, long number, long now) {
    unseen++;
    choices++;
    recentChoices++;
    turn = number;
    chosenAt = now;
    room.promise(bytes);
    evenFill.promise(bytes, now);
  }

  /** Lets the count of recent choices fade. */
  void fade(long elapsed) {
    recentChoices *= Math.exp(-elapsed / RECENT);
  }

  boolean hung(GroupSettings settings, long now) {
    return latency.stuckFor(now) >= settings.stallAfter || room.probingFor(now) >= UNANSWERED;
  }

  /**
   * Whether the next block should go here to see how the volume is doing. A hung one is told by its
   * own stuck requests; when nobody uses it any more, nothing would come of them without a block.
   */
  boolean probeDue(Health health, GroupSettings settings, VolumeSignals<V> signals, long now) {
    switch (health) {
      case EJECTED:
      case PROBATION:
        return ejection.probeDue(now);
      case HUNG:
        return latency.stuckFor(now) >= settings.ejectMax
            && room.probingFor(now) == 0
            && !(hungProbed && now - hungProbedAt < settings.ejectMax)
            && unused(signals);
      default:
        return false;
    }
  }

  private boolean unused(VolumeSignals<V> signals) {
    V volume = get();
    return volume != null && ask(signals, volume) == 0;
  }

  /** A block is sent as a probe. */
  void probe(GroupSettings settings, long now) {
    if (hung(settings, now)) {
      hungProbed = true;
      hungProbedAt = now;
    }
    ejection.probe(now);
    latency.forget(); // only what comes after the probe speaks for the volume
  }

  Health health(GroupSettings settings, long now) {
    if (room.failure() != null) {
      return Health.FAILING;
    }
    if (hung(settings, now)) {
      return Health.HUNG;
    }
    if (!ejection.out()) {
      return Health.IN_USE;
    }
    return ejection.state() == Ejection.State.EJECTED ? Health.EJECTED : Health.PROBATION;
  }

  /**
   * Whether its sample is not good enough: there is none, or it is from another time, or failed or
   * says nearly full and was not taken just now. A volume without room is not asked again for that.
   */
  boolean doubtful(GroupSettings settings, long need, long now) {
    if (!room.sampled() || room.age(now) > Room.STALE) {
      return true;
    }
    long left = room.cautiousBytes() - need;
    boolean matters = left > 0 && (left < settings.nearlyFull || room.failure() != null);
    return matters && room.age(now) > Room.JUST_NOW;
  }

  /** Whether a choice should fail on this volume now, as each one would in stock. */
  boolean failureDue(long now) {
    return room.failure() != null && (failureWait == 0 || now - turnOfFailureEnds >= 0);
  }

  /** A choice failed on it; the next one to do so comes later each time. */
  void failedOnce(GroupSettings settings, long now) {
    failureWait = failureWait == 0 ? settings.ejectBase : 2 * failureWait;
    failureWait = Math.min(failureWait, settings.ejectMax);
    turnOfFailureEnds = now + failureWait;
  }

  /** The probe of its free space has found this. */
  void found(Space space, long now) {
    room.found(space, now);
    failureWait = 0;
  }
}
