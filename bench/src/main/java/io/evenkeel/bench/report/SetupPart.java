package io.evenkeel.bench.report;

import io.evenkeel.common.svg.Xml;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The last part of the page: what ran, with which settings and versions, what did not. */
final class SetupPart {
  private SetupPart() {}

  /** Why a section has no numbers, from its own status; the fallback where it says nothing. */
  static String whyMissing(Doc doc, String sectionId, String fallback) {
    for (Doc section : doc.at("sections").items()) {
      if (section.at("id").text("").equals(sectionId)) {
        String reason = section.at("reason").text("");
        String status = section.at("status").text("unknown");
        return (fallback + " Section status: ").stripLeading()
            + status
            + (reason.isEmpty() ? "." : ", " + reason + ".");
      }
    }
    return fallback;
  }

  static String sections(Doc doc) {
    StringBuilder out = new StringBuilder();
    List<Doc> sections = doc.at("sections").items();
    if (!sections.isEmpty()) {
      out.append("<table class=\"plain\"><caption>Sections of the demo</caption>\n<tbody>\n");
      for (Doc section : sections) {
        String seconds = Wording.duration(section.at("seconds").number());
        String reason = section.at("reason").text(section.at("summary").text(""));
        String title = section.at("title").text(section.at("id").text("?"));
        out.append(stateRow(title, section.at("status").text("unknown"), join(seconds, reason)));
      }
      out.append("</tbody></table>\n");
    }
    List<Doc> modules = doc.at("modules").items();
    if (!modules.isEmpty()) {
      out.append("<table class=\"plain\"><caption>Evenkeel modules</caption>\n<tbody>\n");
      for (Doc module : modules) {
        String plugin = module.at("plugin").text("");
        String shown = plugin.isEmpty() ? "" : "<code>" + breakable(plugin) + "</code>";
        String detail = Xml.escape(module.at("detail").text(""));
        String state = module.at("state").text("unknown");
        out.append(row(module.at("module").text("?"), state, join(shown, detail)));
      }
      out.append("</tbody></table>\n");
    }
    String content =
        out.length() == 0 ? HtmlReport.missing("Nothing was recorded.") : out.toString();
    return HtmlReport.section("ran", "What ran and what did not", "", content);
  }

  private static String stateRow(String name, String state, String detail) {
    return row(name, state, Xml.escape(detail));
  }

  private static String row(String name, String state, String detailHtml) {
    String look = state.toLowerCase(java.util.Locale.ROOT).replaceAll("[^a-z]+", "-");
    return "<tr><th scope=\"row\">"
        + Xml.escape(name)
        + "</th><td><span class=\"state "
        + Xml.escape(look)
        + "\">"
        + Xml.escape(state)
        + "</span></td><td>"
        + detailHtml
        + "</td></tr>\n";
  }

  private static String join(String first, String second) {
    return first + (first.isEmpty() || second.isEmpty() ? "" : "; ") + second;
  }

  /** A long class or key name may break at its dots. */
  private static String breakable(String name) {
    return Xml.escape(name).replace(".", ".<wbr/>");
  }

  static String settings(Doc doc) {
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("Evenkeel", doc.at("evenkeel").text(""));
    facts.put("Hadoop", doc.at("hadoop").text(""));
    facts.put("TeraSort (hadoop-mapreduce-examples)", doc.at("examples").text(""));
    facts.put("Java", doc.at("java").text(""));
    facts.put("System", doc.at("os").text(""));
    facts.put("Cores", doc.at("cores").text(""));
    facts.put("Data", Wording.bytes(doc.at("sizeBytes")));
    Doc cluster = doc.at("cluster");
    facts.put("Block size", Wording.bytes(cluster.at("blockSizeBytes")));
    facts.put("Replication", cluster.at("replication").text(""));
    facts.put("Storages of each DataNode", storages(cluster));
    StringBuilder out =
        new StringBuilder(
            "<table class=\"plain\"><caption>Versions and cluster</caption>\n<tbody>\n");
    facts.forEach(
        (name, value) ->
            out.append("<tr><th scope=\"row\">")
                .append(Xml.escape(name))
                .append("</th><td>")
                .append(value.isEmpty() ? "not recorded" : Xml.escape(value))
                .append("</td></tr>\n"));
    out.append("</tbody></table>\n").append(keys(doc));
    return HtmlReport.section("settings", "Settings and versions", "", out.toString());
  }

  private static String storages(Doc cluster) {
    StringBuilder out = new StringBuilder();
    for (Doc storage : cluster.at("storagesPerDataNode").items()) {
      out.append(out.length() == 0 ? "" : ", ").append(storage.text("?"));
    }
    return out.toString();
  }

  private static String keys(Doc doc) {
    Map<String, Doc> stock = HalfReport.stock(doc).doc().at("settings").fields();
    Map<String, Doc> evenkeel = HalfReport.evenkeel(doc).doc().at("settings").fields();
    Set<String> names = new LinkedHashSet<>(stock.keySet());
    names.addAll(evenkeel.keySet());
    if (names.isEmpty()) {
      return HtmlReport.missing("The settings of the two halves were not recorded.");
    }
    StringBuilder out = new StringBuilder("<dl class=\"keys\">\n");
    for (String name : names) {
      String a = stock.containsKey(name) ? stock.get(name).text("(empty)") : "(Hadoop's default)";
      String b =
          evenkeel.containsKey(name) ? evenkeel.get(name).text("(empty)") : "(Hadoop's default)";
      out.append("<dt><code>").append(breakable(name)).append("</code></dt>\n");
      if (a.equals(b)) {
        out.append("<dd><b>both</b> <code>").append(breakable(a)).append("</code></dd>\n");
      } else {
        out.append("<dd><b>stock</b> <code>").append(breakable(a)).append("</code></dd>\n");
        out.append("<dd><b>Evenkeel</b> <code>").append(breakable(b)).append("</code></dd>\n");
      }
    }
    return "<h3>Settings that matter here</h3>\n" + out.append("</dl>\n");
  }

  static String notMeasured(Doc doc) {
    StringBuilder out = new StringBuilder("<ul>\n");
    for (Doc item : doc.at("notMeasured").items()) {
      out.append("<li>").append(Xml.escape(item.text("?"))).append("</li>\n");
    }
    String content =
        doc.at("notMeasured").items().isEmpty()
            ? HtmlReport.missing("The run did not say what it left out.")
            : out.append("</ul>\n").toString();
    return HtmlReport.section("not-measured", "What was not measured", "", content);
  }
}
