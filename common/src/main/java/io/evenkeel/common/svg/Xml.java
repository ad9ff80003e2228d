package io.evenkeel.common.svg;

/** Makes any text safe to stand in XML or HTML, as content or as a quoted attribute. Stateless. */
public final class Xml {
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
    StringBuilder out = new StringBuilder(text.length() + 16);
    for (int i = 0; i < text.length(); ) {
      int c = text.codePointAt(i);
      i += Character.charCount(c);
      append(out, c);
    }
    return out.toString();
  }

  private static void append(StringBuilder out, int c) {
    switch (c) {
      case '&':
        out.append("&amp;");
        break;
      case '<':
        out.append("&lt;");
        break;
      case '>':
        out.append("&gt;");
        break;
      case '"':
        out.append("&quot;");
        break;
      case '\'':
        out.append("&#39;");
        break;
      default:
        out.appendCodePoint(allowed(c) ? c : 0xFFFD);
    }
  }

  private static boolean allowed(int c) {
    if (c < 0x20) {
      return c == '\t' || c == '\n' || c == '\r';
    }
    boolean surrogate = c >= 0xD800 && c <= 0xDFFF;
    return !surrogate && c != 0xFFFE && c != 0xFFFF && !(c >= 0x7F && c < 0xA0);
  }
}
