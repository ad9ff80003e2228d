package io.evenkeel.bench.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * One half of the TeraSort pair and what is derived from it.
 *
 * @param label as a reader sees it
 * @param doc the half as recorded, missing when it was not run
 */
record HalfReport(String label, Doc doc) {
  /** On a volume, for its share to say something: one block is on one of two volumes. */
  private static final int ENOUGH_BLOCKS = 5;

  static HalfReport stock(Doc report) {
    return new HalfReport("Stock", report.at("terasort", "stock"));
  }

  static HalfReport evenkeel(Doc report) {
    return new HalfReport("Evenkeel", report.at("terasort", "evenkeel"));
  }

  /** Names of the phases of both halves, in the order first seen. */
  static List<String> phases(HalfReport... halves) {
    List<String> names = new ArrayList<>();
    for (HalfReport half : halves) {
      for (Doc phase : half.doc.at("phases").items()) {
        String name = phase.at("name").text("");
        if (!name.isEmpty() && !names.contains(name)) {
          names.add(name);
        }
      }
    }
    return names;
  }

  /** A phase by name; missing when this half did not run it. */
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

  double placement(String field) {
    return doc.at("placement", field).number();
  }

  /**
   * Why DataNodes' shares of replicas are mostly chance: the first replica of a block stays with
   * its writer, and fewer tasks than DataNodes wrote. Empty when they are not, or a half was not
   * run.
   */
  static String fewWriters(Doc report) {
    HalfReport stock = stock(report);
    HalfReport evenkeel = evenkeel(report);
    double dataNodes = report.at("cluster", "dataNodes").number();
    double writers = Math.min(stock.writers(), evenkeel.writers());
    if (!stock.doc.present() || !evenkeel.doc.present() || writers >= dataNodes) {
      return "";
    }
    return String.format(
        Locale.ROOT,
        "%s of TeraGen wrote on %.0f DataNodes, and the first replica of a block stays with its"
            + " writer: so what each DataNode got shows mostly where YARN ran the tasks, and is not"
            + " compared. Under many writers ./evenkeel bench --only placement.uniform compares it.",
        writers == 0 ? "An unknown number of tasks" : "At most " + (long) writers + " tasks",
        dataNodes);
  }

  /** Tasks of TeraGen, all of which write; 0 when not known. */
  private double writers() {
    double tasks = phase("TeraGen").at("tasks").number();
    return Double.isFinite(tasks) ? tasks : 0;
  }

  /** Whether bytes by distance were measured. */
  boolean localityMeasured() {
    return doc.at("locality", "measured").yes();
  }

  /**
   * How unevenly one DataNode used its volumes of a type: the largest maximum over mean of blocks
   * over all DataNodes with enough of them that it is not chance. NaN without such a DataNode.
   */
  double worstVolumeRatio(String type) {
    Map<String, List<Double>> byNode = new LinkedHashMap<>();
    for (Doc volume : doc.at("volumes").items()) {
      if (volume.at("storageType").text("").equals(type)) {
        byNode
            .computeIfAbsent(volume.at("dataNode").text("?"), n -> new ArrayList<>())
            .add(volume.at("blocks").number());
      }
    }
    double worst = Double.NaN;
    for (List<Double> blocks : byNode.values()) {
      double sum = blocks.stream().mapToDouble(d -> d).sum();
      double most = blocks.stream().mapToDouble(d -> d).max().orElse(0);
      if (blocks.size() > 1 && sum >= ENOUGH_BLOCKS * blocks.size()) {
        double ratio = most * blocks.size() / sum;
        worst = Double.isNaN(worst) ? ratio : Math.max(worst, ratio);
      }
    }
    return worst;
  }

  /** Mean bytes in flight over all volumes of a type together; NaN when none was measured. */
  double meanInFlight(String type) {
    double sum = Double.NaN;
    for (Doc volume : doc.at("volumes").items()) {
      double v = volume.at("meanInFlightBytes").number();
      if (volume.at("storageType").text("").equals(type) && Double.isFinite(v)) {
        sum = Double.isNaN(sum) ? v : sum + v;
      }
    }
    return sum;
  }

  /** Storage types of the volumes, in the order first seen. */
  static List<String> types(HalfReport... halves) {
    List<String> types = new ArrayList<>();
    for (HalfReport half : halves) {
      for (Doc volume : half.doc.at("volumes").items()) {
        String type = volume.at("storageType").text("");
        if (!type.isEmpty() && !types.contains(type)) {
          types.add(type);
        }
      }
    }
    return types;
  }
}
