package io.evenkeel.common.svg;

import java.util.regex.Pattern;

/** Makes any text safe to stand in XML or HTML, as content or as a quoted attribute. Stateless. */
public final class Xml {
  /** All but tab, line feed, carriage return and what XML 1.0 allows and does not discourage. */
  private static final Pattern FORBIDDEN =
      Pattern.compile(
          "[^\\t\\n\\r\\x{20}-\\x{7E}\\x{A0}-\\x{D7FF}\\x{E000}-\\x{FFFD}\\x{10000}-\\x{10FFFF}]");

  private Xml() {}

  /**
   * Escapes the five special characters; characters XML 1.0 forbids become U+FFFD.
   *
   * @param text may be null, which gives an empty text
   */
  public static String escape(String text) {
    if (text == null) {
      return "";
    }
    return FORBIDDEN
        .matcher(text)
        .replaceAll("\uFFFD")
        .replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;")
        .replace("'", "&#39;");
  }
}
