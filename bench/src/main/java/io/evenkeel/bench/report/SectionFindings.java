package io.evenkeel.bench.report;

import io.evenkeel.bench.report.Findings.Finding;
import io.evenkeel.bench.report.Findings.Kind;
import java.util.ArrayList;
import java.util.List;

/** What the sections besides the TeraSort suite found, and which of them failed. Stateless. */
final class SectionFindings {
  private SectionFindings() {}

  /** In the order of the sections; a section without a sentence of its own has none. */
  static List<Finding> of(Doc report) {
    List<Finding> all = new ArrayList<>();
    for (Doc section : report.at("sections").items()) {
      String title = section.at("title").text(section.at("id").text("A section"));
      if (section.at("status").text("").equals("failed")) {
        String why = section.at("reason").text("No reason was given.");
        all.add(new Finding(Kind.NOTE, title + " failed.", why));
      } else if (section.at("finding").present()) {
        all.add(found(report, section));
      }
    }
    return all;
  }

  /** Whether a section was left out because another one was asked for. */
  static boolean notSelected(Doc report, String id) {
    return report.at("sections").items().stream()
        .anyMatch(
            s -> s.at("id").text("").equals(id) && s.at("status").text("").equals("not selected"));
  }

  /** Its first row says whether that is better or worse, if its module decided. */
  private static Finding found(Doc report, Doc section) {
    String headline = section.at("finding").text("");
    String summary = section.at("summary").text("");
    String module = section.at("id").text("");
    List<Doc> rows = section.at("rows").items();
    if (rows.isEmpty()) {
      return new Finding(Kind.NOTE, headline, summary);
    }
    if (!Modules.active(report, module)) {
      String why =
          "Evenkeel's "
              + Modules.title(module)
              + " module did not say that it was active, so this is not credited to it.";
      return new Finding(Kind.NOTE, headline, why);
    }
    Kind kind =
        switch (ComparisonTable.row(rows.get(0)).verdict()) {
          case BETTER -> Kind.BETTER;
          case WORSE -> Kind.WORSE;
          case SAME -> Kind.SAME;
          default -> Kind.NOTE;
        };
    return new Finding(kind, headline, summary);
  }
}
