package io.evenkeel.cli.topology.core;

import io.evenkeel.cli.core.Figures;
import io.evenkeel.cli.core.blocks.HostStop;
import io.evenkeel.common.cli.ExitCode;
import io.evenkeel.common.cli.ReportHead;
import java.util.ArrayList;
import java.util.Map;

/** Whether a host can be stopped. Pure, and so apart from the command, which reads. Immutable. */
public final class StopReport {
  /** Changes when a member changes its meaning or goes; new members may come without a change. */
  private static final String SCHEMA = "evenkeel.can-stop/1";

  private static final int PATHS_SHOWN = 10;

  private final String source;
  private final HostStop stop;
  private final boolean complete;

  /**
   * Creates it.
   *
   * @param source where the listing came from, in words
   * @param complete whether the listing ended as it should
   */
  public StopReport(String source, HostStop stop, boolean complete) {
    this.source = source;
    this.stop = stop;
    this.complete = complete;
  }

  /** What the command ends with. */
  public ExitCode exitCode() {
    return stop.isSafe() && complete ? ExitCode.OK : ExitCode.FINDING;
  }

  /** Lines, each ended by a line feed. */
  public String text() {
    StringBuilder text = new StringBuilder();
    text.append("Host ").append(host()).append(" has ");
    text.append(Figures.count(stop.touched())).append(" of ");
    text.append(Figures.count(stop.blocks(), "block", "blocks")).append(" of ");
    text.append(source).append('\n');
    line(text, stop.lost(), "would be lost (" + Figures.bytes(stop.lostBytes()) + ")");
    line(text, stop.belowLeast(), "would fall below the minimum of replicas");
    line(text, stop.unsure(), "may be lost: give fsck -replicaDetails to know");
    line(text, stop.withoutSpare(), "would be left without a spare replica or internal block");
    line(text, stop.missingAlready(), "cannot be read even now");
    if (!stop.unknown().isEmpty()) {
      text.append("Nobody knows the host of ").append(first(stop.unknown())).append('\n');
    }
    if (!complete) {
      text.append("The listing ends without the summary of fsck: blocks may be missing in it.\n");
    }
    if (!stop.paths().isEmpty()) {
      text.append("First files:\n");
      stop.paths().stream()
          .limit(PATHS_SHOWN)
          .forEach(p -> text.append("  ").append(p).append('\n'));
    }
    String verdict = exitCode() == ExitCode.OK ? "can be stopped" : "must not be stopped";
    return text.append(host()).append(' ').append(verdict).append(".\n").toString();
  }

  private static String first(Iterable<String> names) {
    String text = String.join(", ", names);
    return text.length() <= 200 ? text : text.substring(0, 200) + "...";
  }

  private String host() {
    return String.join(", ", stop.hosts());
  }

  private static void line(StringBuilder text, long blocks, String what) {
    if (blocks > 0) {
      text.append(Figures.count(blocks, "block ", "blocks ")).append(what).append('\n');
    }
  }

  /** Maps, lists and plain values in the documented order. */
  public Map<String, Object> json() {
    Map<String, Object> json = ReportHead.of(SCHEMA, exitCode());
    json.put("source", source);
    json.put("host", host());
    json.put("canStop", exitCode() == ExitCode.OK);
    json.put("complete", complete);
    json.put("blocks", stop.blocks());
    json.put("onHost", stop.touched());
    json.put("lost", stop.lost());
    json.put("lostBytes", stop.lostBytes());
    json.put("belowMinimum", stop.belowLeast());
    json.put("unsure", stop.unsure());
    json.put("withoutSpare", stop.withoutSpare());
    json.put("missingAlready", stop.missingAlready());
    json.put("unknownLocations", new ArrayList<>(stop.unknown()));
    json.put("paths", new ArrayList<>(stop.paths()));
    return json;
  }
}
