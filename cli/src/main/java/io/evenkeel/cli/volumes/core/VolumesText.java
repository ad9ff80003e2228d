package io.evenkeel.cli.volumes.core;

import io.evenkeel.cli.core.Figures;
import io.evenkeel.cli.core.TextTable;
import io.evenkeel.cli.datanodes.core.DataNodesReport;
import io.evenkeel.cli.datanodes.core.DataNodesText;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/** The human form of a round: one table per DataNode, findings last. Stateless. */
public final class VolumesText {
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
              "PROBES",
              "FREE",
              "SIGNAL"));
  private static final int FIRST_NUMBER = 4;
  private static final int WOULD_GET = 6; // where that column is put in observe-only mode

  private VolumesText() {}

  /**
   * Lines without trailing blanks, each ended by a line feed.
   *
   * @param withTime whether the first line says when this was seen
   */
  public static String of(DataNodesReport<DataNodeVolumes> report, boolean withTime) {
    return DataNodesText.of(
        report,
        withTime,
        VolumesText::without,
        VolumesText::append,
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
    cells.add(Figures.millis(volume.known("latencyMillis")));
    cells.add(Figures.count(volume.number("ejections")));
    cells.add(Figures.count(volume.number("probes")));
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
    return volume.isSetAside() && since != null ? health + " " + Figures.duration(since) : health;
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
