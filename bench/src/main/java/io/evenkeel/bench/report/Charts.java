package io.evenkeel.bench.report;

import io.evenkeel.common.svg.ChartSpec;
import io.evenkeel.common.svg.ValueFormat;
import io.evenkeel.common.svg.Xml;
import java.util.function.Function;

/**
 * Figures: a chart drawn twice, for a wide and for a phone's screen (the style sheet shows one), so
 * that its text stays readable in both. Stateless.
 */
final class Charts {
  private static final int FULL = 1000;
  private static final int HALF = 520;
  private static final int PHONE = 350;

  private Charts() {}

  /**
   * What a figure says.
   *
   * @param id unique in the page
   * @param explain one sentence for an operator: what to look for
   */
  record Caption(String id, String title, String explain) {}

  /** A figure over the whole width. */
  static String full(Caption caption, ValueFormat format, Function<ChartSpec, String> draw) {
    return figure("figure full", FULL, caption, spec -> draw.apply(spec.format(format)));
  }

  /** A figure over half the width; on a phone over all of it. */
  static String half(Caption caption, ValueFormat format, Function<ChartSpec, String> draw) {
    return figure("figure", HALF, caption, spec -> draw.apply(spec.format(format)));
  }

  /** Escaped text in which a number never stands on another line than its unit. */
  static String prose(String text) {
    return Xml.escape(text).replaceAll("(\\d) (%|s\\b|min\\b|[KMGTP]?i?B\\b)", "$1\u00a0$2");
  }

  private static String figure(
      String cssClass, int width, Caption caption, Function<ChartSpec, String> draw) {
    ChartSpec wide = ChartSpec.of(caption.id(), caption.title(), caption.explain()).width(width);
    ChartSpec phone =
        ChartSpec.of(caption.id() + "-phone", caption.title(), caption.explain()).width(PHONE);
    return "<figure class=\""
        + cssClass
        + "\"><figcaption><strong>"
        + Xml.escape(caption.title())
        + "</strong> "
        + prose(caption.explain())
        + "</figcaption><div class=\"wide\">"
        + draw.apply(wide)
        + "</div><div class=\"phone\">"
        + draw.apply(phone)
        + "</div></figure>\n";
  }
}
