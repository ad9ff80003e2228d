package io.evenkeel.mover.core.plan;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Chooses the moves inside DataNodes. First come replicas that could not leave, then those whose
 * DataNode is in good order; one that comes later has others change their type where that makes
 * room for it. That gives as many as there can be where one type is too many or one is missing, as
 * between the policies HDFS has. What finds no place may still go to another DataNode.
 */
final class LocalMatching {
  private final Suitability suitability;

  LocalMatching(Suitability suitability) {
    this.suitability = suitability;
  }

  /** The types they get. */
  Map<Candidate, String> match(BlockCase block) {
    List<Candidate> order = new ArrayList<>(block.candidates());
    order.sort(Comparator.comparingInt(LocalMatching::cost));
    Map<Candidate, String> chosen = new LinkedHashMap<>();
    for (Candidate candidate : order) {
      long moved = chosen.keySet().stream().filter(c -> c.type().equals(candidate.type())).count();
      if (moved < block.difference().surplus(candidate.type())) {
        findsPlace(block, candidate, chosen, new HashSet<>());
      }
    }
    return chosen;
  }

  /** Gives it a type that is missing; {@code asked} are those that no way leads to any more. */
  private boolean findsPlace(
      BlockCase block, Candidate candidate, Map<Candidate, String> chosen, Set<String> asked) {
    for (String type : block.difference().missing()) {
      if (suitability.againstLocal(block, candidate, type) == null && asked.add(type)) {
        List<Candidate> there = new ArrayList<>(chosen.keySet());
        there.removeIf(other -> !chosen.get(other).equals(type));
        if (there.size() < block.difference().missing(type)
            || there.stream().anyMatch(other -> findsPlace(block, other, chosen, asked))) {
          chosen.put(candidate, type);
          return true;
        }
      }
    }
    return false;
  }

  private static int cost(Candidate candidate) {
    if (candidate.isPinned()) {
      return 0;
    }
    return candidate.node().use() == NodeView.Use.TARGET ? 1 : 2;
  }
}
