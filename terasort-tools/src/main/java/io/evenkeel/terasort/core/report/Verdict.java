package io.evenkeel.terasort.core.report;

import java.util.Collections;
import java.util.List;
import java.util.Map;

/** What a validation found, in the words of its {@code _summary.json}. Immutable. */
public final class Verdict {
  private final Map<?, ?> summary;
  private final List<String> inputs;
  private final String report;
  private final String expected;
  private final List<String> errors;

  /**
   * Creates the verdict.
   *
   * @param summary the parsed summary file
   * @param asked inputs first, then the report directory
   * @param expected what the records were to add up to; null when that was not known
   * @param errors the first lines of the report that tell of errors
   */
  public Verdict(Map<?, ?> summary, List<String> asked, String expected, List<String> errors) {
    this.summary = summary;
    this.inputs = Collections.unmodifiableList(asked.subList(0, asked.size() - 1));
    this.report = asked.get(asked.size() - 1);
    this.expected = expected;
    this.errors = Collections.unmodifiableList(errors);
  }

  /** Whether nothing was found wrong. */
  public boolean valid() {
    return (Boolean) summary.get("valid");
  }

  long number(String member) {
    return (Long) summary.get(member);
  }

  String checksum() {
    return (String) summary.get("checksum");
  }

  Map<?, ?> violations() {
    return (Map<?, ?>) summary.get("violations");
  }

  List<String> inputs() {
    return inputs;
  }

  String report() {
    return report;
  }

  String expected() {
    return expected;
  }

  List<String> errors() {
    return errors;
  }
}
