package io.evenkeel.common.svg;

import java.util.Locale;

/** Collects SVG elements; the height is known only at the end. Not thread-safe. */
final class Canvas {
  /** Estimated width of a character of the 12-unit text; wide enough for most fonts. */
  static final double CHAR = 7;

  private final StringBuilder body = new StringBuilder(4096);
  private final ChartSpec spec;

  Canvas(ChartSpec spec) {
    this.spec = spec;
  }

  double width() {
    return spec.width;
  }

  /** A leaf element; attributes as name and value in turn, numbers rounded to 1/100. */
  void leaf(String name, Object... attributes) {
    element(name, attributes);
    body.append("/>");
  }

  /** A leaf with a text that shows when the pointer rests on it. */
  void hinted(String hint, String name, Object... attributes) {
    element(name, attributes);
    body.append("><title>").append(Xml.escape(hint)).append("</title></").append(name).append('>');
  }

  void text(double x, double y, String cssClass, String text) {
    element("text", "class", cssClass, "x", x, "y", y);
    body.append('>').append(Xml.escape(text)).append("</text>");
  }

  private void element(String name, Object... attributes) {
    body.append('<').append(name);
    for (int i = 0; i < attributes.length; i += 2) {
      Object value = attributes[i + 1];
      String shown =
          value instanceof Number
              ? number(((Number) value).doubleValue())
              : Xml.escape(String.valueOf(value));
      body.append(' ').append(attributes[i]).append("=\"").append(shown).append('"');
    }
  }

  /** The whole element. */
  String finish(double height) {
    String size = number(spec.width) + " " + number(Math.ceil(height));
    return "<svg class=\"ek-chart\" role=\"img\" viewBox=\"0 0 "
        + size
        + "\" aria-labelledby=\""
        + spec.id
        + "-t "
        + spec.id
        + "-d\"><title id=\""
        + spec.id
        + "-t\">"
        + Xml.escape(spec.title)
        + "</title><desc id=\""
        + spec.id
        + "-d\">"
        + Xml.escape(spec.description)
        + "</desc>"
        + body
        + "</svg>";
  }

  /** A chart without anything to draw says so in words. */
  static String empty(ChartSpec spec) {
    Canvas canvas = new Canvas(spec);
    canvas.leaf("rect", "class", "ek-empty", "x", 1, "y", 1, "width", spec.width - 2, "height", 58);
    canvas.text(spec.width / 2.0, 35, "ek-middle ek-muted", "nothing was measured");
    return canvas.finish(60);
  }

  /** At most two decimals, never a locale's comma, never a negative zero. */
  static String number(double value) {
    double rounded = Math.rint(value * 100) / 100 + 0.0;
    if (rounded == Math.rint(rounded) && Math.abs(rounded) < 1e9) {
      return Long.toString((long) rounded);
    }
    return String.format(Locale.ROOT, "%.2f", rounded).replaceAll("0+$", "");
  }

  /** The text cut to a width, with an ellipsis where something is missing. */
  static String fit(String text, double width) {
    int most = (int) Math.floor(width / CHAR);
    if (text.length() <= most) {
      return text;
    }
    return most <= 1 ? "" : text.substring(0, most - 1) + "\u2026";
  }
}
