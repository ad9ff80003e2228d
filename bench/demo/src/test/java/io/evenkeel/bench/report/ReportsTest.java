package io.evenkeel.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.evenkeel.common.json.Json;
import io.evenkeel.common.svg.ValueFormat;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

class ReportsTest {
  private static final List<String> WITHOUT_FIXED_MEMBERS =
      List.of("settings", "volumeQueue", "replicasPerDataNode", "replicasPerHost");
  private static final String HOSTILE = "<script>alert('x')</script>&\"\u001b[31m";

  @SuppressWarnings("unchecked")
  private static Map<String, Object> sample() {
    try (InputStream in = ReportsTest.class.getResourceAsStream("/sample-report.json")) {
      String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      return (Map<String, Object>) Json.parse(text);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> map(Map<String, Object> from, String... path) {
    Map<String, Object> current = from;
    for (String key : path) {
      current = (Map<String, Object>) current.get(key);
    }
    return current;
  }

  @SuppressWarnings("unchecked")
  private static void activate(Map<String, Object> report, String module) {
    for (Object entry : (List<Object>) report.get("modules")) {
      Map<String, Object> fields = (Map<String, Object>) entry;
      if (module.equals(fields.get("module"))) {
        fields.put("state", "active");
      }
    }
  }

  /** The page is HTML that is also well-formed XML once its document type is dropped. */
  private static Document parse(String html) {
    try {
      String xml = html.substring("<!DOCTYPE html>\n".length());
      return DocumentBuilderFactory.newDefaultInstance()
          .newDocumentBuilder()
          .parse(new InputSource(new StringReader(xml)));
    } catch (Exception e) {
      throw new AssertionError("not well-formed", e);
    }
  }

  private static String words(String html) {
    return parse(html).getDocumentElement().getTextContent().replace('\u00a0', ' ');
  }

  @Test
  void html_sample_isWellFormedAndSelfContained() {
    String html = HtmlReport.render(sample());
    parse(html);
    assertThat(html.toLowerCase(java.util.Locale.ROOT))
        .doesNotContain("http:", "https:", "url(", "<script", "<link", "@import", "src=");
  }

  @Test
  void html_sample_idsAreUnique() {
    NodeList all = parse(HtmlReport.render(sample())).getElementsByTagName("*");
    List<String> ids = new ArrayList<>();
    for (int i = 0; i < all.getLength(); i++) {
      String id = ((org.w3c.dom.Element) all.item(i)).getAttribute("id");
      if (!id.isEmpty()) {
        ids.add(id);
      }
    }
    assertThat(ids).hasSizeGreaterThan(15).doesNotHaveDuplicates();
  }

  @Test
  void bothReports_sample_containEveryHeadlineNumber() {
    String html = words(HtmlReport.render(sample()));
    String text = TextReport.render(sample()).replaceAll("\\s+", " ");
    for (String shown : List.of(html.replaceAll("\\s+", " "), text)) {
      assertThat(shown)
          .contains("Stock put two replicas of 256 of 256 blocks on one physical host")
          .contains("while fsck said HEALTHY")
          .contains("128 MiB")
          .contains("12 DataNodes on 6 physical hosts in 2 racks, replication 3")
          .contains("91 of 256")
          .contains("41 %")
          .contains("4 min 10 s")
          .contains("valid, checksum 9f3a1c04b6");
    }
  }

  @Test
  void bothReports_everyRowOfTheComparison_isShown() {
    String html = words(HtmlReport.render(sample()));
    String text = TextReport.render(sample());
    List<Part> parts = Report.of(sample()).parts();
    assertThat(parts).hasSize(5);
    for (Part part : parts) {
      for (Row row : part.rows()) {
        assertThat(html).contains(row.name(), row.stockText(), row.evenkeelText());
        assertThat(text).contains(row.name(), row.stockText().replace('\u2013', '-'));
      }
    }
  }

  @Test
  void findings_moduleNotBuilt_creditsNothingToIt() {
    List<Finding> all = Report.of(sample()).findings();
    assertThat(all)
        .filteredOn(f -> f.kind() == Finding.Kind.BETTER || f.kind() == Finding.Kind.WORSE)
        .allSatisfy(f -> assertThat(f.headline()).contains("DISK volume"));
    assertThat(all)
        .anySatisfy(f -> assertThat(f.headline()).contains("placement module was not built"));
  }

  @Test
  void findings_moduleActiveAndBetter_saysSo() {
    Map<String, Object> report = sample();
    activate(report, "placement");
    map(report, "terasort", "evenkeel", "placement").put("blocksWithTwoReplicasOnOneHost", 0L);
    assertThat(Report.of(report).findings())
        .contains(
            new Finding(
                Finding.Kind.BETTER,
                "Evenkeel put two replicas on one host for 0 of 256 blocks.",
                ""));
  }

  private static void writtenBy(Map<String, Object> report, Integer tasks) {
    for (String half : List.of("stock", "evenkeel")) {
      for (Object phase : (List<?>) map(report, "terasort", half).get("phases")) {
        @SuppressWarnings("unchecked") // as parsed from JSON
        Map<String, Object> fields = (Map<String, Object>) phase;
        fields.put("tasks", tasks);
      }
    }
  }

  private static Map<String, Object> uneven(Integer tasks) {
    Map<String, Object> report = sample();
    activate(report, "placement");
    map(report, "terasort", "evenkeel", "placement").put("dataNodeMaxOverMean", 2.5);
    map(report, "terasort", "evenkeel", "inFlight").put("averageMaxOverMean", 4.5);
    writtenBy(report, tasks);
    return report;
  }

  @Test
  void findings_fewerTasksThanDataNodesWrote_sharesAreNotJudged() {
    Map<String, Object> report = uneven(11);
    assertThat(Report.of(report).findings())
        .filteredOn(f -> f.headline().matches(".*(2\\.50|4\\.50) times.*with Evenkeel.*"))
        .hasSize(2)
        .allMatch(f -> f.kind() == Finding.Kind.NOTE && f.detail().contains("writer"));
    Part balance = part(report, "Balance");
    assertThat(balance.note()).startsWith("At most 11 tasks").contains("on 12 DataNodes");
    assertThat(balance.rows())
        .hasSize(5)
        .allMatch(row -> row.verdict() == Row.Verdict.NOT_COMPARED);
    assertThat(part(report, "Block placement").note()).isEmpty();
  }

  @Test
  void findings_unknownNumberOfTasksWrote_sharesAreNotJudged() {
    assertThat(part(uneven(null), "Balance").note()).startsWith("An unknown number");
  }

  @Test
  void findings_halfWasNotRun_noNoteAboutWriters() {
    Map<String, Object> report = uneven(11);
    map(report, "terasort").remove("stock");
    assertThat(part(report, "Balance").note()).isEmpty();
  }

  private static Part part(Map<String, Object> report, String title) {
    return Report.of(report).parts().stream()
        .filter(p -> p.title().equals(title))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void findings_moduleActiveAndWorse_saysSo() {
    Map<String, Object> report = uneven(12);
    assertThat(Report.of(report).findings())
        .filteredOn(f -> f.headline().matches(".*(2\\.50|4\\.50) times.*with Evenkeel.*"))
        .hasSize(2)
        .allMatch(f -> f.kind() == Finding.Kind.WORSE);
    assertThat(part(report, "Balance").note()).isEmpty();
  }

  @Test
  void smallDifference_tableAndFindings_agree() {
    Map<String, Object> report = sample();
    activate(report, "terasort");
    map(report, "terasort", "stock", "locality").put("remoteFraction", 0.50);
    map(report, "terasort", "evenkeel", "locality").put("remoteFraction", 0.51);
    assertThat(Report.of(report).findings())
        .filteredOn(f -> f.headline().startsWith("Validation read 50 %"))
        .hasSize(1)
        .allMatch(f -> f.kind() == Finding.Kind.SAME);
    assertThat(part(report, "Where reads came from").rows())
        .filteredOn(row -> row.name().contains("another host"))
        .hasSize(1)
        .allMatch(row -> row.verdict() == Row.Verdict.SAME);
  }

  @Test
  void times_fewOrOverlappingRuns_areNotJudged() {
    Spread two = new Spread(10, 9, 11, 2);
    assertThat(Row.times("t", two, new Spread(5, 4, 6, 2)).verdict())
        .isEqualTo(Row.Verdict.FEW_RUNS);
    assertThat(Row.times("t", two, new Spread(10, 10, 10, 1)).verdict())
        .isEqualTo(Row.Verdict.FEW_RUNS);
    assertThat(Row.times("t", two, new Spread(8, 7, 10, 2)).verdict())
        .isEqualTo(Row.Verdict.WITHIN_SPREAD);
    Spread three = new Spread(10, 9, 11, 3);
    assertThat(Row.times("t", three, new Spread(5, 4, 6, 3)).verdict())
        .isEqualTo(Row.Verdict.BETTER);
    assertThat(Row.times("t", three, new Spread(15, 14, 16, 3)).verdict())
        .isEqualTo(Row.Verdict.WORSE);
  }

  @Test
  void change_wasZero_isNoPercentage() {
    Row row = Row.of("n", ValueFormat.COUNT, Row.Better.LESS, 0, 3);
    assertThat(row.change()).isEqualTo("from 0");
    assertThat(row.verdict()).isEqualTo(Row.Verdict.WORSE);
  }

  @Test
  void bothReports_anyPartMissing_stillRender() {
    removeEach(sample(), new ArrayList<>());
  }

  /** Takes out every member of every object in turn, and puts a wrong type in its place. */
  private static void removeEach(Map<String, Object> at, List<String> path) {
    for (String key : List.copyOf(at.keySet())) {
      for (Object wrong : new Object[] {null, "text", Map.of("y", 1L)}) {
        Map<String, Object> report = sample();
        Map<String, Object> parent = map(report, path.toArray(new String[0]));
        if (wrong == null) {
          parent.remove(key);
        } else {
          parent.put(key, wrong);
        }
        assertThatCode(
                () -> {
                  parse(HtmlReport.render(report));
                  assertThat(TextReport.render(report)).contains("FOUND");
                })
            .as("%s/%s replaced by %s", path, key, wrong)
            .doesNotThrowAnyException();
      }
      boolean nested = at.get(key) instanceof Map && path.size() < 3;
      if (nested && !WITHOUT_FIXED_MEMBERS.contains(key)) {
        List<String> deeper = new ArrayList<>(path);
        deeper.add(key);
        removeEach(map(at, key), deeper);
      }
    }
  }

  @Test
  void bothReports_emptyMap_sayThatNothingWasMeasured() {
    String html = words(HtmlReport.render(new LinkedHashMap<>()));
    assertThat(html)
        .contains("The TeraSort suite was not run.")
        .contains("The Stock half was not run.")
        .contains("No number was measured in this run.")
        .contains("not recorded");
    assertThat(TextReport.render(Map.of())).contains("The Evenkeel half was not run.");
  }

  @Test
  void bothReports_cutHalfAndFailedSection_areShownWithReason() {
    Map<String, Object> report = sample();
    map(report, "terasort", "stock").put("complete", false);
    map(report, "terasort", "stock").put("reason", "longer than 85 s");
    report.put(
        "sections",
        List.of(
            Map.of("id", "mover", "title", "Moves", "status", "failed", "reason", "port taken")));
    for (String shown : List.of(words(HtmlReport.render(report)), TextReport.render(report))) {
      assertThat(shown)
          .contains("The Stock half was cut short", "longer than 85 s")
          .doesNotContain("(better)")
          .contains("Moves failed.", "port taken");
    }
  }

  @Test
  void bothReports_oneHalfMissing_nameIt() {
    Map<String, Object> report = sample();
    map(report, "terasort").remove("evenkeel");
    for (String shown : List.of(words(HtmlReport.render(report)), TextReport.render(report))) {
      assertThat(shown.replaceAll("\\s+", " "))
          .contains(", with stock settings of Hadoop 3.4.3; the Evenkeel half was not run.")
          .doesNotContain("both halves used stock's code");
    }
  }

  @Test
  void bothReports_localityNotMeasured_giveTheReason() {
    Map<String, Object> report = sample();
    for (String half : List.of("stock", "evenkeel")) {
      map(report, "terasort", half)
          .put("locality", Map.of("measured", false, "reason", "no loopback addresses"));
    }
    assertThat(words(HtmlReport.render(report)))
        .contains("Stock: locality was not measured (no loopback addresses).");
    assertThat(TextReport.render(report)).doesNotContain("41 %");
  }

  @Test
  void bothReports_volumesNotMeasured_sayThatNothingWas() {
    Map<String, Object> report = sample();
    activate(report, "volume");
    for (String half : List.of("stock", "evenkeel")) {
      map(report, "terasort", half).remove("volumes");
    }
    for (String shown : List.of(words(HtmlReport.render(report)), TextReport.render(report))) {
      assertThat(shown).contains("Nothing was measured.");
    }
  }

  @Test
  void html_sample_hasABarForEachDataNodeAndArmAndALineForEachArm() {
    String html = HtmlReport.render(sample());
    for (String dataNode : List.of("dn01, rack1/host1", "dn12, rack2/host6")) {
      assertThat(html).contains(dataNode + ", Stock: ").contains(dataNode + ", Evenkeel: ");
    }
    assertThat(html).contains("ek-line ek-c0", "ek-line ek-c1", "Blocks on the fullest DISK");
  }

  @Test
  void bothReports_hostileTextEverywhere_isHarmless() {
    Map<String, Object> report = map(Map.of("r", poison(sample())), "r");
    String html = HtmlReport.render(report);
    parse(html);
    assertThat(html).doesNotContain("<script").doesNotContain("\u001b");
    assertThat(TextReport.render(report)).doesNotContain("\u001b").doesNotContain("\u0007");
  }

  private static Object poison(Object value) {
    if (value instanceof Map<?, ?> map) {
      Map<String, Object> out = new LinkedHashMap<>();
      map.forEach((k, v) -> out.put(String.valueOf(k), poison(v)));
      out.put(HOSTILE, HOSTILE);
      return out;
    }
    if (value instanceof List<?> list) {
      List<Object> out = new ArrayList<>();
      list.forEach(v -> out.add(poison(v)));
      return out;
    }
    return value instanceof String ? HOSTILE : value;
  }

  @Test
  void row_moreIsBetter_turnsTheVerdict() {
    Row less = Row.of("n", ValueFormat.COUNT, Row.Better.LESS, 10, 5);
    assertThat(less.verdict()).isEqualTo(Row.Verdict.BETTER);
    Row more = Row.of("n", ValueFormat.COUNT, Row.Better.MORE, 10, 5);
    assertThat(more.verdict()).isEqualTo(Row.Verdict.WORSE);
  }

  @Test
  void bothReports_sectionWithRows_showThem() {
    Map<String, Object> report = sample();
    Map<String, Object> row =
        Map.of("name", "Rename to moved", "unit", "s", "stock", 59.0, "evenkeel", 1.5);
    report.put(
        "sections",
        List.of(Map.of("id", "mover", "title", "Moves", "status", "done", "rows", List.of(row))));
    for (String shown : List.of(words(HtmlReport.render(report)), TextReport.render(report))) {
      assertThat(shown).contains("Rename to moved", "59.0 s", "1.5 s");
    }
  }

  @Test
  void html_sectionWithPlots_drawsThem() {
    Map<String, Object> report = sample();
    Map<String, Object> plot =
        Map.of(
            "title",
            "Share of the slow disk",
            "explain",
            "Falls when writes avoid it.",
            "unit",
            "fraction",
            "seconds",
            List.of(0L, 1L, 2L),
            "spans",
            List.of(Map.of("from", 1L, "to", 2L, "label", "it is slow")),
            "series",
            Map.of("stock", List.of(0.5, 0.5, 0.5), "slow", List.of(0.1, 0.2, 0.3)));
    report.put(
        "sections",
        List.of(Map.of("id", "volume", "title", "<b>", "status", "done", "plots", List.of(plot))));
    String html = HtmlReport.render(report);
    assertThat(words(html))
        .contains("Share of the slow disk", "Falls when writes avoid it.", "it is slow");
    assertThat(html).contains("part-6-1-t").doesNotContain("<h2><b>");
  }

  @Test
  void bothReports_sameInput_giveTheSameText() {
    assertThat(HtmlReport.render(sample())).isEqualTo(HtmlReport.render(sample()));
    assertThat(TextReport.render(sample())).isEqualTo(TextReport.render(sample()));
  }
}
