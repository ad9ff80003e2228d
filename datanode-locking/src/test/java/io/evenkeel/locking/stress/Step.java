package io.evenkeel.locking.stress;

/** One call on one block: as planned, and after it was made also when and how it ended. */
final class Step {
  /** Index of the thread within the block's round; orders steps of one thread. */
  final int actor;

  final Act act;

  /** Generation stamp of the block the caller names. */
  final long gs;

  /** Generation stamp the call is to give, or the recovery id. */
  final long newGs;

  /** Bytes: expected length, bytes to write, or bytes to cut off. */
  final long length;

  /** Storage type (0 DISK, 1 SSD) or index of the target volume. */
  final int place;

  /** Whether the first I/O of this call fails. */
  final boolean failing;

  /** Nanoseconds of {@link System#nanoTime}, at the call and at its return. */
  volatile long begin;

  volatile long end;
  volatile Outcome outcome;

  Step(int actor, Act act, Stamps stamps, long length, int place) {
    this(actor, act, stamps, length, place, false);
  }

  private Step(int actor, Act act, Stamps stamps, long length, int place, boolean failing) {
    this.actor = actor;
    this.act = act;
    this.gs = stamps.gs;
    this.newGs = stamps.newGs;
    this.length = length;
    this.place = place;
    this.failing = failing;
  }

  /** The same call with its first I/O failing. */
  Step failing() {
    return new Step(actor, act, new Stamps(gs, newGs), length, place, true);
  }

  /** The same call, not yet made. */
  Step fresh() {
    return new Step(actor, act, new Stamps(gs, newGs), length, place, failing);
  }

  /** The same call with its target {@code start} further on, modulo the volumes. */
  Step movedBy(int start) {
    int target = Math.floorMod(start + place, StressDataNode.TYPE_OF_VOLUME.length);
    return new Step(actor, act, new Stamps(gs, newGs), length, target, failing);
  }

  /** The later half of a deletion: takes effect between this call and {@code quiet}. */
  Step deletion(long quiet) {
    Step done = new Step(actor, Act.DELETE_DONE, new Stamps(gs, newGs), length, place);
    done.begin = begin;
    done.end = quiet;
    done.outcome = Outcome.ok();
    return done;
  }

  /**
   * The half of a creation that deletes the replica it replaces: {@code createTemporary} only an
   * older one, {@code createRbw} also one of the same stamp.
   */
  Step dropping() {
    long newest = act == Act.REPLACE_RBW ? newGs : newGs - 1;
    Step half = new Step(actor, Act.DROP_OLDER, new Stamps(gs, newest), length, place);
    half.begin = begin;
    half.end = end;
    half.outcome = outcome;
    return half;
  }

  boolean ok() {
    return outcome.result() == Outcome.Result.OK;
  }

  @Override
  public String toString() {
    String made = outcome == null ? "not made" : outcome.result() + detail();
    return String.format(
        "thread %d %s gs=%d newGs=%d length=%d place=%d%s -> %s",
        actor, act, gs, newGs, length, place, failing ? " (first I/O fails)" : "", made);
  }

  private String detail() {
    return (outcome.volume() >= 0 ? " on volume " + outcome.volume() : "")
        + (outcome.length() != 0 || outcome.newLength() != 0
            ? " length " + outcome.length() + "/" + outcome.newLength()
            : "")
        + (outcome.text().isEmpty() ? "" : " " + outcome.text());
  }

  /**
   * The two generation stamps of a call.
   *
   * @param gs of the block named
   * @param newGs to give
   */
  record Stamps(long gs, long newGs) {}
}
