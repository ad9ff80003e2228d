package io.evenkeel.mover.core.follow;

/**
 * When a process may take the lease: at once when there is none, when it is its own, or when a
 * process of the same instance held it, which must be its own predecessor; otherwise after it was
 * not renewed for the timeout, by the caller's monotonic clock, of which the time between two looks
 * counts for half of the timeout at most. A process that lost the lease to another of its own
 * instance name waits for the timeout from then on, so that two processes configured alike do not
 * take it from each other for ever. Not thread-safe.
 */
public final class LeaseRule {
  private final String instance;
  private final String owner;
  private final long timeoutMs;
  private boolean twin;
  private String seenOwner;
  private long seenBeats;
  private long changedAt;
  private long lookedAt;

  /**
   * Creates it for one process.
   *
   * @param instance its name, without a bar
   * @param incarnation what tells two processes of one name apart
   */
  public LeaseRule(String instance, String incarnation, long timeoutMs) {
    this.instance = instance;
    this.owner = instance + "|" + incarnation;
    this.timeoutMs = timeoutMs;
  }

  /** This process as the lease names it: {@code instance|incarnation}. */
  public String owner() {
    return owner;
  }

  /**
   * Decides about what was just seen.
   *
   * @param now monotonic milliseconds
   */
  public boolean mayTake(LeaseView view, long now) {
    // while this process cannot look at it, as in an outage, its owner cannot renew it either
    changedAt += Math.max(0, now - lookedAt - timeoutMs / 2);
    lookedAt = now;
    if (view.beats() == 0 || view.owner().equals(owner) || (isOfThisName(view) && !twin)) {
      return true;
    }
    if (!view.owner().equals(seenOwner) || view.beats() != seenBeats) {
      seenOwner = view.owner();
      seenBeats = view.beats();
      changedAt = now;
    }
    return now - changedAt >= timeoutMs;
  }

  private boolean isOfThisName(LeaseView view) {
    return view.owner().startsWith(instance + "|");
  }

  /**
   * Tells who holds the lease after this process lost it.
   *
   * @return whether that is another process of the same instance name
   */
  public boolean lostTo(LeaseView view) {
    boolean toTwin = isOfThisName(view) && !view.owner().equals(owner);
    twin |= toTwin;
    return toTwin;
  }
}
