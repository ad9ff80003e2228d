package io.evenkeel.common.plugin;

import java.util.Collections;
import java.util.List;

/**
 * Whether a module's jar fits the Hadoop it runs on, whatever that calls itself. Apart from its
 * module because tests make their own. Immutable.
 */
public final class Fit {
  private final String hadoopVersion;
  private final List<String> problems;
  private final String lookedAt;
  private final boolean toBeTried;

  /** The same where a trial is of no use. */
  public Fit(String hadoopVersion, List<String> problems, String lookedAt) {
    this(hadoopVersion, problems, lookedAt, false);
  }

  /**
   * States it.
   *
   * @param hadoopVersion what Hadoop calls itself; null when it does not say
   * @param problems what does not fit; empty when everything does
   * @param lookedAt what was looked at
   * @param toBeTried whether what does not fit is only unknown, so that a trial could accept it
   */
  public Fit(String hadoopVersion, List<String> problems, String lookedAt, boolean toBeTried) {
    this.hadoopVersion = hadoopVersion;
    this.problems = Collections.unmodifiableList(problems);
    this.lookedAt = lookedAt;
    this.toBeTried = toBeTried;
  }

  /** Where nothing depends on it, so that it was not looked for. */
  public static Fit notAsked(String hadoopVersion) {
    return new Fit(hadoopVersion, Collections.emptyList(), "");
  }

  /** What Hadoop calls itself. */
  public String hadoopVersion() {
    return hadoopVersion == null || hadoopVersion.trim().isEmpty()
        ? "of unknown version"
        : hadoopVersion;
  }

  /** What does not fit, one line each. */
  public List<String> problems() {
    return problems;
  }

  /** Whether a trial could accept it: nothing that the module refers to is missing. */
  public boolean isToBeTried() {
    return toBeTried;
  }

  /** What was looked at, for a log. */
  public String lookedAt() {
    return lookedAt;
  }

  /** What does not fit, for a log or an error; empty when everything does. */
  public String explain() {
    if (problems.isEmpty()) {
      return "";
    }
    int more = problems.size() - 1;
    return "Hadoop "
        + hadoopVersion()
        + " is not as this jar knows it ("
        + problems.get(0)
        + (more == 0 ? "" : ", and " + more + " more")
        + ")";
  }

  /** What to do about it, after the consequence; begins with a separator unless it is empty. */
  public String advice() {
    if (problems.isEmpty()) {
      return "";
    }
    return toBeTried
        ? "; 'evenkeel prove --run' tries whether it works, and can accept it"
        : "; 'evenkeel prove' shows what is missing";
  }
}
