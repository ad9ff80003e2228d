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
  /** The lease file as it was found. Immutable. */
  public static final class Lease {
    /** There is no lease file. */
    public static final Lease ABSENT = new Lease("", 0);

    private final String owner;
    private final long beats;

    /**
     * Creates it.
     *
     * @param owner its first line, empty when it cannot be read
     * @param beats a number that changes with each renewal; 0 when there is no lease file
     */
    public Lease(String owner, long beats) {
      this.owner = owner;
      this.beats = beats;
    }

    /** Whether a process holds it, named as {@link LeaseRule#owner}. */
    public boolean isOf(String process) {
      return owner.equals(process);
    }
  }

  private final String instance;
  private final String owner;
  private final long timeoutMs;
  private boolean twin;
  private int renewals;
  private Lease seen = Lease.ABSENT;
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
  public boolean mayTake(Lease lease, long now) {
    // while this process cannot look at it, as in an outage, its owner cannot renew it either
    changedAt += Math.max(0, now - lookedAt - timeoutMs / 2);
    lookedAt = now;
    if (lease.beats == 0 || lease.isOf(owner) || (isOfThisName(lease) && !twin)) {
      seen = lease;
      renewals = 0;
      return true;
    }
    if (!lease.isOf(seen.owner) || lease.beats != seen.beats) {
      renewals = lease.isOf(seen.owner) ? renewals + 1 : 0;
      seen = lease;
      changedAt = now;
    }
    return now - changedAt >= timeoutMs;
  }

  /** Whether another process renews the lease: one that only failed to be active does not. */
  public boolean isRenewed() {
    return renewals > 1; // one change is seen of a file that is closed
  }

  private boolean isOfThisName(Lease lease) {
    return lease.owner.startsWith(instance + "|");
  }

  /**
   * Tells who holds the lease after this process lost it.
   *
   * @return whether that is another process of the same instance name
   */
  public boolean lostTo(Lease lease) {
    boolean toTwin = isOfThisName(lease) && !lease.isOf(owner);
    twin |= toTwin;
    return toTwin;
  }
}
