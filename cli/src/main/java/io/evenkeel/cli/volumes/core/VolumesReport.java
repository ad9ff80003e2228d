package io.evenkeel.cli.volumes.core;

import io.evenkeel.cli.core.Figures;
import io.evenkeel.cli.core.Finding;
import io.evenkeel.cli.datanodes.core.DataNodesReport;
import io.evenkeel.cli.datanodes.core.FindingNotes;
import io.evenkeel.cli.datanodes.core.FindingNotes.Kind;
import io.evenkeel.common.cli.TextTable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What {@code evenkeel volumes} says of a round: findings, the documented JSON, and text with one
 * table per DataNode. Pure, and so apart from the command, which asks and prints. Stateless.
 */
public final class VolumesReport {
  /** Changes when a member changes its meaning or goes; new members may come without a change. */
  private static final String SCHEMA = "evenkeel.volumes/2";

  private static final List<String> HEADING =
      Collections.unmodifiableList(
          Arrays.asList(
              "VOLUME",
              "TYPE",
              "CLASS",
              "HEALTH",
              "SHARE",
              "RECENT",
              "IN FLIGHT",
              "SCORE",
              "LATENCY",
              "EJECTIONS",
              "FREE",
              "SIGNAL"));
  private static final int FIRST_NUMBER = 4;
  private static final int WOULD_GET = 6; // where that column is put in observe-only mode

  private VolumesReport() {}

  /**
   * What an operator should look at, worst first; empty when all is well.
   *
   * @param dataNodes what each answered
   * @param missing daemons that could not be asked, one line each
   */
  public static List<Finding> findings(List<DataNodeVolumes> dataNodes, List<String> missing) {
    FindingNotes found = new FindingNotes();
    found.noteIncomplete(dataNodes, missing);
    boolean any = dataNodes.stream().anyMatch(DataNodeVolumes::hasBean);
    for (DataNodeVolumes dataNode : dataNodes) {
      if (any && dataNode.hasAnswered() && !dataNode.hasBean()) {
        found.note(Kind.PARTIAL, dataNode.address());
      }
      if ("fallback".equals(dataNode.state())) {
        found.note(Kind.FALLBACK, dataNode.address());
      }
      for (VolumeRow volume : dataNode.volumes()) {
        if (volume.isSetAside()) {
          found.note(kind(volume), volume.directory() + " on " + dataNode.address());
        }
      }
    }
    return found.list(VolumesReport::begin, ", ");
  }

  private static Kind kind(VolumeRow volume) {
    switch (volume.health()) {
      case "failing":
        return Kind.FAILING;
      case "hung":
        return Kind.HUNG;
      default:
        return Kind.EJECTED;
    }
  }

  private static String begin(Kind kind) {
    switch (kind) {
      case FALLBACK:
        return "the stock policy decides on ";
      case PARTIAL:
        return "no latency-aware policy on ";
      default:
        return "";
    }
  }

  /** Maps, lists and plain values in the documented order; null is what is not known. */
  public static Map<String, Object> json(DataNodesReport<DataNodeVolumes> report) {
    return report.json(SCHEMA, VolumesReport::members);
  }

  private static Map<String, Object> members(DataNodeVolumes dataNode) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("policy", dataNode.policy().isEmpty() ? null : dataNode.policy());
    json.put("state", dataNode.hasBean() ? dataNode.state() : null);
    json.put("reason", dataNode.reason());
    json.put("choices", dataNode.bean().number("Choices"));
    json.put("outOfSpace", dataNode.bean().number("OutOfSpace"));
    json.put("rescued", dataNode.bean().number("Rescued"));
    json.put("wouldDiffer", dataNode.bean().number("WouldDiffer"));
    List<Object> volumes = new ArrayList<>();
    dataNode.volumes().forEach(volume -> volumes.add(volume(volume)));
    json.put("volumes", volumes);
    return json;
  }

  private static Map<String, Object> volume(VolumeRow volume) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("directory", volume.directory());
    json.put("storageType", volume.text("storageType"));
    json.put("deviceClass", volume.text("deviceClass"));
    json.put("weight", volume.number("weight"));
    json.put("health", volume.health());
    json.put("healthSeconds", volume.known("healthSeconds"));
    json.put("reason", volume.text("reason"));
    json.put("choices", volume.number("choices"));
    json.put("share", volume.number("share"));
    json.put("recentShare", volume.number("recentShare"));
    json.put("wouldHaveChosen", volume.number("wouldHaveChosen"));
    json.put("inFlight", volume.number("inFlight"));
    json.put("idleUsers", volume.number("idleUsers"));
    json.put("score", volume.number("score"));
    json.put("latencyMillis", volume.known("latencyMillis"));
    json.put("ejections", volume.number("ejections"));
    json.put("probes", volume.number("probes"));
    json.put("availableBytes", volume.known("availableBytes"));
    json.put("capacityBytes", volume.positive("capacityBytes"));
    json.put("sampleAgeSeconds", volume.known("sampleAgeSeconds"));
    json.put("signal", volume.text("signal"));
    return json;
  }

  /**
   * Lines without trailing blanks, each ended by a line feed.
   *
   * @param withTime whether the first line says when this was seen
   */
  public static String text(DataNodesReport<DataNodeVolumes> report, boolean withTime) {
    return report.text(
        withTime,
        VolumesReport::without,
        VolumesReport::append,
        "No DataNode has the latency-aware policy.");
  }

  private static String without(DataNodeVolumes dataNode) {
    return dataNode.policy().isEmpty()
        ? "no latency-aware policy: a stock policy chooses its volumes"
        : "no latency-aware policy: " + dataNode.policy() + " chooses its volumes";
  }

  private static void append(StringBuilder text, DataNodeVolumes dataNode) {
    List<VolumeRow> volumes = dataNode.volumes();
    if (volumes.isEmpty()) {
      text.append("No volume yet: a volume is listed from the first block of its type on.\n");
    } else {
      table(dataNode, volumes).appendTo(text);
    }
    for (VolumeRow volume : volumes) {
      if (volume.isSetAside()) {
        String reason = volume.reason();
        text.append("Not in use: ").append(volume.directory()).append(": ").append(health(volume));
        text.append(reason.isEmpty() ? "" : ": " + reason).append('\n');
      } else if (volume.isInDoubt()) {
        text.append("In doubt: ").append(volume.directory()).append(": ");
        text.append(volume.reason()).append('\n');
      }
    }
    text.append("Total: ").append(dataNode.state());
    text.append(dataNode.reason().isEmpty() ? "" : " (" + dataNode.reason() + ")");
    total(text, dataNode, "Choices", "choices");
    total(text, dataNode, "OutOfSpace", "out of space");
    total(text, dataNode, "Rescued", "rescued");
    if (observes(dataNode)) {
      total(text, dataNode, "WouldDiffer", "would differ");
    }
    text.append('\n');
  }

  private static void total(
      StringBuilder text, DataNodeVolumes dataNode, String attribute, String what) {
    text.append(", ")
        .append(Figures.count(dataNode.bean().number(attribute)))
        .append(' ')
        .append(what);
  }

  private static boolean observes(DataNodeVolumes dataNode) {
    return "observe".equals(dataNode.state());
  }

  private static TextTable table(DataNodeVolumes dataNode, List<VolumeRow> volumes) {
    List<String> heading = new ArrayList<>(HEADING);
    boolean observes = observes(dataNode);
    if (observes) {
      heading.add(WOULD_GET, "WOULD GET");
    }
    TextTable table = new TextTable(heading.toArray(new String[0]));
    for (int column = FIRST_NUMBER; column < heading.size() - 1; column++) {
      table.alignRight(column);
    }
    for (VolumeRow volume : volumes) {
      List<String> cells = cells(volume);
      if (observes) {
        cells.add(WOULD_GET, Figures.percent(wouldGet(volume, volumes)));
      }
      table.add(cells.toArray(new String[0]));
    }
    return table;
  }

  private static List<String> cells(VolumeRow volume) {
    List<String> cells = new ArrayList<>();
    cells.add(volume.directory());
    cells.add(orHyphen(volume.text("storageType")));
    cells.add(orHyphen(volume.text("deviceClass")));
    cells.add(health(volume));
    cells.add(Figures.percent(volume.number("share")));
    cells.add(Figures.percent(volume.number("recentShare")));
    cells.add(Figures.decimal(volume.number("inFlight")));
    cells.add(Figures.decimal(volume.number("score")));
    cells.add(Figures.time(volume.known("latencyMillis")));
    cells.add(Figures.count(volume.number("ejections")));
    cells.add(free(volume));
    cells.add(orHyphen(volume.text("signal")));
    return cells;
  }

  /** The fraction of the blocks of its type it would have got; null when not known. */
  private static Double wouldGet(VolumeRow volume, List<VolumeRow> volumes) {
    double all = 0;
    for (VolumeRow other : volumes) {
      Number blocks = other.number("wouldHaveChosen");
      if (blocks != null && other.text("storageType").equals(volume.text("storageType"))) {
        all += blocks.doubleValue();
      }
    }
    Number own = volume.number("wouldHaveChosen");
    return own == null || all == 0 ? null : own.doubleValue() / all;
  }

  private static String orHyphen(String text) {
    return text.isEmpty() ? "-" : text;
  }

  private static String health(VolumeRow volume) {
    String health = orHyphen(volume.health().replace('_', ' '));
    Number since = volume.positive("healthSeconds");
    return volume.isSetAside() && since != null
        ? health + " " + Figures.time(1000 * since.doubleValue())
        : health;
  }

  private static String free(VolumeRow volume) {
    Number available = volume.known("availableBytes");
    Number capacity = volume.positive("capacityBytes");
    String text = Figures.bytes(available);
    return available == null || capacity == null
        ? text
        : text + " " + Math.round(100 * available.doubleValue() / capacity.doubleValue()) + "%";
  }
}
