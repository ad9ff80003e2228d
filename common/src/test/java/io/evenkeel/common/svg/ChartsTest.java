package io.evenkeel.common.svg;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Document;
import org.xml.sax.InputSource;

@Tag("once")
class ChartsTest {
  private static final String HOSTILE = "</title><script>alert(\"1\")</script>&'\u0000";

  private static ChartSpec spec() {
    return ChartSpec.of("c", "Title", "What it shows");
  }

  private static Document parse(String svg) {
    try {
      return DocumentBuilderFactory.newInstance()
          .newDocumentBuilder()
          .parse(new InputSource(new StringReader(svg)));
    } catch (Exception e) {
      throw new AssertionError("not well-formed: " + svg, e);
    }
  }

  private static String bars(double... values) {
    return new BarChart(spec()).series("stock", 0).series("ours", 1).row("row", values).render();
  }

  private static List<String> charts(String text, double[] x, double[] y) {
    ChartSpec spec = ChartSpec.of("c", text, text);
    List<String> all = new ArrayList<>();
    BarChart bars = new BarChart(spec).series(text, 0);
    for (double v : y) {
      bars.row(text, v);
    }
    all.add(bars.render());
    all.add(new LineChart(spec).series(text, 1, x, y).span(0, 1, text).render());
    return all;
  }

  @Test
  void render_hostileText_isEscapedAndWellFormed() {
    for (String svg : charts(HOSTILE, new double[] {0, 1}, new double[] {1, 2})) {
      Document parsed = parse(svg);
      assertThat(svg).doesNotContain("<script").doesNotContain("\u0000");
      assertThat(parsed.getElementsByTagName("title").item(0).getTextContent())
          .isEqualTo(HOSTILE.replace('\u0000', '\uFFFD'));
    }
  }

  @Test
  void render_nothingToShow_saysSoInWords() {
    for (String svg : charts("t", new double[0], new double[0])) {
      assertThat(parse(svg).getDocumentElement().getTextContent()).contains("nothing was measured");
    }
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, 1, -5, 1e-12, 1e18, 1e300, Double.MAX_VALUE})
  void render_onePointOfAnySize_drawsFiniteCoordinates(double value) {
    for (String svg : charts("t", new double[] {value}, new double[] {value})) {
      parse(svg);
      String coordinates = String.join(" ", attributes(svg));
      assertThat(coordinates).doesNotContain("NaN").doesNotContain("Infinity");
      assertThat(svg).doesNotContain("nothing was measured");
    }
  }

  @ParameterizedTest
  @ValueSource(doubles = {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY})
  void render_valueThatIsNoNumber_leavesNoSuchCoordinate(double value) {
    for (String svg : charts("t", new double[] {0, 1, 2}, new double[] {1, value, 2})) {
      parse(svg);
      String coordinates = String.join(" ", attributes(svg));
      assertThat(coordinates).doesNotContain("NaN").doesNotContain("Infinity");
    }
  }

  private static List<String> attributes(String svg) {
    List<String> all = new ArrayList<>();
    Matcher m =
        Pattern.compile(" (?:x|y|x1|x2|y1|y2|cx|cy|width|height|d)=\"([^\"]*)\"").matcher(svg);
    while (m.find()) {
      all.add(m.group(1));
    }
    assertThat(all).isNotEmpty();
    return all;
  }

  @Test
  void bars_missingValue_isNotMeasuredRatherThanZero() {
    assertThat(bars(3, Double.NaN)).contains("not measured").contains(">3<");
    assertThat(bars(3, 0)).doesNotContain("not measured").contains(">0<");
  }

  @Test
  void bars_twoSeries_lengthsAreProportional() {
    Matcher m =
        Pattern.compile("<rect class=\"ek-fill[^>]* width=\"([0-9.]+)\"").matcher(bars(30, 60));
    List<Double> widths = new ArrayList<>();
    while (m.find()) {
      widths.add(Double.valueOf(m.group(1)));
    }
    // Two samples of the legend, then the two bars.
    assertThat(widths).hasSize(4);
    assertThat(widths.get(3) / widths.get(2)).isBetween(1.99, 2.01);
  }

  @Test
  void bars_twoSeries_differByToneNotOnlyByColour() {
    assertThat(bars(30, 60)).contains("ek-c0 ek-pale").doesNotContain("ek-c1 ek-pale");
  }

  @Test
  void bars_range_isDrawnAsWhisker() {
    String with = new BarChart(spec()).series("s", 1).row("r", BarChart.Bar.of(5, 4, 6)).render();
    String without = new BarChart(spec()).series("s", 1).row("r", BarChart.Bar.of(5)).render();
    assertThat(with).contains("ek-spread");
    assertThat(without).doesNotContain("ek-spread");
  }

  @Test
  void lines_gap_breaksTheLine() {
    double[] x = {0, 1, 2, 3, 4};
    String whole = new LineChart(spec()).series("s", 1, x, new double[] {1, 1, 1, 1, 1}).render();
    String gap =
        new LineChart(spec()).series("s", 1, x, new double[] {1, 1, Double.NaN, 1, 1}).render();
    assertThat(moves(whole)).isEqualTo(1);
    assertThat(moves(gap)).isEqualTo(2);
  }

  private static int moves(String svg) {
    List<String> paths = attributes(svg);
    String line = paths.stream().filter(d -> d.contains("L")).findFirst().orElseThrow();
    return line.length() - line.replace("M", "").length();
  }

  @Test
  void lines_manyPoints_areThinnedButKeepThePeak() {
    int n = 100_000;
    double[] x = new double[n];
    double[] y = new double[n];
    for (int i = 0; i < n; i++) {
      x[i] = i;
      y[i] = 1;
    }
    y[77_777] = 100;
    String svg = new LineChart(spec()).series("s", 1, x, y).render();
    assertThat(svg.length()).isLessThan(20_000);
    // The plot's upper edge: legend 20, gap 10.
    assertThat(attributes(svg).stream().filter(d -> d.contains("L")).findFirst().orElseThrow())
        .containsPattern("L[0-9.]+ 30(L|$)");
  }

  @Test
  void lines_span_isShadedAndNamedWithinThePlot() {
    LineChart chart =
        new LineChart(spec()).series("s", 1, new double[] {0, 4}, new double[] {1, 1});
    String plain = chart.render();
    assertThat(chart.span(3, 2, "turned").span(Double.NaN, 2, "unknown").render()).isEqualTo(plain);
    String svg = chart.span(1, 2, "a & b").span(9, 12, "outside").render();
    parse(svg);
    assertThat(svg).contains("ek-span", "a &amp; b").doesNotContain("outside");
  }

  @Test
  void axis_anyRange_ticksAreOneTwoOrFiveTimesAPowerOfTen() {
    for (double most = 1e-6; most < 1e12; most *= 1.7) {
      Axis axis = Axis.of(0, most, 4, ValueFormat.COUNT);
      double leading = axis.step() / Math.pow(10, Math.floor(Math.log10(axis.step()) + 1e-9));
      assertThat(Math.rint(leading)).isIn(1.0, 2.0, 5.0);
      assertThat(leading).isCloseTo(Math.rint(leading), org.assertj.core.data.Offset.offset(1e-6));
      assertThat(axis.high()).isGreaterThanOrEqualTo(most * (1 - 1e-6));
      assertThat(axis.low()).isZero();
      assertThat(axis.ticks()).hasSizeBetween(3, 8);
    }
  }

  @Test
  void axis_bytes_ticksAreRoundInTheirBinaryUnit() {
    Axis axis = Axis.of(0, 17 * 1048576.0, 4, ValueFormat.BYTES);
    assertThat(axis.step()).isEqualTo(5 * 1048576.0);
    assertThat(ValueFormat.BYTES.tick(10 * 1048576.0, axis.step())).isEqualTo("10 MiB");
  }

  @Test
  void format_values_areWrittenForReaders() {
    assertThat(ValueFormat.COUNT.format(112000)).isEqualTo("112,000");
    assertThat(ValueFormat.COUNT.format(-0.0)).isEqualTo("0");
    assertThat(ValueFormat.RATIO.format(1.214)).isEqualTo("1.21");
    assertThat(ValueFormat.SECONDS.format(9.34)).isEqualTo("9.3 s");
    assertThat(ValueFormat.MILLISECONDS.format(4012.4)).isEqualTo("4,012 ms");
    assertThat(ValueFormat.MILLISECONDS.format(0.84)).isEqualTo("0.8 ms");
    assertThat(ValueFormat.PERCENT.format(0.4063)).isEqualTo("41 %");
    assertThat(ValueFormat.PERCENT.format(0.0123)).isEqualTo("1.2 %");
    assertThat(ValueFormat.BYTES.format(134217728)).isEqualTo("128 MiB");
    assertThat(ValueFormat.BYTES.format(1536)).isEqualTo("1.5 KiB");
    assertThat(ValueFormat.COUNT.format(Double.NaN)).isEqualTo("n/a");
    assertThat(ValueFormat.COUNT.format(1e300)).isEqualTo("1.0e+300");
  }

  @Test
  void spec_idThatCouldBreakOut_isRefused() {
    assertThatThrownBy(() -> ChartSpec.of("a\" onload=\"x", "t", "d"))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void style_holdsBothSchemesAndNothingExternal() {
    assertThat(ChartStyle.css())
        .contains("prefers-color-scheme:dark")
        .contains("@media print")
        .doesNotContain("url(")
        .doesNotContain("http");
  }
}
