package io.evenkeel.bench.report;

import io.evenkeel.common.svg.ValueFormat;
import java.util.ArrayList;
import java.util.List;

/** What a run found, in sentences computed from its numbers. Stateless. */
final class Findings {
  private static final String DOUBLED = "blocksWithTwoReplicasOnOneHost";
  private static final String ONE_RACK = "blocksOnOneRack";
  private static final String FULLEST = "dataNodeMaxOverMean";

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
    HalfReport stock = HalfReport.stock(report);
    HalfReport evenkeel = HalfReport.evenkeel(report);
    List<Finding> all = new ArrayList<>();
    unfinished(all, report, stock, evenkeel);
    doubledInStock(all, report, stock);
    if (Modules.excuse(report, "placement").isEmpty()) {
      doubled(all, stock, evenkeel);
      racks(all, stock, evenkeel);
      String fewWriters = HalfReport.fewWriters(report);
      spread(all, stock, evenkeel, fewWriters);
      inFlight(all, stock, evenkeel, fewWriters);
    } else {
      stockPlacementOnly(all, report, stock, evenkeel);
    }
    volumes(all, report, stock, evenkeel);
    remote(all, report, stock, evenkeel);
    all.addAll(SectionFindings.of(report));
    time(all, stock, evenkeel);
    if (all.isEmpty()) {
      all.add(new Finding(Kind.NOTE, "Nothing was measured in this run.", ""));
    }
    return all;
  }

  private static void unfinished(
      List<Finding> all, Doc report, HalfReport stock, HalfReport evenkeel) {
    boolean selected = !SectionFindings.notSelected(report, "terasort");
    for (HalfReport half : List.of(stock, evenkeel)) {
      if (!half.doc().present() && selected) {
        String why = SetupPart.whyMissing(report, "terasort", "");
        all.add(new Finding(Kind.NOTE, "The " + half.label() + " half was not run.", why));
      } else if (half.doc().at("complete").no()) {
        String reason = half.doc().at("reason").text("");
        all.add(
            new Finding(
                Kind.NOTE,
                "The " + half.label() + " half was cut short: its numbers cover only a part.",
                reason));
      }
    }
  }

  private static void doubledInStock(List<Finding> all, Doc report, HalfReport stock) {
    double doubled = stock.placement(DOUBLED);
    if (!Double.isFinite(doubled)) {
      return;
    }
    if (doubled == 0) {
      String headline = "Stock put no two replicas of a block on one physical host.";
      all.add(new Finding(Kind.NOTE, headline, ""));
      return;
    }
    String fsck = stock.doc().at("placement", "fsckStatus").text("");
    double replication = report.at("cluster", "replication").number();
    String copies = replication >= 3 ? "two of the " + count(replication) : "two";
    all.add(
        new Finding(
            Kind.PROBLEM,
            "Stock put two replicas of "
                + of(doubled, stock)
                + " blocks on one physical host"
                + (fsck.isEmpty() ? "." : " while fsck said " + fsck + "."),
            "One failing host takes "
                + copies
                + " replicas of such a block at once. The replicas are on different DataNodes, but"
                + " those share a machine, and neither this policy nor fsck looks at that."));
  }

  private static void doubled(List<Finding> all, HalfReport stock, HalfReport evenkeel) {
    double a = stock.placement(DOUBLED);
    double b = evenkeel.placement(DOUBLED);
    if (Double.isFinite(b) && !(a == 0 && b == 0)) {
      String headline = "Evenkeel put two replicas on one host for " + of(b, evenkeel) + " blocks.";
      all.add(judged(headline, a, b));
    }
  }

  private static void racks(List<Finding> all, HalfReport stock, HalfReport evenkeel) {
    double a = stock.placement(ONE_RACK);
    double b = evenkeel.placement(ONE_RACK);
    if (a > 0 || b > 0) {
      String headline =
          "All replicas on one rack: "
              + (Double.isFinite(a) ? of(a, stock) : "not measured")
              + " blocks with stock, "
              + (Double.isFinite(b) ? of(b, evenkeel) : "not measured")
              + " with Evenkeel.";
      all.add(judged(headline, a, b));
    }
  }

  /** One note instead of a list of differences that are chance. */
  private static void stockPlacementOnly(
      List<Finding> all, Doc report, HalfReport stock, HalfReport evenkeel) {
    List<String> parts = new ArrayList<>();
    for (HalfReport half : List.of(stock, evenkeel)) {
      String text = inWords(half);
      if (!text.isEmpty()) {
        parts.add(half.label() + " half: " + text + ".");
      }
    }
    if (!parts.isEmpty()) {
      String headline = Modules.excuse(report, "placement");
      all.add(new Finding(Kind.NOTE, headline, String.join(" ", parts)));
    }
  }

  private static String inWords(HalfReport half) {
    List<String> parts = new ArrayList<>();
    if (Double.isFinite(half.placement(DOUBLED))) {
      parts.add(of(half.placement(DOUBLED), half) + " blocks with two replicas on one host");
    }
    if (Double.isFinite(half.placement(ONE_RACK))) {
      parts.add(of(half.placement(ONE_RACK), half) + " on one rack");
    }
    if (Double.isFinite(half.placement(FULLEST))) {
      parts.add("fullest DataNode " + over(half.placement(FULLEST)) + " the mean");
    }
    double busiest = half.doc().at("inFlight", "averageMaxOverMean").number();
    if (Double.isFinite(busiest)) {
      parts.add("busiest DataNode " + over(busiest) + " the mean in flight");
    }
    return String.join(", ", parts);
  }

  private static void spread(
      List<Finding> all, HalfReport stock, HalfReport evenkeel, String fewWriters) {
    double a = stock.placement(FULLEST);
    double b = evenkeel.placement(FULLEST);
    if (Double.isFinite(a) && Double.isFinite(b)) {
      String headline =
          "The fullest DataNode got "
              + over(a)
              + " the mean number of replicas with stock, "
              + over(b)
              + " with Evenkeel.";
      all.add(credited(headline, a, b, fewWriters));
    }
  }

  private static void inFlight(
      List<Finding> all, HalfReport stock, HalfReport evenkeel, String fewWriters) {
    double a = stock.doc().at("inFlight", "averageMaxOverMean").number();
    double b = evenkeel.doc().at("inFlight", "averageMaxOverMean").number();
    if (Double.isFinite(a) && Double.isFinite(b)) {
      String headline =
          "While data was written, the busiest DataNode had "
              + over(a)
              + " the mean number of blocks in flight with stock, "
              + over(b)
              + " with Evenkeel.";
      String same = "With so few writers this is mostly chance as well.";
      all.add(credited(headline, a, b, fewWriters.isEmpty() ? "" : same));
    }
  }

  private static void volumes(
      List<Finding> all, Doc report, HalfReport stock, HalfReport evenkeel) {
    for (String type : HalfReport.types(stock, evenkeel)) {
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
        all.add(credited(headline, a, b, Modules.excuse(report, "volume")));
      }
    }
  }

  private static void remote(List<Finding> all, Doc report, HalfReport stock, HalfReport evenkeel) {
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
      all.add(credited(headline, a, b, Modules.excuse(report, "terasort")));
    }
  }

  private static void time(List<Finding> all, HalfReport stock, HalfReport evenkeel) {
    Spread a = null;
    Spread b = null;
    for (String phase : HalfReport.phases(stock, evenkeel)) {
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

  /** A note where the module took no part. */
  private static Finding credited(String headline, double stock, double evenkeel, String excuse) {
    return excuse.isEmpty()
        ? judged(headline, stock, evenkeel)
        : new Finding(Kind.NOTE, headline, excuse);
  }

  /** Better, worse or the same; a note where a number is missing. */
  private static Finding judged(String headline, double stock, double evenkeel) {
    Row row = Row.less("", ValueFormat.RATIO, stock, evenkeel);
    Kind kind =
        switch (row.orSame(ComparisonTable.SAMPLED, stock, evenkeel).verdict()) {
          case BETTER -> Kind.BETTER;
          case WORSE -> Kind.WORSE;
          case SAME -> Kind.SAME;
          default -> Kind.NOTE;
        };
    return new Finding(kind, headline, "");
  }

  private static String of(double number, HalfReport half) {
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
