package io.evenkeel.placement.core.mapping;

/** What is wrong with the location a site gave a host. */
public enum Finding {
  /** Nothing: it names a node group at the depth of the cluster. */
  KNOWN("known"),
  /** No location, or only the names stock uses for hosts it knows nothing of. */
  UNKNOWN("unknown"),
  /** More or fewer levels than the cluster has. */
  WRONG_DEPTH("wrong depth"),
  /** Not a network location. */
  MALFORMED("not a network location");

  private final String text;

  Finding(String text) {
    this.text = text;
  }

  /** In words, for a log. */
  public String text() {
    return text;
  }
}
