package io.evenkeel.mover.core.plan;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;

/** Says to an operator why a plan leaves replicas where they are. */
final class Obstacles {
  private final TargetIndex index;
  private final Suitability suitability;

  Obstacles(TargetFinder finder) {
    this.index = finder.index();
    this.suitability = finder.suitability();
  }

  /** What pinned replicas keep from being moved. */
  static String pinned(int count) {
    return count == 1
        ? "1 replica is pinned to its DataNode"
        : count + " replicas are pinned to their DataNodes";
  }

  /** Why the plan has open places, one line each, without repetition. */
  List<String> of(Draft draft) {
    Set<String> lines = new LinkedHashSet<>();
    List<Candidate> stuck = new ArrayList<>();
    for (Candidate candidate : draft.block().candidates()) {
      if (draft.isStuck(candidate)) {
        stuck.add(candidate);
      }
    }
    for (String type : draft.missing()) {
      if (index.withType(type).isEmpty()) {
        lines.add("no live DataNode has " + type);
      } else if (!stuck.isEmpty()) {
        lines.add(type + ": " + tally(draft, stuck, type));
      }
    }
    for (Replica replica : draft.block().lost()) {
      if (draft.hasSurplus(replica.type())) {
        lines.add("DataNode " + replica.node() + " is not live");
      }
    }
    for (Replica replica : draft.block().doubled()) {
      if (draft.hasSurplus(replica.type())) {
        lines.add("DataNode " + replica.node() + " holds more than one replica of the block");
      }
    }
    return new ArrayList<>(lines);
  }

  private String tally(Draft draft, List<Candidate> stuck, String type) {
    Map<Reason, Integer> counts = new EnumMap<>(Reason.class);
    for (NodeView node : index.withType(type)) {
      counts.merge(last(draft, stuck, node, type), 1, Integer::sum);
    }
    StringJoiner text = new StringJoiner(", ");
    for (Map.Entry<Reason, Integer> entry : counts.entrySet()) {
      int count = entry.getValue();
      String nodes = text.length() > 0 ? "" : count == 1 ? "DataNode " : "DataNodes ";
      text.add(count + " " + nodes + entry.getKey().text(count));
    }
    return text.toString();
  }

  /** The reason of the replica that came nearest to being moved there. */
  private Reason last(Draft draft, List<Candidate> stuck, NodeView node, String type) {
    Reason last = Reason.SOURCE_ONLY;
    for (Candidate candidate : stuck) {
      Reason reason =
          candidate.node() == node
              ? suitability.againstLocal(draft.block(), candidate, type)
              : suitability.againstTarget(draft, candidate, node, type);
      if (reason == null) {
        return Reason.POLICY;
      }
      if (reason.compareTo(last) > 0) {
        last = reason;
      }
    }
    return last;
  }
}
