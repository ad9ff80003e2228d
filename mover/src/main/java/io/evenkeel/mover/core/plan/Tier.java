package io.evenkeel.mover.core.plan;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** DataNodes that are equally good as a target: by their use, then by their distance. */
final class Tier {
  /** All of them, best first. */
  static final List<Tier> ALL = all();

  private final NodeView.Use use;
  private final Distance distance;

  private Tier(NodeView.Use use, Distance distance) {
    this.use = use;
    this.distance = distance;
  }

  private static List<Tier> all() {
    List<Tier> tiers = new ArrayList<>();
    for (NodeView.Use use : new NodeView.Use[] {NodeView.Use.TARGET, NodeView.Use.LAST_CHOICE}) {
      for (Distance distance : Distance.values()) {
        tiers.add(new Tier(use, distance));
      }
    }
    return Collections.unmodifiableList(tiers);
  }

  /** Those with DataNodes of that use, best first. */
  static List<Tier> of(NodeView.Use use) {
    List<Tier> tiers = new ArrayList<>(ALL);
    tiers.removeIf(tier -> tier.use != use);
    return tiers;
  }

  NodeView.Use use() {
    return use;
  }

  Distance distance() {
    return distance;
  }
}
