package io.evenkeel.bench.report;

import io.evenkeel.common.svg.ValueFormat;
import java.util.ArrayList;
import java.util.List;

/** The side-by-side numbers that both renderers show, in groups. Stateless. */
final class ComparisonTable {
  /** What is random or sampled and was run once differs by about this much for no reason. */
  static final double SAMPLED = 0.05;

  private ComparisonTable() {}

  /**
   * A titled part of the table.
   *
   * @param note a caveat for all its rows, may be empty
   */
  record Group(String title, String note, List<Row> rows) {}

  /** All groups that have at least one measured row. */
  static List<Group> groups(Doc report) {
    HalfReport stock = HalfReport.stock(report);
    HalfReport evenkeel = HalfReport.evenkeel(report);
    List<Group> all = new ArrayList<>();
    all.add(placement(report, stock, evenkeel));
    all.add(balance(report, stock, evenkeel));
    all.add(volumes(report, stock, evenkeel));
    all.add(locality(report, stock, evenkeel));
    all.add(times(stock, evenkeel));
    all.addAll(extra(report));
    all.removeIf(group -> group.rows().stream().noneMatch(Row::measured));
    return all;
  }

  private static Group placement(Doc report, HalfReport stock, HalfReport evenkeel) {
    boolean comparable = Modules.comparable(report, "placement");
    List<Row> rows = new ArrayList<>();
    rows.add(
        Row.count(
            "Blocks with two replicas on one host",
            outOfBlocks(stock, "blocksWithTwoReplicasOnOneHost"),
            outOfBlocks(evenkeel, "blocksWithTwoReplicasOnOneHost")));
    rows.add(
        Row.count(
            "Blocks with all replicas on one rack",
            outOfBlocks(stock, "blocksOnOneRack"),
            outOfBlocks(evenkeel, "blocksOnOneRack")));
    rows.replaceAll(row -> row.onlyIf(comparable));
    rows.add(
        Row.words(
            "fsck says",
            stock.doc().at("placement", "fsckStatus").text("not measured"),
            evenkeel.doc().at("placement", "fsckStatus").text("not measured")));
    return new Group("Block placement", Modules.excuse(report, "placement"), rows);
  }

  private static Group balance(Doc report, HalfReport stock, HalfReport evenkeel) {
    boolean comparable = Modules.comparable(report, "placement");
    String fewWriters = comparable ? HalfReport.fewWriters(report) : "";
    double a = stock.doc().at("inFlight", "averageMaxOverMean").number();
    double b = evenkeel.doc().at("inFlight", "averageMaxOverMean").number();
    List<Row> rows =
        new ArrayList<>(
            List.of(
                ratio("Replicas per DataNode, max/mean", stock, evenkeel, "dataNodeMaxOverMean"),
                ratio("Replicas per DataNode, CV", stock, evenkeel, "dataNodeCv"),
                ratio("Replicas per host, max/mean", stock, evenkeel, "hostMaxOverMean"),
                ratio("Replicas per host, CV", stock, evenkeel, "hostCv"),
                Row.less("Blocks in flight per DataNode, max/mean", ValueFormat.RATIO, a, b)
                    .orSame(SAMPLED, a, b)));
    rows.replaceAll(row -> fewWriters.isEmpty() ? row.onlyIf(comparable) : row.notCompared());
    return new Group(
        "Balance", comparable ? fewWriters : Modules.excuse(report, "placement"), rows);
  }

  private static double[] outOfBlocks(HalfReport half, String field) {
    return new double[] {half.placement(field), half.placement("blocks")};
  }

  private static Row ratio(String name, HalfReport stock, HalfReport evenkeel, String field) {
    double a = stock.placement(field);
    double b = evenkeel.placement(field);
    return Row.less(name, ValueFormat.RATIO, a, b).orSame(SAMPLED, a, b);
  }

  private static Group volumes(Doc report, HalfReport stock, HalfReport evenkeel) {
    boolean comparable = Modules.comparable(report, "volume");
    List<Row> rows = new ArrayList<>();
    for (String type : HalfReport.types(stock, evenkeel)) {
      Row worst =
          Row.less(
              type + " volumes in a DataNode, worst max/mean",
              ValueFormat.RATIO,
              stock.worstVolumeRatio(type),
              evenkeel.worstVolumeRatio(type));
      if (worst.measured()) {
        rows.add(worst.onlyIf(comparable));
      }
      rows.add(
          Row.less(
                  "Bytes in flight on " + type + " volumes, mean",
                  ValueFormat.BYTES,
                  stock.meanInFlight(type),
                  evenkeel.meanInFlight(type))
              .unjudged());
    }
    return new Group("Volumes", Modules.excuse(report, "volume"), rows);
  }

  private static Group locality(Doc report, HalfReport stock, HalfReport evenkeel) {
    boolean comparable = Modules.comparable(report, "terasort");
    List<Row> rows = new ArrayList<>();
    String phase = stock.doc().at("locality", "phase").text("validation");
    rows.add(
        Row.less(
            "Read from another host in " + phase,
            ValueFormat.PERCENT,
            localityField(stock, "remoteFraction"),
            localityField(evenkeel, "remoteFraction")));
    rows.add(
        Row.less(
            "Read from another rack in " + phase,
            ValueFormat.BYTES,
            localityField(stock, "offRackBytes"),
            localityField(evenkeel, "offRackBytes")));
    rows.replaceAll(row -> row.onlyIf(comparable));
    return new Group("Where reads came from", Modules.excuse(report, "terasort"), rows);
  }

  private static double localityField(HalfReport half, String field) {
    return half.localityMeasured() ? half.doc().at("locality", field).number() : Double.NaN;
  }

  private static Group times(HalfReport stock, HalfReport evenkeel) {
    List<Row> rows = new ArrayList<>();
    for (String phase : HalfReport.phases(stock, evenkeel)) {
      rows.add(Row.times(phase + ", elapsed", stock.seconds(phase), evenkeel.seconds(phase)));
    }
    for (String phase : HalfReport.phases(stock, evenkeel)) {
      rows.add(Row.times(phase + ", CPU", stock.cpu(phase), evenkeel.cpu(phase)));
    }
    for (String phase : HalfReport.phases(stock, evenkeel)) {
      String a = stock.phase(phase).at("result").text("not run");
      String b = evenkeel.phase(phase).at("result").text("not run");
      rows.add(Row.words(phase + ", result", a, b));
    }
    String note =
        "Mean and, in brackets, lowest and highest of the repeats. All daemons and tasks share one"
            + " machine: read these times as a check that nothing got slower, not as a benchmark.";
    return new Group("Time and CPU", note, rows);
  }

  /** Rows that a section brings with it under "rows". */
  private static List<Group> extra(Doc report) {
    List<Group> groups = new ArrayList<>();
    for (Doc section : report.at("sections").items()) {
      List<Row> rows = new ArrayList<>();
      for (Doc row : section.at("rows").items()) {
        rows.add(row(row));
      }
      String title = section.at("title").text(section.at("id").text("Section"));
      groups.add(new Group(title, section.at("summary").text(""), rows));
    }
    return groups;
  }

  /** A row of a section. */
  static Row row(Doc row) {
    Row less =
        Row.less(
            row.at("name").text("unnamed"),
            format(row.at("unit").text("")),
            row.at("stock").number(),
            row.at("evenkeel").number());
    return switch (row.at("better").text("less")) {
      case "more" -> less.moreIsBetter();
      case "neither" -> less.unjudged();
      default -> less;
    };
  }

  /** How numbers of a unit, as named in the report, are written. */
  static ValueFormat format(String unit) {
    return switch (unit) {
      case "s", "seconds" -> ValueFormat.SECONDS;
      case "ms" -> ValueFormat.MILLISECONDS;
      case "bytes" -> ValueFormat.BYTES;
      case "fraction" -> ValueFormat.PERCENT;
      case "ratio" -> ValueFormat.RATIO;
      default -> ValueFormat.COUNT;
    };
  }
}
