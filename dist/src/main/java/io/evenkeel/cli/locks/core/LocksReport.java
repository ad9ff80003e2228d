package io.evenkeel.cli.locks.core;

import io.evenkeel.cli.core.BeanRow;
import io.evenkeel.cli.core.Figures;
import io.evenkeel.cli.locks.core.LocksFinding.Kind;
import io.evenkeel.common.cli.ExitCode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Everything {@code evenkeel locks} saw in one round. Immutable. */
public final class LocksReport {
  private static final int EXAMPLES = 5;

  private final String source;
  private final Instant time;
  private final List<DataNodeLocks> dataNodes;
  private final List<LocksFinding> findings;

  /**
   * Creates it and looks for findings.
   *
   * @param source where the addresses came from, in words
   * @param time when the round ended
   * @param dataNodes what each answered
   * @param missing daemons that could not be asked, one line each
   */
  public LocksReport(
      String source, Instant time, List<DataNodeLocks> dataNodes, List<String> missing) {
    this.source = Objects.requireNonNull(source);
    this.time = Objects.requireNonNull(time);
    this.dataNodes = Collections.unmodifiableList(new ArrayList<>(dataNodes));
    this.findings = Collections.unmodifiableList(find(dataNodes, missing));
  }

  private static List<LocksFinding> find(List<DataNodeLocks> dataNodes, List<String> missing) {
    Map<Kind, List<String>> found = new EnumMap<>(Kind.class);
    boolean any = dataNodes.stream().anyMatch(DataNodeLocks::locksByBlock);
    for (DataNodeLocks dataNode : dataNodes) {
      if (!dataNode.hasAnswered()) {
        note(found, Kind.INCOMPLETE, dataNode.address() + " did not answer");
      } else if (dataNode.locksByBlock()) {
        look(found, dataNode);
      } else if ("fallback".equals(dataNode.state())) {
        note(found, Kind.FALLBACK, dataNode.address() + ": " + dataNode.reason());
      } else if (any) {
        note(found, Kind.PARTIAL, dataNode.address() + " has the stock dataset");
      }
    }
    missing.forEach(line -> note(found, Kind.INCOMPLETE, line));
    List<LocksFinding> findings = new ArrayList<>();
    found.forEach((kind, where) -> findings.add(new LocksFinding(kind, examples(where))));
    return findings;
  }

  private static void look(Map<Kind, List<String>> found, DataNodeLocks dataNode) {
    if (dataNode.bean().positive("BrokenRules") != null) {
      String last = dataNode.bean().text("LastBrokenRule");
      note(found, Kind.BROKEN_RULE, dataNode.address() + (last.isEmpty() ? "" : ": " + last));
    }
    for (BeanRow holder : dataNode.holders()) {
      if (dataNode.isSlow(holder)) {
        note(found, Kind.SLOW_HOLDER, slow(holder) + " on " + dataNode.address());
      }
    }
  }

  private static String slow(BeanRow holder) {
    String volume = holder.text("volume");
    return holder.text("operation")
        + " of block "
        + holder.text("blockId")
        + " for "
        + Figures.span(holder.number("heldMillis"))
        + (volume.isEmpty() ? "" : ", " + volume);
  }

  private static void note(Map<Kind, List<String>> found, Kind kind, String where) {
    found.computeIfAbsent(kind, k -> new ArrayList<>()).add(where);
  }

  private static String examples(List<String> all) {
    int more = all.size() - EXAMPLES;
    return more <= 0
        ? String.join("; ", all)
        : String.join("; ", all.subList(0, EXAMPLES)) + " and " + more + " more";
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
  public List<DataNodeLocks> dataNodes() {
    return dataNodes;
  }

  /** What an operator should look at, worst first; empty when all is well. */
  public List<LocksFinding> findings() {
    return findings;
  }

  /** Whether any DataNode answered. */
  public boolean isAnswered() {
    return dataNodes.stream().anyMatch(DataNodeLocks::hasAnswered);
  }

  /** Whether any DataNode locks by block. */
  public boolean isAnyByBlock() {
    return dataNodes.stream().anyMatch(DataNodeLocks::locksByBlock);
  }

  /** 1 when no DataNode answered, 2 with findings, 3 when none locks by block, else 0. */
  public ExitCode exitCode() {
    boolean incomplete = findings.stream().anyMatch(f -> f.kind() == Kind.INCOMPLETE);
    if (!isAnswered() && incomplete) {
      return ExitCode.COULD_NOT_RUN;
    }
    if (!findings.isEmpty()) {
      return ExitCode.FINDING;
    }
    return isAnyByBlock() ? ExitCode.OK : ExitCode.NOTHING_TO_DO;
  }
}
