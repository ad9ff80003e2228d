package io.evenkeel.mover.core.plan;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Finds other DataNodes for the replicas that cannot change their type where they are, nearest
 * first. When that leaves some over although others found a place, a few other orders are tried:
 * the most common reason is that one took the only place of another.
 */
final class RemotePlacement {
  private static final int OTHER_ORDERS = 3;

  private final ClusterView cluster;
  private final TargetFinder finder;
  private final Random random;

  RemotePlacement(ClusterView cluster, TargetFinder finder, Random random) {
    this.cluster = cluster;
    this.finder = finder;
    this.random = random;
  }

  /**
   * The local moves and as many remote ones as were found.
   *
   * @param ignorePins whether to act as if no replica were pinned
   */
  Draft place(BlockCase block, Map<Candidate, String> local, boolean ignorePins) {
    List<Candidate> candidates = new ArrayList<>();
    for (Candidate candidate : block.candidates()) {
      if (ignorePins || !candidate.isPinned()) {
        candidates.add(candidate);
      }
    }
    Draft best = start(block, local);
    nearestFirst(best, candidates);
    for (int i = 0; i < OTHER_ORDERS && best.open() > 0; i++) {
      if (best.moves().size() == local.size()) {
        break; // no first move was possible, so none is in any order
      }
      Draft other = start(block, local);
      leftOverFirst(other, best, candidates);
      nearestFirst(other, candidates);
      if (other.open() < best.open()) {
        best = other;
      }
    }
    return best;
  }

  private Draft start(BlockCase block, Map<Candidate, String> local) {
    Draft draft = new Draft(block, cluster);
    local.forEach((candidate, type) -> draft.add(candidate, candidate.node(), type));
    return draft;
  }

  /** Those in good order come before slow ones, whether or not a near one gives way to others. */
  private void nearestFirst(Draft draft, List<Candidate> candidates) {
    nearestFirst(draft, candidates, Tier.of(NodeView.Use.TARGET), true);
    if (draft.open() > 0) {
      nearestFirst(draft, candidates, Tier.of(NodeView.Use.TARGET), false);
    }
    if (draft.open() > 0) {
      nearestFirst(draft, candidates, Tier.ALL, false);
    }
  }

  /** A move may make another one acceptable to the policy, hence again until nothing changes. */
  private void nearestFirst(
      Draft draft, List<Candidate> candidates, List<Tier> tiers, boolean evenly) {
    List<String> types = draft.missing();
    types.sort(Comparator.comparingInt(type -> finder.index().withType(type).size()));
    int before;
    do {
      before = draft.moves().size();
      for (Tier tier : tiers) {
        for (Candidate candidate : candidates) {
          types.forEach(type -> tryTier(draft, candidate, type, tier, evenly));
        }
      }
    } while (draft.open() > 0 && draft.moves().size() > before);
  }

  private void leftOverFirst(Draft draft, Draft before, List<Candidate> candidates) {
    List<Candidate> order = new ArrayList<>(candidates);
    Collections.shuffle(order, random);
    order.sort(Comparator.comparing(candidate -> !before.isStuck(candidate)));
    List<String> types = draft.missing();
    types.sort(Comparator.comparing(type -> !before.missing().contains(type)));
    for (String type : types) {
      for (Candidate candidate : order) {
        Tier.ALL.forEach(tier -> tryTier(draft, candidate, type, tier, false));
      }
    }
  }

  private void tryTier(Draft draft, Candidate candidate, String type, Tier tier, boolean evenly) {
    if (draft.isOpen(candidate, type)) {
      NodeView target = finder.find(draft, candidate, type, tier, evenly);
      if (target != null) {
        draft.add(candidate, target, type);
      }
    }
  }
}
