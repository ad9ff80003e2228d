package io.evenkeel.cli.check.core;

import java.util.Collections;
import java.util.List;

/** What the jar of a module says of the Hadoop beside it. Immutable. */
public final class Proved {
  private final List<String> problems;
  private final String lookedAt;

  /**
   * States it.
   *
   * @param problems what does not fit, one line each
   * @param lookedAt what was looked at; empty where nothing could be
   */
  public Proved(List<String> problems, String lookedAt) {
    this.problems = Collections.unmodifiableList(problems);
    this.lookedAt = lookedAt;
  }

  /** What does not fit, one line each. */
  public List<String> problems() {
    return problems;
  }

  /** What was looked at; empty where nothing could be. */
  public String lookedAt() {
    return lookedAt;
  }

  /** The first of what does not fit, and how many more there are. */
  String inShort() {
    int more = problems.size() - 1;
    return problems.get(0)
        + (more > 0 ? ", and " + more + " more ('evenkeel prove' shows them)" : "");
  }
}
