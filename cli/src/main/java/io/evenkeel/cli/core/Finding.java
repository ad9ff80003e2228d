package io.evenkeel.cli.core;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/** Something an operator should look at. Immutable. */
public final class Finding {
  private final String kind;
  private final String message;
  private final List<String> write;

  /**
   * Creates it.
   *
   * @param kind a word that is API, such as {@code slow-holder}
   * @param message one line with what and where
   */
  public Finding(String kind, String message) {
    this(kind, message, Collections.emptyList());
  }

  private Finding(String kind, String message, List<String> write) {
    this.kind = Objects.requireNonNull(kind);
    this.message = Objects.requireNonNull(message);
    this.write = Collections.unmodifiableList(new ArrayList<>(write));
  }

  /** The same; the word is the name of the constant in lower case with hyphens. */
  public Finding(Enum<?> kind, String message) {
    this(kind, message, Collections.emptyList());
  }

  /**
   * The same.
   *
   * @param write lines that mend it, each with the file it belongs into
   */
  public Finding(Enum<?> kind, String message, List<String> write) {
    this(kind.name().toLowerCase(Locale.ROOT).replace('_', '-'), message, write);
  }

  /** A word for programs. */
  public String kind() {
    return kind;
  }

  /** One line with what and where. */
  public String message() {
    return message;
  }

  /** All of them for a report in JSON. */
  public static List<Object> json(List<Finding> findings) {
    List<Object> all = new ArrayList<>();
    for (Finding finding : findings) {
      Map<String, Object> json = new LinkedHashMap<>();
      json.put("kind", finding.kind);
      json.put("message", finding.message);
      if (!finding.write.isEmpty()) {
        json.put("write", finding.write);
      }
      all.add(json);
    }
    return all;
  }

  /** Appends a line for each. */
  public static void append(StringBuilder text, List<Finding> findings) {
    findings.forEach(finding -> text.append(finding).append('\n'));
  }

  @Override
  public String toString() {
    String lines = write.isEmpty() ? "" : "\n  write to " + String.join("\n  write to ", write);
    return "Finding (" + kind + "): " + message + lines;
  }
}
