package io.evenkeel.mover.core.plan;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/** A cluster, a block of 10 bytes and what is asked for it, in few words. */
final class PlanScene {
  private final List<NodeView> nodes = new ArrayList<>();
  private final Set<String> pinned = new HashSet<>();
  private final Set<String> refused = new HashSet<>();
  private MovableRule rule = (striped, replicas, source, target) -> true;
  private boolean nodeGroups;
  private boolean striped;
  private boolean corrupt;
  private long seed = 1;
  private long roomForRemote;
  private BlockPlanner planner;

  /**
   * A node: {@code "dn1 /r1 SSD=100,50 DISK=100"}, also {@code host=h}, {@code slow}, {@code
   * closed}.
   */
  PlanScene node(String text) {
    String[] words = text.split(" ");
    String host = words[0];
    NodeView.Use use = NodeView.Use.TARGET;
    Map<String, List<Long>> remaining = new HashMap<>();
    for (String word : Arrays.asList(words).subList(2, words.length)) {
      if (word.equals("slow")) {
        use = NodeView.Use.LAST_CHOICE;
      } else if (word.equals("closed")) {
        use = NodeView.Use.SOURCE_ONLY;
      } else if (word.startsWith("host=")) {
        host = word.substring(5);
      } else {
        String[] parts = word.split("=");
        remaining.put(parts[0], Arrays.stream(parts[1].split(",")).map(Long::valueOf).toList());
      }
    }
    nodes.add(new NodeView(words[0], words[1], host, use, remaining));
    return this;
  }

  PlanScene nodes(String... texts) {
    for (String text : texts) {
      node(text);
    }
    return this;
  }

  PlanScene pinned(String node) {
    pinned.add(node);
    return this;
  }

  PlanScene refused(String node, String type) {
    refused.add(node + " " + type);
    return this;
  }

  PlanScene rule(MovableRule newRule) {
    rule = newRule;
    return this;
  }

  PlanScene nodeGroups() {
    nodeGroups = true;
    return this;
  }

  PlanScene striped() {
    striped = true;
    return this;
  }

  PlanScene corrupt() {
    corrupt = true;
    return this;
  }

  PlanScene roomForRemote(long bytes) {
    roomForRemote = bytes;
    return this;
  }

  PlanScene seed(long newSeed) {
    seed = newSeed;
    return this;
  }

  /**
   * Plans {@code "dn1:DISK dn2:DISK"} for {@code "SSD SSD"}; always by the same planner. A third
   * part, as in {@code dn1:DISK:7}, is the id of the internal block.
   */
  BlockPlan plan(String replicas, String wanted) {
    if (planner == null) {
      ClusterView view = new ClusterView(nodes, nodeGroups, false, roomForRemote);
      planner = new BlockPlanner(view, rule, new Random(seed));
    }
    List<Replica> all = new ArrayList<>();
    for (String replica : replicas.split(" ")) {
      String[] parts = replica.split(":");
      long id = parts.length > 2 ? Long.parseLong(parts[2]) : striped ? 1 + all.size() : 1;
      all.add(new Replica(parts[0], parts[1], id, 10));
    }
    List<String> types = Arrays.asList(wanted.split(" "));
    WantedTypes wantedTypes =
        new WantedTypes("policy", types.size(), striped, true, count -> types);
    return planner.plan(new BlockView(1, 1001, 10, all, corrupt), wantedTypes, exclusions());
  }

  private Exclusions exclusions() {
    return new Exclusions() {
      @Override
      public boolean isPinned(Replica replica) {
        return pinned.contains(replica.node());
      }

      @Override
      public boolean isRefused(String node, String type) {
        return refused.contains(node + " " + type);
      }

      @Override
      public boolean isUnreadable(String node) {
        return refused.contains(node + " read");
      }

      @Override
      public boolean isAwaited(String node) {
        return refused.contains(node + " awaited");
      }
    };
  }

  /** The moves of a plan as {@code "dn1>SSD"} or {@code "dn1>dn4:SSD"}, sorted. */
  static List<String> moves(BlockPlan plan) {
    return plan.moves().stream()
        .map(m -> m.replica().node() + ">" + (m.isLocal() ? "" : m.target() + ":") + m.targetType())
        .sorted()
        .toList();
  }
}
