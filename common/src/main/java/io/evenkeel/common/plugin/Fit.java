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
  private final Kind kind;

  /** How bad it is. */
  public enum Kind {
    /** Everything is as it was read. */
    KNOWN,
    /** Something is only unknown, so that a trial could accept it. */
    UNKNOWN,
    /** Something is missing that the module refers to, or does something else. */
    MISSING,
    /** Hadoop could call a method that a public class of the module does not have. */
    NOT_IMPLEMENTED
  }

  /** The same with everything known, or something missing. */
  public Fit(String hadoopVersion, List<String> problems, String lookedAt) {
    this(hadoopVersion, problems, lookedAt, problems.isEmpty() ? Kind.KNOWN : Kind.MISSING);
  }

  /**
   * States it.
   *
   * @param hadoopVersion what Hadoop calls itself; null when it does not say
   * @param problems what does not fit; empty when everything does
   * @param lookedAt what was looked at
   * @param kind how bad that is
   */
  public Fit(String hadoopVersion, List<String> problems, String lookedAt, Kind kind) {
    this.hadoopVersion = hadoopVersion;
    this.problems = Collections.unmodifiableList(problems);
    this.lookedAt = lookedAt;
    this.kind = kind;
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

  /** Whether a trial could accept it: all that does not fit is only unknown. */
  public boolean isToBeTried() {
    return kind == Kind.UNKNOWN;
  }

  /** How bad what does not fit is. */
  public Kind kind() {
    return kind;
  }

  /**
   * Makes sure that Hadoop can call the class it was told to; no fallback can stand in for that.
   *
   * @param key that of Hadoop that names the class
   * @throws IllegalStateException saying what to do
   */
  public void checkImplemented(String key) {
    if (kind == Kind.NOT_IMPLEMENTED) {
      String lacking =
          problems.stream()
              .filter(each -> each.contains("does not implement"))
              .findFirst()
              .orElseGet(this::explain);
      throw new IllegalStateException(
          "Hadoop " + hadoopVersion() + ": " + lacking + "; remove " + key + " to use stock's");
    }
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
    return isToBeTried()
        ? "; 'evenkeel prove --run' tries whether it works, and can accept it"
        : "; 'evenkeel prove' shows what is missing";
  }
}
