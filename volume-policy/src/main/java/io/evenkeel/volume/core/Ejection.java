package io.evenkeel.volume.core;

import java.util.concurrent.TimeUnit;

/**
 * Whether one volume is set aside for its latency: in use, ejected for a time, or on probation.
 *
 * <pre>
 *            outlier, samples in a row
 *   IN_USE -------------------------------> EJECTED (10 s, 20 s, ... up to the longest)
 *     ^  ^                                     |   ^
 *     |  | as good as its peers while its      |   | still an outlier: twice as long
 *     |  | queue drains                        v   |
 *     |  +---------------------------------- EJECTED, time is up: one block is the probe
 *     |                                        |
 *     +------------ as good as its peers --- PROBATION (more probes until two samples agree)
 * </pre>
 *
 * <p>Not thread-safe: guarded by the {@link VolumeGroup}.
 */
final class Ejection {
  enum State {
    IN_USE,
    EJECTED,
    PROBATION
  }

  /** A probe is repeated when it left no trace, or no verdict, on the device for this long. */
  static final long PROBE_TRACE = TimeUnit.SECONDS.toNanos(10);

  /** Samples in a row that have a volume ejected, or end an ejection before its time is up. */
  private static final int SAMPLES = 3;

  /** Samples in a row that decide a probation, either way. */
  private static final int VERDICT = 2;

  /** After this long in use the next ejection starts with the shortest time again. */
  private static final long FORGIVE = TimeUnit.MINUTES.toNanos(5);

  private State state = State.IN_USE;
  private long since;
  private long duration;
  private int outlierRun;
  private int goodRun;
  private int inARow;

  /** While on probation: when it was last probed or judged, and whether it was judged since. */
  private long heardAt;

  private boolean spoke;
  private long ejections;
  private long probes;

  State state() {
    return state;
  }

  boolean out() {
    return state != State.IN_USE;
  }

  /** When the state began. */
  long since() {
    return since;
  }

  long ejections() {
    return ejections;
  }

  long probes() {
    return probes;
  }

  /** Whether the next block should go here to see how the volume is doing. */
  boolean probeDue(long now) {
    switch (state) {
      case EJECTED:
        return now - since >= duration;
      case PROBATION:
        // One good word is not enough, and a quick block says no more than one: ask again.
        return goodRun > 0 ? spoke : now - heardAt >= PROBE_TRACE;
      default:
        return false;
    }
  }

  /** A block is sent as a probe. */
  void probe(long now) {
    if (state == State.EJECTED) {
      enter(State.PROBATION, now);
    }
    heardAt = now;
    spoke = false;
    probes++;
  }

  /**
   * A new measurement was compared with the peers.
   *
   * @param mayEject whether one more volume of the type may be ejected
   */
  void judged(boolean outlier, boolean mayEject, GroupSettings settings, long now) {
    outlierRun = outlier ? outlierRun + 1 : 0;
    goodRun = outlier ? 0 : goodRun + 1;
    heardAt = now;
    spoke = true;
    switch (state) {
      case IN_USE:
        if (outlierRun >= SAMPLES && mayEject) {
          eject(settings, now);
        } else if (!outlier && now - since > FORGIVE) {
          inARow = 0;
        }
        break;
      case EJECTED:
        if (goodRun >= SAMPLES && now - since >= settings.ejectBase) {
          enter(State.IN_USE, now);
        }
        break;
      default:
        if (outlierRun >= VERDICT) {
          eject(settings, now);
        } else if (goodRun >= VERDICT) {
          enter(State.IN_USE, now);
        }
    }
  }

  /** Back in use, because there is nothing left to judge it by. */
  void pardon(long now) {
    enter(State.IN_USE, now);
  }

  private void eject(GroupSettings settings, long now) {
    duration = settings.ejectBase;
    for (int i = 0; i < inARow && duration < settings.ejectMax; i++) {
      duration *= 2;
    }
    duration = Math.min(duration, settings.ejectMax);
    inARow++;
    ejections++;
    enter(State.EJECTED, now);
  }

  private void enter(State next, long now) {
    state = next;
    since = now;
    outlierRun = 0;
    goodRun = 0;
  }
}
