package io.evenkeel.volume.core;

import java.util.concurrent.TimeUnit;

/**
 * The {@link Health} of one volume, and why: by its latency, its ejections, and whether it answers
 * for its free space.
 *
 * <p>Not thread-safe: guarded by the {@link VolumeGroup}.
 */
final class VolumeHealth {
  /**
   * A device that has requests and completes none for this long, or a file system that does not
   * tell its free space, makes a volume last choice.
   */
  private static final long HUNG_AFTER = TimeUnit.SECONDS.toNanos(3);

  final Latency latency = new Latency();
  final Ejection ejection = new Ejection();

  /** What was last told to the log. */
  Health reported = Health.IN_USE;

  /** Why it was not in use when it last was not. */
  String reason = "";

  private final GroupSettings settings;
  private final AvailableSpace space;
  private boolean hungProbed;
  private long hungProbedAt;

  VolumeHealth(GroupSettings settings, AvailableSpace space) {
    this.settings = settings;
    this.space = space;
  }

  /** Its health at this moment. */
  Health at(long now) {
    if (space.failure() != null) {
      return Health.FAILING;
    }
    if (hung(now)) {
      return Health.HUNG;
    }
    if (!ejection.out()) {
      return Health.IN_USE;
    }
    return ejection.state() == Ejection.State.EJECTED ? Health.EJECTED : Health.PROBATION;
  }

  private boolean hung(long now) {
    return Math.max(latency.stuckFor(now), space.probingFor(now)) >= HUNG_AFTER;
  }

  /** How long it has been of that health; 0 when not known. */
  long lasts(Health health, long now) {
    switch (health) {
      case EJECTED:
      case PROBATION:
        return now - ejection.since();
      case HUNG:
        return Math.max(latency.stuckFor(now), space.probingFor(now));
      default:
        return 0;
    }
  }

  /**
   * Whether the next block should go here to see how the volume is doing; a hung one only if nobody
   * uses it.
   */
  boolean probeDue(Health health, long now) {
    switch (health) {
      case EJECTED:
      case PROBATION:
        return ejection.probeDue(now);
      case HUNG:
        return latency.stuckFor(now) >= settings.ejectMax
            && space.probingFor(now) == 0
            && !(hungProbed && now - hungProbedAt < settings.ejectMax);
      default:
        return false;
    }
  }

  /** A block is sent as a probe. */
  void probe(long now) {
    if (hung(now)) {
      hungProbed = true;
      hungProbedAt = now;
    }
    ejection.probe(now);
    latency.forget(); // only what comes after the probe speaks for the volume
  }

  /** Why it is of that health; empty when it is in use. */
  String reason(Health health) {
    return health == Health.IN_USE ? "" : reason;
  }

  /** It is of another health than before; why it is slow, {@link OutlierDetector} has said. */
  void explain(Health health, long now) {
    if (health == Health.FAILING) {
      reason = "its free space cannot be read: " + space.failure();
    } else if (health == Health.HUNG) {
      long stuck = latency.stuckFor(now);
      reason =
          stuck >= HUNG_AFTER
              ? "its device has completed nothing for " + seconds(stuck) + " s"
              : "no answer about its free space for " + seconds(space.probingFor(now)) + " s";
    }
  }

  private static long seconds(long nanos) {
    return TimeUnit.NANOSECONDS.toSeconds(nanos);
  }
}
