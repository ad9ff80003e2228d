package io.evenkeel.mover.core.plan;

import java.util.ArrayList;
import java.util.List;

/**
 * Chooses the moves inside DataNodes: as many as there can be, and among equally many those of
 * replicas that could not leave or whose DataNode is in good order.
 *
 * <p>Capacities are one for a replica, and for a type how many of it are too many or missing.
 */
final class LocalMatching {
  private final Suitability suitability;

  LocalMatching(Suitability suitability) {
    this.suitability = suitability;
  }

  List<Assignment> match(BlockCase block) {
    TypeCounts surplus = block.difference().surplus();
    TypeCounts missing = block.difference().missing();
    List<String> from = surplus.types();
    List<String> to = missing.types();
    List<Candidate> candidates = block.candidates();
    int firstTo = 2 + from.size();
    int firstCandidate = firstTo + to.size();
    FlowNetwork network = new FlowNetwork(firstCandidate + candidates.size());
    for (int i = 0; i < from.size(); i++) {
      network.addEdge(0, 2 + i, surplus.of(from.get(i)), 0);
    }
    for (int i = 0; i < to.size(); i++) {
      network.addEdge(firstTo + i, 1, missing.of(to.get(i)), 0);
    }
    List<Assignment> possible = new ArrayList<>();
    List<Integer> edges = new ArrayList<>();
    for (int i = 0; i < candidates.size(); i++) {
      Candidate candidate = candidates.get(i);
      network.addEdge(2 + from.indexOf(candidate.type()), firstCandidate + i, 1, cost(candidate));
      for (int j = 0; j < to.size(); j++) {
        if (suitability.againstLocal(block, candidate, to.get(j)) == null) {
          possible.add(new Assignment(candidate, candidate.node(), to.get(j)));
          edges.add(network.addEdge(firstCandidate + i, firstTo + j, 1, 0));
        }
      }
    }
    List<Assignment> matched = new ArrayList<>();
    if (possible.isEmpty()) {
      return matched;
    }
    network.fill();
    for (int i = 0; i < possible.size(); i++) {
      if (network.flow(edges.get(i)) > 0) {
        matched.add(possible.get(i));
      }
    }
    return matched;
  }

  private static int cost(Candidate candidate) {
    if (candidate.isPinned()) {
      return 0;
    }
    return candidate.node().use() == NodeView.Use.TARGET ? 1 : 2;
  }
}
