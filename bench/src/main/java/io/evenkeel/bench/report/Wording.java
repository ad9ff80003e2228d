package io.evenkeel.bench.report;

import io.evenkeel.common.svg.ValueFormat;
import java.util.ArrayList;
import java.util.List;

/** Sentences about the run itself that both renderers use. Stateless. */
final class Wording {
  private Wording() {}

  /** What was run, in one or two sentences; says only what the report knows. */
  static String whatWasRun(Doc report) {
    String size = bytes(report.at("sizeBytes"));
    StringBuilder text = new StringBuilder("The TeraSort suite");
    text.append(size.isEmpty() ? " ran" : " ran on " + size + " of generated data");
    String cluster = cluster(report);
    text.append(cluster.isEmpty() ? "" : " on " + cluster);
    String stock = "with stock settings" + version(" of Hadoop ", report.at("hadoop"));
    String evenkeel = "with Evenkeel" + version(" ", report.at("evenkeel"));
    boolean a = HalfReport.stock(report).doc().present();
    boolean b = HalfReport.evenkeel(report).doc().present();
    if (!a && !b) {
      return "The TeraSort suite was not run.";
    }
    text.append(
        a && b ? ", once " + stock + " and once " + evenkeel : ", " + (a ? stock : evenkeel));
    text.append(a && b ? "." : "; the " + (a ? "Evenkeel" : "stock") + " half was not run.");
    return text.toString();
  }

  private static String version(String before, Doc version) {
    String text = version.text("");
    return text.isEmpty() ? "" : before + text;
  }

  private static String cluster(Doc report) {
    double nodes = report.at("cluster", "dataNodes").number();
    if (!Double.isFinite(nodes)) {
      return "";
    }
    StringBuilder text = new StringBuilder("an HDFS of " + plural(nodes, "DataNode"));
    double hosts = report.at("cluster", "hosts").number();
    double racks = report.at("cluster", "racks").number();
    text.append(Double.isFinite(hosts) ? " on " + plural(hosts, "physical host") : "");
    text.append(Double.isFinite(racks) ? " in " + plural(racks, "rack") : "");
    double replication = report.at("cluster", "replication").number();
    text.append(
        Double.isFinite(replication)
            ? ", replication " + ValueFormat.COUNT.format(replication)
            : "");
    return text.toString();
  }

  /** Where and how long, for example "on one machine with 2 cores, in 4 min 10 s". */
  static String whereAndHowLong(Doc report) {
    List<String> parts = new ArrayList<>();
    double cores = report.at("cores").number();
    parts.add(
        "Everything ran on one machine"
            + (Double.isFinite(cores) ? " with " + plural(cores, "core") : ""));
    double seconds = report.at("elapsedSeconds").number();
    if (Double.isFinite(seconds)) {
      parts.add("in " + duration(seconds));
    }
    return String.join(", ", parts) + ".";
  }

  static String duration(double seconds) {
    if (!Double.isFinite(seconds)) {
      return "";
    }
    long whole = Math.round(Math.min(seconds, 1e9));
    return whole < 60 ? whole + " s" : whole / 60 + " min " + whole % 60 + " s";
  }

  static String bytes(Doc value) {
    return Double.isFinite(value.number()) ? ValueFormat.BYTES.format(value.number()) : "";
  }

  private static String plural(double count, String noun) {
    return ValueFormat.COUNT.format(count) + " " + noun + (count == 1 ? "" : "s");
  }
}
