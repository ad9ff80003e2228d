package io.evenkeel.common.version;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The Hadoop releases a module declares it was tested on.
 *
 * <p>A vendor build such as {@code 3.1.1.7.1.7.0-551} or {@code 3.4.3-SNAPSHOT} is never taken for
 * the Apache release it starts with: it carries back-ports. Immutable and thread-safe.
 */
public final class SupportedVersions {
  /** What is known about a running release. */
  public enum Verdict {
    /** Declared: the tests run on it. */
    TESTED,
    /** Another patch release (or a vendor build) of a declared line x.y. */
    UNTESTED_PATCH,
    /** No release of that line is declared, or the version cannot be read. */
    UNKNOWN_LINE
  }

  private static final Pattern LINE = Pattern.compile("(\\d+\\.\\d+)\\b.*");

  /** A vendor's or a developer's build: 3.0.0-cdh6.3.2, 3.1.1.7.1.9.0-387, 3.4.3-SNAPSHOT. */
  private static final Pattern BUILD = Pattern.compile("(\\d+\\.\\d+\\.\\d+)[.-].+");

  private final List<String> tested;

  private SupportedVersions(List<String> tested) {
    this.tested = Collections.unmodifiableList(new ArrayList<>(tested));
  }

  /** Declares releases, for example {@code of("3.4.3", "3.5.0")}. */
  public static SupportedVersions of(String... releases) {
    return new SupportedVersions(Arrays.asList(releases));
  }

  /** The declared releases in the order given. */
  public List<String> tested() {
    return tested;
  }

  /** What is known about {@code running}; null or unreadable text is an unknown line. */
  public Verdict check(String running) {
    if (running == null) {
      return Verdict.UNKNOWN_LINE;
    }
    if (tested.contains(running)) {
      return Verdict.TESTED;
    }
    String line = line(running);
    for (String release : tested) {
      if (line != null && line.equals(line(release))) {
        return Verdict.UNTESTED_PATCH;
      }
    }
    return Verdict.UNKNOWN_LINE;
  }

  /** One sentence for a log or an error: what runs, what was tested. */
  public String explain(String running) {
    boolean named = running != null && !running.trim().isEmpty();
    boolean isTested = check(running) == Verdict.TESTED;
    Matcher build = BUILD.matcher(named ? running : "");
    return "Hadoop "
        + (named ? running : "of unknown version")
        + (!isTested && build.matches() ? ", a build based on " + build.group(1) + "," : "")
        + (isTested ? " is tested" : " was not tested with this jar")
        + " (tested: "
        + String.join(", ", tested)
        + ")";
  }

  private static String line(String version) {
    Matcher m = LINE.matcher(version);
    return m.matches() ? m.group(1) : null;
  }
}
