package io.evenkeel.volume.core;

/** What is known of one volume at one moment; a value for reports. Immutable. */
public final class VolumeView {
  /** As the operator classed it. */
  public final VolumeTraits traits;

  /** How far it is trusted. */
  public final Health health;

  /** How long it has been so, in nanoseconds; 0 when not known. */
  public final long healthNanos;

  /** Why, or that its latest blocks did not arrive; empty when it is in use and they did. */
  public final String reason;

  /** Choices since it is known. */
  public final long choices;

  /** Choices of about the last minute, fading. */
  public final double recentChoices;

  /** In observe-only mode: how often this policy would have chosen it. */
  public final long wouldHave;

  /** Users at this moment, without those that are always there and without idle ones. */
  public final double work;

  /** Users at this moment that keep a block open and hardly write. */
  public final long idleUsers;

  /** Write latency in milliseconds; negative when not known. */
  public final double latencyMillis;

  /** How often it was ejected. */
  public final long ejections;

  /** How many blocks were sent to it as probes. */
  public final long probes;

  /** Bytes a new block may count on; negative when never sampled. */
  public final long available;

  /** Bytes in all; 0 or less when not known. */
  public final long capacity;

  /** Age of that sample in nanoseconds. */
  public final long sampleNanos;

  <V> VolumeView(TrackedVolume<V> t, V volume, long now) {
    traits = t.traits;
    health = t.health.at(now);
    healthNanos = t.health.lasts(health, now);
    reason = reason(t, health, t.inDoubt(volume, now));
    choices = t.place.choices();
    recentChoices = t.recentChoices;
    wouldHave = t.wouldHave;
    work = t.inFlight.seen(volume);
    idleUsers = t.inFlight.idle(volume);
    latencyMillis = t.health.latency.known(now) ? t.health.latency.millis() : -1;
    ejections = t.health.ejection.ejections();
    probes = t.health.ejection.probes();
    available = t.space.sampled() ? Math.max(0, t.space.cautiousBytes()) : -1;
    capacity = t.space.capacity();
    sampleNanos = t.space.age(now);
  }

  private static String reason(TrackedVolume<?> t, Health health, boolean inDoubt) {
    String reason = t.health.reason(health);
    return reason.isEmpty() && inDoubt
        ? "the latest " + t.arrivals.missing() + " blocks sent there did not arrive"
        : reason;
  }
}
