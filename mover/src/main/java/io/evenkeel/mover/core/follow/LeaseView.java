package io.evenkeel.mover.core.follow;

/** The lease file as it was found. Immutable. */
public final class LeaseView {
  /** There is no lease file. */
  public static final LeaseView ABSENT = new LeaseView("", "", 0);

  private final String instance;
  private final String incarnation;
  private final long beats;

  /**
   * Creates it.
   *
   * @param instance name of the owner, empty when it cannot be read
   * @param incarnation what tells two processes of one name apart
   * @param beats a number that changes with each renewal, above 0
   */
  public LeaseView(String instance, String incarnation, long beats) {
    this.instance = instance;
    this.incarnation = incarnation;
    this.beats = beats;
  }

  /** Name of the owner, empty when it cannot be read. */
  public String instance() {
    return instance;
  }

  /** Which process of that name. */
  public String incarnation() {
    return incarnation;
  }

  /** A number that changes with each renewal; 0 when there is no lease file. */
  public long beats() {
    return beats;
  }
}
