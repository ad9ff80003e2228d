package io.evenkeel.mover.core.follow;

/** The lease file as it was found. Immutable. */
public final class LeaseView {
  /** There is no lease file. */
  public static final LeaseView ABSENT = new LeaseView("", 0);

  private final String owner;
  private final long beats;

  /**
   * Creates it.
   *
   * @param owner as {@link LeaseRule#owner} is written, empty when it cannot be read
   * @param beats a number that changes with each renewal, above 0
   */
  public LeaseView(String owner, long beats) {
    this.owner = owner;
    this.beats = beats;
  }

  /** Who holds it, empty when that cannot be read. */
  public String owner() {
    return owner;
  }

  /** A number that changes with each renewal; 0 when there is no lease file. */
  public long beats() {
    return beats;
  }
}
