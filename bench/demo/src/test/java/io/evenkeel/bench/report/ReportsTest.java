package io.evenkeel.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.evenkeel.common.json.Json;
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
  private static final List<String> WITHOUT_FIXED_MEMBERS = List.of("settings");
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
  private static List<Map<String, Object>> objects(Map<String, Object> of, String list) {
    return (List<Map<String, Object>>) of.get(list);
  }

  private static Map<String, Object> section(Map<String, Object> report, String id) {
    return objects(report, "sections").stream()
        .filter(section -> section.get("id").equals(id))
        .findFirst()
        .orElseThrow();
  }

  private static Part part(Map<String, Object> report, String id) {
    return Report.of(report).parts().stream()
        .filter(part -> part.id().equals(id))
        .findFirst()
        .orElseThrow();
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
  void bothReports_everyFindingAndRow_isShown() {
    String html = words(HtmlReport.render(sample()));
    String text = TextReport.render(sample());
    Report report = Report.of(sample());
    assertThat(report.parts()).hasSize(6);
    for (Finding finding : report.findings()) {
      assertThat(html).contains(finding.headline());
      assertThat(text.replaceAll("\\s+", " ")).contains(finding.headline());
    }
    for (Part part : report.parts()) {
      for (Row row : part.rows()) {
        assertThat(html).contains(row.name());
        for (int arm = 0; arm < part.arms().size(); arm++) {
          assertThat(html).contains(row.text(arm));
        }
        assertThat(text).contains(row.name(), row.text(0), row.text(row.best()));
      }
    }
  }

  @Test
  void html_sample_everySettingOfAnArmIsShown() {
    String html = words(HtmlReport.render(sample()));
    for (Map<String, Object> section : objects(sample(), "sections")) {
      for (Map<String, Object> arm : objects(section, "arms")) {
        for (Map.Entry<?, ?> setting : ((Map<?, ?>) arm.get("settings")).entrySet()) {
          assertThat(html).contains((String) setting.getKey(), (String) setting.getValue());
        }
      }
    }
  }

  @Test
  void bothReports_everyNumber_hasItsCommand() {
    String html = words(HtmlReport.render(sample()));
    for (Part part : Report.of(sample()).parts()) {
      assertThat(part.commands()).isNotEmpty();
      assertThat(html).contains(part.commands());
    }
  }

  /** Beside the number, not only in its section. */
  @Test
  void html_everyRowAtAGlanceAndEveryCard_hasItsCommand() {
    Document page = parse(HtmlReport.render(sample()));
    List<Part> parts = Report.of(sample()).parts();
    for (Part part : parts) {
      String code = "./evenkeel demo --only " + part.id();
      assertThat(part.commands().get(0)).isEqualTo(code);
      String link = "#part-" + part.id();
      assertThat(beside(page, "article", link))
          .as("card")
          .hasSize(1)
          .allMatch(t -> t.contains(code));
      assertThat(beside(page, "tr", link)).as("rows").isNotEmpty().allMatch(t -> t.contains(code));
    }
  }

  /** Texts of the elements of a name that hold a link. */
  private static List<String> beside(Document page, String element, String link) {
    List<String> texts = new ArrayList<>();
    NodeList all = page.getElementsByTagName(element);
    for (int i = 0; i < all.getLength(); i++) {
      org.w3c.dom.Element one = (org.w3c.dom.Element) all.item(i);
      NodeList links = one.getElementsByTagName("a");
      for (int k = 0; k < links.getLength(); k++) {
        if (((org.w3c.dom.Element) links.item(k)).getAttribute("href").equals(link)) {
          texts.add(one.getTextContent());
        }
      }
    }
    return texts;
  }

  @Test
  void findings_moduleNotActive_creditsNothingToIt() {
    Map<String, Object> report = sample();
    assertThat(part(report, "locking").finding().kind()).isEqualTo(Finding.Kind.BETTER);
    objects(report, "modules").stream()
        .filter(module -> module.get("module").equals("locking"))
        .forEach(module -> module.put("state", "fallback"));
    Part locking = part(report, "locking");
    assertThat(locking.finding().kind()).isEqualTo(Finding.Kind.NOTE);
    assertThat(locking.finding().detail()).contains("was fallback in this run");
    assertThat(locking.rows())
        .extracting(Row::verdict)
        .containsOnly(Row.Verdict.NONE, Row.Verdict.NOT_COMPARED);
  }

  @Test
  void bothReports_failedSection_saysWhyAndJudgesNothing() {
    Map<String, Object> report = sample();
    section(report, "terasort").put("status", "failed");
    section(report, "terasort").put("reason", "TeraSort: cut at the time limit");
    section(report, "mover").put("status", "failed");
    section(report, "mover").put("reason", "port taken");
    section(report, "mover").remove("rows");
    for (String shown : List.of(words(HtmlReport.render(report)), TextReport.render(report))) {
      assertThat(shown.replaceAll("\\s+", " "))
          .contains("It failed: TeraSort: cut at the time limit.")
          .contains("HBase: a region server's life failed.", "port taken");
    }
  }

  @Test
  void bothReports_anyPartMissing_stillRender() {
    removeEach(sample(), new ArrayList<>());
  }

  /** Takes out every member of every object in turn, and puts a wrong type in its place. */
  private static void removeEach(Object at, List<Object> path) {
    if (at instanceof List<?> list) {
      for (int i = 0; i < Math.min(list.size(), 2); i++) {
        removeEach(list.get(i), joined(path, i));
      }
    } else if (at instanceof Map<?, ?> map && !WITHOUT_FIXED_MEMBERS.contains(last(path))) {
      map.forEach(
          (key, value) -> {
            for (Object wrong : new Object[] {null, "text", Map.of("y", 1L), List.of(1L, "z")}) {
              assertRenders(replaced(path, (String) key, wrong), path + "/" + key + ": " + wrong);
            }
            removeEach(value, joined(path, key));
          });
    }
  }

  private static Object last(List<Object> path) {
    return path.isEmpty() ? "" : path.get(path.size() - 1);
  }

  private static List<Object> joined(List<Object> path, Object next) {
    List<Object> deeper = new ArrayList<>(path);
    deeper.add(next);
    return deeper;
  }

  @SuppressWarnings("unchecked") // as parsed from JSON
  private static Map<String, Object> replaced(List<Object> path, String key, Object wrong) {
    Map<String, Object> report = sample();
    Object parent = report;
    for (Object step : path) {
      parent =
          step instanceof Integer index
              ? ((List<Object>) parent).get(index)
              : ((Map<String, Object>) parent).get(step);
    }
    if (wrong == null) {
      ((Map<String, Object>) parent).remove(key);
    } else {
      ((Map<String, Object>) parent).put(key, wrong);
    }
    return report;
  }

  private static void assertRenders(Map<String, Object> report, String what) {
    assertThatCode(
            () -> {
              parse(HtmlReport.render(report));
              assertThat(TextReport.render(report)).contains("FOUND");
            })
        .as(what)
        .doesNotThrowAnyException();
  }

  @Test
  void bothReports_emptyMap_sayThatNothingWasMeasured() {
    assertThat(words(HtmlReport.render(new LinkedHashMap<>())))
        .contains("Nothing was measured in this run.")
        .contains("No number was measured in this run.")
        .contains("not recorded");
    assertThat(TextReport.render(Map.of())).contains("Nothing was measured in this run.");
  }

  @Test
  void bothReports_hostileTextEverywhere_isHarmless() {
    @SuppressWarnings("unchecked")
    Map<String, Object> report = (Map<String, Object>) poison(sample());
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
  void html_plots_haveALineForEachArmAndTheShadedTime() {
    String html = HtmlReport.render(sample());
    assertThat(html).contains("ek-line ek-c0", "ek-line ek-c1", "the disk stalls");
  }

  @Test
  void bothReports_sameInput_giveTheSameText() {
    assertThat(HtmlReport.render(sample())).isEqualTo(HtmlReport.render(sample()));
    assertThat(TextReport.render(sample())).isEqualTo(TextReport.render(sample()));
  }
}
