package io.evenkeel.terasort.core.suite;

/** The three programs of the suite, in the order they run. Immutable. */
public enum Phase {
  /** TeraGen. */
  GENERATE("TeraGen"),
  /** TeraSort. */
  SORT("TeraSort"),
  /** The block-wise TeraValidate. */
  VALIDATE("TeraValidate");

  private final String title;

  Phase(String title) {
    this.title = title;
  }

  /** The program's name. */
  public String title() {
    return title;
  }
}
