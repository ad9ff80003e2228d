package io.evenkeel.bench.report;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One arm of the TeraSort pair and what is derived from it.
 *
 * @param label as a reader sees it
 * @param doc the arm as recorded, missing when it was not run
 */
record SuiteArm(String label, Doc doc) {
  /** On a volume, for its share to say something: one block is on one of two volumes. */
  private static final int ENOUGH_BLOCKS = 5;

  static SuiteArm stock(Doc report) {
    return new SuiteArm("Stock", report.at("terasort", "stock"));
  }

  static SuiteArm evenkeel(Doc report) {
    return new SuiteArm("Evenkeel", report.at("terasort", "evenkeel"));
  }

  /** Whether it was cut short. */
  boolean cut() {
    return doc.at("complete").no();
  }

  double number(String... path) {
    return doc.at(path).number();
  }

  /** The names of its phases. */
  List<String> phases() {
    return texts("phases", "name");
  }

  /** Storage types of its volumes. */
  List<String> types() {
    return texts("volumes", "storageType");
  }

  private List<String> texts(String list, String member) {
    return doc.at(list).items().stream()
        .map(item -> item.at(member).text(""))
        .filter(text -> !text.isEmpty())
        .distinct()
        .toList();
  }

  /** A phase by name; missing when this arm did not run it. */
  Doc phase(String name) {
    return doc.at("phases").items().stream()
        .filter(p -> p.at("name").text("").equals(name))
        .findFirst()
        .orElse(new Doc(null));
  }

  Spread seconds(String phase) {
    return Spread.of(phase(phase).at("seconds"));
  }

  /** CPU seconds of tasks and daemons together; one of them where the other was not measured. */
  Spread cpu(String phase) {
    Spread tasks = Spread.of(phase(phase).at("taskCpuSeconds"));
    Spread daemons = Spread.of(phase(phase).at("daemonCpuSeconds"));
    if (!tasks.known() || !daemons.known()) {
      return tasks.known() ? tasks : daemons;
    }
    return tasks.plus(daemons);
  }

  /** Tasks of TeraGen, all of which write; 0 when not known. */
  double writers() {
    double tasks = phase("TeraGen").at("tasks").number();
    return Double.isFinite(tasks) ? tasks : 0;
  }

  /** A number about reads; NaN where they were not measured. */
  double read(String field) {
    return doc.at("locality", "measured").yes() ? number("locality", field) : Double.NaN;
  }

  /** Why reads were not measured, in a sentence; empty where they were or the arm was not run. */
  String whyNoReads() {
    boolean silent = !doc.present() || doc.at("locality", "measured").yes();
    String reason = doc.at("locality", "reason").text("no reason was given");
    return silent ? "" : label + ": locality was not measured (" + reason + ").";
  }

  /**
   * How unevenly each DataNode used its volumes of a type: maximum over mean of blocks. Without
   * those that have so few blocks or volumes that it is chance.
   */
  Map<String, Double> volumeRatios(String type) {
    Map<String, List<Double>> byNode = new LinkedHashMap<>();
    for (Doc volume : doc.at("volumes").items()) {
      if (volume.at("storageType").text("").equals(type)) {
        byNode
            .computeIfAbsent(volume.at("dataNode").text("?"), n -> new ArrayList<>())
            .add(volume.at("blocks").number());
      }
    }
    Map<String, Double> ratios = new LinkedHashMap<>();
    byNode.forEach(
        (node, blocks) -> {
          double sum = blocks.stream().mapToDouble(d -> d).sum();
          double most = blocks.stream().mapToDouble(d -> d).max().orElse(0);
          if (blocks.size() > 1 && sum >= ENOUGH_BLOCKS * blocks.size()) {
            ratios.put(node, most * blocks.size() / sum);
          }
        });
    return ratios;
  }

  /** The largest of {@link #volumeRatios}; NaN without any. */
  double worstVolumeRatio(String type) {
    return volumeRatios(type).values().stream().mapToDouble(d -> d).max().orElse(Double.NaN);
  }

  /** Mean bytes in flight over all volumes of a type together; NaN when none was measured. */
  double meanInFlight(String type) {
    double[] known =
        doc.at("volumes").items().stream()
            .filter(volume -> volume.at("storageType").text("").equals(type))
            .mapToDouble(volume -> volume.at("meanInFlightBytes").number())
            .filter(Double::isFinite)
            .toArray();
    return known.length == 0 ? Double.NaN : Arrays.stream(known).sum();
  }
}
