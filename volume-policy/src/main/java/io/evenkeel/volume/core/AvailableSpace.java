package io.evenkeel.volume.core;

import java.io.IOException;
import java.util.concurrent.TimeUnit;

/**
 * Available space of one volume as last sampled, less every byte promised since. Nothing is
 * credited back: what is written of a promise shows in the next sample.
 *
 * <p>A block promised shortly before a sample may not show in it yet: the DataNode announces it
 * only after it has created the files, and never for a replica that is copied to it. So a sample is
 * also reduced by what was promised between the previous probe and its own.
 *
 * <p>Not thread-safe: guarded by the {@link VolumeGroup}.
 */
final class AvailableSpace {
  /** How the space is estimated from a sample. */
  enum Estimate {
    /** Less all that was promised about the time of the sample and since. */
    CAUTIOUS,
    /** Less all that was promised since the sample began, which contains all before. */
    EXACT,
    /**
     * What stock sees now, when asked since the block came; else EXACT. Blocks that share a probe
     * see what the others among them took: stock, asked by one after the other, does as well.
     */
    AS_STOCK
  }

  /** A sample is taken for the truth for this long even when the volume is nearly full. */
  static final long JUST_NOW = TimeUnit.MILLISECONDS.toNanos(100);

  /** A sample older than this is none: the longest interval of samples, twice. */
  static final long STALE = TimeUnit.MINUTES.toNanos(2);

  private Space space;
  private long sampledAt;
  private IOException failure;
  private long failureWait; // 0 while no choice has failed on it
  private long failureDueAt;
  private boolean probing;
  private long probeBegan;
  private long sampleBegan;
  private long sinceSample;
  private long sinceProbe;
  private long beforeProbe;
  private long deducted;
  private long cautious = Long.MAX_VALUE; // every choice reads it of every volume
  private long sinceFound;

  /** A probe begins; false when one is under way. */
  boolean begin(long now) {
    if (probing) {
      return false;
    }
    probing = true;
    probeBegan = now;
    beforeProbe = sinceProbe;
    deducted = add(deducted, sinceProbe);
    sinceProbe = 0;
    reckon();
    return true;
  }

  /** The probe under way has found this. */
  void found(Space found, long now) {
    probing = false;
    failure = null;
    failureWait = 0;
    space = found;
    sampledAt = now;
    sampleBegan = probeBegan;
    sinceSample = sinceProbe;
    deducted = beforeProbe;
    sinceFound = 0;
    reckon();
  }

  /** The probe under way has failed. */
  void failed(IOException e, long now) {
    probing = false;
    failure = e;
    sampledAt = now;
  }

  void promise(long bytes) {
    sinceProbe = add(sinceProbe, Math.max(0, bytes));
    sinceSample = add(sinceSample, Math.max(0, bytes));
    sinceFound = add(sinceFound, Math.max(0, bytes));
    reckon();
  }

  private void reckon() {
    cautious = space == null ? Long.MAX_VALUE : space.available() - add(deducted, sinceProbe);
  }

  /** Whether a probe has ever ended. */
  boolean sampled() {
    return space != null || failure != null;
  }

  /** Why the latest probe failed; null when it did not. */
  IOException failure() {
    return failure;
  }

  /** Whether a choice should fail on the volume now, as each one would in stock. */
  boolean failureDue(long now) {
    return failure != null && (failureWait == 0 || now - failureDueAt >= 0);
  }

  /** A choice failed on it; the next one to do so comes later each time. */
  void failedOnce(GroupSettings settings, long now) {
    failureWait = failureWait == 0 ? settings.ejectBase : 2 * failureWait;
    failureWait = Math.min(failureWait, settings.ejectMax);
    failureDueAt = now + failureWait;
  }

  /**
   * Whether its sample is not good enough for a block: there is none, or it is from another time,
   * or failed or says nearly full and was not taken just now. A volume without room is not asked
   * again for that.
   *
   * @param nearlyFull bytes to spare below which a sample must be of just now
   */
  boolean doubtful(long nearlyFull, long need, long now) {
    if (!sampled() || age(now) > STALE) {
      return true;
    }
    long left = cautious - need;
    boolean matters = left > 0 && (left < nearlyFull || failure != null);
    return matters && age(now) > JUST_NOW;
  }

  /** How long the probe under way has been waiting; 0 when there is none. */
  long probingFor(long now) {
    return probing ? now - probeBegan : 0;
  }

  /** Time since a probe last ended. */
  long age(long now) {
    return now - sampledAt;
  }

  /**
   * Bytes a new block may count on. A volume that was never sampled has all the room there is; so
   * has, by stock's rule, one that cannot be read, for a block that comes to it fails with that.
   *
   * @param came when the block came
   */
  long bytes(Estimate estimate, long came) {
    if (estimate == Estimate.CAUTIOUS) {
      return cautious;
    }
    if (space == null) {
      return Long.MAX_VALUE;
    }
    if (estimate == Estimate.EXACT) {
      return space.available() - sinceSample;
    }
    if (failure != null) {
      return Long.MAX_VALUE;
    }
    boolean afresh = sampleBegan - came >= 0;
    return space.available() - (afresh ? sinceFound : sinceSample);
  }

  /** Bytes by the most careful estimate. */
  long cautiousBytes() {
    return cautious;
  }

  /** Bytes in all; 0 or less when not known. */
  long capacity() {
    return space == null ? 0 : space.capacity();
  }

  /** Whether more than that fraction of the capacity is used. */
  boolean fullerThan(double ceiling) {
    if (ceiling >= 1 || space == null || space.capacity() <= 0) {
      return false;
    }
    return Math.max(0, cautiousBytes()) < (1 - ceiling) * space.capacity();
  }

  /** Part of the capacity that is free; 0 when not known. */
  double freeFraction() {
    boolean known = space != null && space.capacity() > 0;
    return known ? Math.max(0, cautiousBytes()) / (double) space.capacity() : 0;
  }

  private static long add(long a, long b) {
    long sum = a + b;
    return sum < 0 ? Long.MAX_VALUE : sum;
  }
}
