package io.evenkeel.bench.report;

import io.evenkeel.common.svg.ValueFormat;
import java.util.ArrayList;
import java.util.List;

/** What a run found, in sentences computed from its numbers. Stateless. */
final class Findings {
  private Findings() {}

  /** How a finding is marked, in a word and a colour. */
  enum Kind {
    PROBLEM("Problem"),
    BETTER("Better"),
    WORSE("Worse"),
    SAME("No change"),
    NOTE("Note");

    final String word;

    Kind(String word) {
      this.word = word;
    }
  }

  /**
   * One finding.
   *
   * @param headline one sentence with the numbers
   * @param detail what it means to an operator, may be empty
   */
  record Finding(Kind kind, String headline, String detail) {}

  /** All findings, the most important first; never empty. */
  static List<Finding> of(Doc report) {
    Half stock = Half.stock(report);
    Half evenkeel = Half.evenkeel(report);
    List<Finding> all = new ArrayList<>();
    unfinished(all, report, stock, evenkeel);
    doubled(all, report, stock, evenkeel);
    racks(all, report, stock, evenkeel);
    spread(all, report, stock, evenkeel);
    inFlight(all, report, stock, evenkeel);
    volumes(all, report, stock, evenkeel);
    remote(all, report, stock, evenkeel);
    time(all, stock, evenkeel);
    if (all.isEmpty()) {
      all.add(new Finding(Kind.NOTE, "Nothing was measured in this run.", ""));
    }
    return all;
  }

  private static void unfinished(List<Finding> all, Doc report, Half stock, Half evenkeel) {
    for (Half half : List.of(stock, evenkeel)) {
      if (half.doc().present() && half.doc().at("complete").no()) {
        String reason = half.doc().at("reason").text("");
        all.add(
            new Finding(
                Kind.NOTE,
                "The " + half.label() + " half was cut short: its numbers cover only a part.",
                reason));
      }
    }
    for (Doc section : report.at("sections").items()) {
      if (section.at("status").text("").equals("failed")) {
        String title = section.at("title").text(section.at("id").text("A section"));
        all.add(
            new Finding(
                Kind.NOTE, title + " failed.", section.at("reason").text("No reason was given.")));
      }
    }
  }

  private static void doubled(List<Finding> all, Doc report, Half stock, Half evenkeel) {
    String field = "blocksWithTwoReplicasOnOneHost";
    double a = stock.placement(field);
    double b = evenkeel.placement(field);
    if (Double.isFinite(a)) {
      all.add(doubledInStock(report, stock, a));
    }
    if (Double.isFinite(b) && !(Double.isFinite(a) && a == 0 && b == 0)) {
      String headline = "Evenkeel put two replicas on one host for " + of(b, evenkeel) + " blocks.";
      all.add(judged(headline, new double[] {a, b}, Modules.excuse(report, "placement")));
    }
  }

  private static Finding doubledInStock(Doc report, Half stock, double count) {
    String fsck = stock.doc().at("placement", "fsckStatus").text("");
    if (count == 0) {
      return new Finding(
          Kind.NOTE, "Stock put no two replicas of a block on one physical host.", "");
    }
    String said = fsck.isEmpty() ? "" : " while fsck said " + fsck;
    double replication = report.at("cluster", "replication").number();
    String copies =
        replication >= 3
            ? " takes two of their " + count(replication) + " replicas at once."
            : " takes two replicas of each of them at once.";
    return new Finding(
        Kind.PROBLEM,
        "Stock put two replicas of "
            + of(count, stock)
            + " blocks on one physical host"
            + said
            + ".",
        "Losing one host" + copies + " HDFS counts DataNodes, not the machines under them.");
  }

  private static void racks(List<Finding> all, Doc report, Half stock, Half evenkeel) {
    double a = stock.placement("blocksOnOneRack");
    double b = evenkeel.placement("blocksOnOneRack");
    if (!(a > 0) && !(b > 0)) {
      return;
    }
    String headline =
        "All replicas on one rack: "
            + (Double.isFinite(a) ? of(a, stock) : "not measured")
            + " blocks with stock, "
            + (Double.isFinite(b) ? of(b, evenkeel) : "not measured")
            + " with Evenkeel.";
    Finding finding = judged(headline, new double[] {a, b}, Modules.excuse(report, "placement"));
    all.add(finding);
  }

  private static void spread(List<Finding> all, Doc report, Half stock, Half evenkeel) {
    double a = stock.placement("dataNodeMaxOverMean");
    double b = evenkeel.placement("dataNodeMaxOverMean");
    if (Double.isFinite(a) && Double.isFinite(b)) {
      String headline =
          "The fullest DataNode got "
              + over(a)
              + " the mean number of replicas with stock, "
              + over(b)
              + " with Evenkeel.";
      all.add(judged(headline, new double[] {a, b}, Modules.excuse(report, "placement")));
    }
  }

  private static void inFlight(List<Finding> all, Doc report, Half stock, Half evenkeel) {
    double a = stock.doc().at("inFlight", "averageMaxOverMean").number();
    double b = evenkeel.doc().at("inFlight", "averageMaxOverMean").number();
    if (Double.isFinite(a) && Double.isFinite(b)) {
      String headline =
          "While data was written, the busiest DataNode had "
              + over(a)
              + " the mean number of blocks in flight with stock, "
              + over(b)
              + " with Evenkeel.";
      all.add(judged(headline, new double[] {a, b}, Modules.excuse(report, "placement")));
    }
  }

  private static void volumes(List<Finding> all, Doc report, Half stock, Half evenkeel) {
    for (String type : Half.types(stock, evenkeel)) {
      double a = stock.worstVolumeRatio(type);
      double b = evenkeel.worstVolumeRatio(type);
      if (Double.isFinite(a) && Double.isFinite(b)) {
        String headline =
            "On the least even DataNode, one "
                + type
                + " volume got "
                + over(a)
                + " its fair share of blocks with stock, "
                + over(b)
                + " with Evenkeel.";
        all.add(judged(headline, new double[] {a, b}, Modules.excuse(report, "volume")));
      }
    }
  }

  private static void remote(List<Finding> all, Doc report, Half stock, Half evenkeel) {
    if (!stock.localityMeasured() || !evenkeel.localityMeasured()) {
      return;
    }
    double a = stock.doc().at("locality", "remoteFraction").number();
    double b = evenkeel.doc().at("locality", "remoteFraction").number();
    if (Double.isFinite(a) && Double.isFinite(b)) {
      String headline =
          "Validation read "
              + ValueFormat.PERCENT.format(a)
              + " of its bytes from another host with stock, "
              + ValueFormat.PERCENT.format(b)
              + " with Evenkeel.";
      all.add(judged(headline, new double[] {a, b}, Modules.excuse(report, "terasort")));
    }
  }

  private static void time(List<Finding> all, Half stock, Half evenkeel) {
    Spread a = null;
    Spread b = null;
    for (String phase : Half.phases(stock, evenkeel)) {
      a = a == null ? stock.seconds(phase) : a.plus(stock.seconds(phase));
      b = b == null ? evenkeel.seconds(phase) : b.plus(evenkeel.seconds(phase));
    }
    if (a == null || !a.known() || !b.known()) {
      return;
    }
    Row row = Row.times("", a, b);
    Kind kind =
        switch (row.verdict()) {
          case BETTER -> Kind.BETTER;
          case WORSE -> Kind.WORSE;
          case WITHIN_SPREAD -> Kind.SAME;
          default -> Kind.NOTE;
        };
    String headline =
        "The suite took "
            + ValueFormat.SECONDS.format(a.mean())
            + " with stock and "
            + ValueFormat.SECONDS.format(b.mean())
            + " with Evenkeel ("
            + row.verdict().words
            + ").";
    all.add(
        new Finding(
            kind,
            headline,
            "Sum of the phases. All daemons shared one machine, so this is no benchmark."));
  }

  /** Better, worse or the same; a note where the module took no part or a number is missing. */
  private static Finding judged(String headline, double[] values, String excuse) {
    if (!excuse.isEmpty()) {
      return new Finding(Kind.NOTE, headline, excuse);
    }
    return switch (Row.less("", ValueFormat.RATIO, values[0], values[1]).verdict()) {
      case BETTER -> new Finding(Kind.BETTER, headline, "");
      case WORSE -> new Finding(Kind.WORSE, headline, "");
      case SAME -> new Finding(Kind.SAME, headline, "");
      default -> new Finding(Kind.NOTE, headline, "");
    };
  }

  private static String of(double number, Half half) {
    double blocks = half.placement("blocks");
    return count(number) + (Double.isFinite(blocks) ? " of " + count(blocks) : "");
  }

  private static String over(double ratio) {
    return ValueFormat.RATIO.format(ratio) + " times";
  }

  private static String count(double number) {
    return ValueFormat.COUNT.format(number);
  }
}
