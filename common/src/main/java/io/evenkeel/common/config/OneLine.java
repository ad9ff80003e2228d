package io.evenkeel.common.config;

/**
 * Keeps text an operator wrote on one line of a log: a line break in a value would otherwise end
 * the message early, or make up a line of its own. Stateless.
 */
public final class OneLine {
  private OneLine() {}

  /** The text with every control character and line separator written as an escape. */
  public static String of(String text) {
    StringBuilder out = new StringBuilder(text.length());
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '\n') {
        out.append("\\n");
      } else if (Character.isISOControl(c) || c == 0x2028 || c == 0x2029) {
        out.append(String.format("\\u%04x", (int) c));
      } else {
        out.append(c);
      }
    }
    return out.toString();
  }
}
