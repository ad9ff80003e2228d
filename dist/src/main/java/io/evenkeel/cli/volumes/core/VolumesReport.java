package io.evenkeel.cli.volumes.core;

import io.evenkeel.cli.volumes.core.VolumesFinding.Kind;
import io.evenkeel.common.cli.ExitCode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** Everything {@code evenkeel volumes} saw in one round. Immutable. */
public final class VolumesReport {
  private static final int EXAMPLES = 5;

  private final String source;
  private final Instant time;
  private final List<DataNodeVolumes> dataNodes;
  private final List<VolumesFinding> findings;

  /**
   * Creates it and looks for findings.
   *
   * @param source where the addresses came from, in words
   * @param time when the round ended
   * @param dataNodes what each answered
   * @param missing daemons that could not be asked, one line each
   */
  public VolumesReport(
      String source, Instant time, List<DataNodeVolumes> dataNodes, List<String> missing) {
    this.source = Objects.requireNonNull(source);
    this.time = Objects.requireNonNull(time);
    this.dataNodes = Collections.unmodifiableList(new ArrayList<>(dataNodes));
    this.findings = Collections.unmodifiableList(find(dataNodes, missing));
  }

  private static List<VolumesFinding> find(List<DataNodeVolumes> dataNodes, List<String> missing) {
    Map<Kind, Set<String>> found = new EnumMap<>(Kind.class);
    boolean anyPolicy = dataNodes.stream().anyMatch(DataNodeVolumes::hasPolicy);
    for (DataNodeVolumes dataNode : dataNodes) {
      if (!dataNode.hasAnswered()) {
        note(found, Kind.INCOMPLETE, dataNode.address() + " did not answer");
      } else if (!dataNode.hasPolicy() && anyPolicy) {
        note(found, Kind.PARTIAL, dataNode.address());
      }
      if ("fallback".equals(dataNode.state())) {
        note(found, Kind.FALLBACK, dataNode.address());
      }
      for (VolumeRow volume : dataNode.volumes()) {
        if (volume.isSetAside()) {
          note(found, kind(volume), volume.directory() + " on " + dataNode.address());
        }
      }
    }
    missing.forEach(line -> note(found, Kind.INCOMPLETE, line));
    List<VolumesFinding> findings = new ArrayList<>();
    found.forEach((kind, where) -> findings.add(new VolumesFinding(kind, message(kind, where))));
    return findings;
  }

  private static void note(Map<Kind, Set<String>> found, Kind kind, String where) {
    found.computeIfAbsent(kind, k -> new LinkedHashSet<>()).add(where);
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

  private static String message(Kind kind, Set<String> where) {
    switch (kind) {
      case FALLBACK:
        return "the stock policy decides on " + examples(where);
      case PARTIAL:
        return "no latency-aware policy on " + examples(where);
      default:
        return examples(where);
    }
  }

  private static String examples(Set<String> all) {
    List<String> shown = new ArrayList<>(all);
    int more = shown.size() - EXAMPLES;
    return more <= 0
        ? String.join(", ", shown)
        : String.join(", ", shown.subList(0, EXAMPLES)) + " and " + more + " more";
  }

  /** Where the addresses came from, in words. */
  public String source() {
    return source;
  }

  /** When the round ended. */
  public Instant time() {
    return time;
  }

  /** What each DataNode answered. */
  public List<DataNodeVolumes> dataNodes() {
    return dataNodes;
  }

  /** What an operator should look at, worst first; empty when all is well. */
  public List<VolumesFinding> findings() {
    return findings;
  }

  /** Whether any DataNode answered. */
  public boolean isAnswered() {
    return dataNodes.stream().anyMatch(DataNodeVolumes::hasAnswered);
  }

  /** 1 when no DataNode answered, 2 with findings, 3 when none has the policy, else 0. */
  public ExitCode exitCode() {
    boolean incomplete = findings.stream().anyMatch(f -> f.kind() == Kind.INCOMPLETE);
    if (!isAnswered() && incomplete) {
      return ExitCode.COULD_NOT_RUN;
    }
    if (!findings.isEmpty()) {
      return ExitCode.FINDING;
    }
    boolean any = dataNodes.stream().anyMatch(DataNodeVolumes::hasPolicy);
    return any ? ExitCode.OK : ExitCode.NOTHING_TO_DO;
  }
}
