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
  private final String incarnation;
  private final long timeoutMs;
  private boolean twin;
  private String seenOwner;
  private long seenBeats;
  private long changedAt;
  private long lookedAt;

  /** Creates it for one process. */
  public LeaseRule(String instance, String incarnation, long timeoutMs) {
    this.instance = instance;
    this.incarnation = incarnation;
    this.timeoutMs = timeoutMs;
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
    if (view.beats() == 0) {
      forget();
      return true;
    }
    boolean own = view.instance().equals(instance);
    if (own && (view.incarnation().equals(incarnation) || !twin)) {
      forget();
      return true;
    }
    String owner = view.instance() + "|" + view.incarnation();
    if (!owner.equals(seenOwner) || view.beats() != seenBeats) {
      seenOwner = owner;
      seenBeats = view.beats();
      changedAt = now;
      return false;
    }
    if (now - changedAt < timeoutMs) {
      return false;
    }
    forget();
    return true;
  }

  private void forget() {
    seenOwner = null;
  }

  /**
   * Tells who holds the lease after this process lost it.
   *
   * @return whether that is another process of the same instance name
   */
  public boolean lostTo(LeaseView view) {
    boolean toTwin = view.instance().equals(instance) && !view.incarnation().equals(incarnation);
    twin |= toTwin;
    return toTwin;
  }
}
