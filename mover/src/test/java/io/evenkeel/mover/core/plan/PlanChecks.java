package io.evenkeel.mover.core.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What must hold of any plan, worked out from the block alone and in another way. */
final class PlanChecks {
  private final RandomCluster cluster;
  private final Map<String, List<Long>> space = new HashMap<>();
  private BlockView block;
  private boolean striped;
  private Exclusions exclusions;
  private Map<String, Integer> surplus;
  private Map<String, Integer> missing;

  PlanChecks(RandomCluster cluster) {
    this.cluster = cluster;
    for (NodeView node : cluster.view().nodes()) {
      node.remaining().forEach((t, v) -> space.put(node.uuid() + t, new ArrayList<>(v)));
    }
  }

  /** Checks the plan of a block and takes its space. Returns the number of local moves. */
  int check(BlockPlan plan, BlockView newBlock, WantedTypes wantedTypes, Exclusions newExclusions) {
    block = newBlock;
    striped = wantedTypes.isStriped();
    exclusions = newExclusions;
    difference(wantedTypes.typesFor(block));
    int wrong = Math.min(sum(surplus), sum(missing));
    assertThat(plan.wrong()).isEqualTo(wrong);
    assertThat(plan.moves()).hasSizeLessThanOrEqualTo(wrong);
    assertThat(plan.obstacles().isEmpty()).isEqualTo(plan.moves().size() == wrong);
    assertThat(plan.obstacles()).doesNotHaveDuplicates();
    int most = mostLocal(0, new HashMap<>(surplus), new HashMap<>(missing));
    long inside = plan.moves().stream().filter(ReplicaMove::isLocal).count();
    if (surplus.size() <= 1 || missing.size() <= 1) {
      assertThat(inside).isEqualTo(most);
    } else { // each move inside takes the place of two at most
      assertThat(2 * inside).isGreaterThanOrEqualTo(most);
    }
    plan.moves().forEach(this::typesAndSpace);
    List<String> holders = placement(plan);
    if (plan.moves().size() < wrong) {
      cannotBeExtended(plan, holders);
    }
    return most;
  }

  private void difference(List<String> wanted) {
    surplus = new HashMap<>();
    missing = new HashMap<>();
    for (String type : RandomCluster.TYPES) {
      long have = block.replicas().stream().filter(r -> r.type().equals(type)).count();
      long want = wanted.stream().filter(type::equals).count();
      surplus.put(type, (int) Math.max(0, have - want));
      missing.put(type, (int) Math.max(0, want - have));
    }
  }

  private static int sum(Map<String, Integer> counts) {
    return counts.values().stream().mapToInt(Integer::intValue).sum();
  }

  /** The most local moves there can be, by trying everything. */
  private int mostLocal(int at, Map<String, Integer> from, Map<String, Integer> to) {
    if (at == block.replicas().size()) {
      return 0;
    }
    int most = mostLocal(at + 1, from, to);
    Replica replica = block.replicas().get(at);
    if (from.getOrDefault(replica.type(), 0) == 0) {
      return most;
    }
    for (String type : RandomCluster.TYPES) {
      if (to.get(type) > 0
          && fits(replica.node(), type, replica)
          && !refused(replica.node(), type)) {
        from.merge(replica.type(), -1, Integer::sum);
        to.merge(type, -1, Integer::sum);
        most = Math.max(most, 1 + mostLocal(at + 1, from, to));
        from.merge(replica.type(), 1, Integer::sum);
        to.merge(type, 1, Integer::sum);
      }
    }
    return most;
  }

  private boolean refused(String node, String type) {
    return exclusions.isRefused(node, type);
  }

  private boolean fits(String node, String type, Replica replica) {
    return space.getOrDefault(node + type, List.of()).stream().anyMatch(v -> v >= replica.bytes());
  }

  private void typesAndSpace(ReplicaMove move) {
    Replica replica = move.replica();
    assertThat(block.replicas()).contains(replica);
    assertThat(surplus.merge(replica.type(), -1, Integer::sum)).isNotNegative();
    assertThat(missing.merge(move.targetType(), -1, Integer::sum)).isNotNegative();
    assertThat(cluster.view().node(replica.node())).isNotNull();
    assertThat(refused(move.target(), move.targetType())).isFalse();
    assertThat(fits(move.target(), move.targetType(), replica)).isTrue();
    List<Long> volumes = space.get(move.target() + move.targetType());
    long largest = volumes.stream().mapToLong(Long::longValue).max().orElseThrow();
    volumes.set(volumes.indexOf(largest), largest - replica.bytes());
  }

  /** Holders after the moves, each host once at any time, each move agreed with. */
  private List<String> placement(BlockPlan plan) {
    List<String> holders = new ArrayList<>();
    for (Replica replica : block.replicas()) {
      if (cluster.view().node(replica.node()) != null) {
        holders.add(replica.node());
      }
    }
    int before = holders.size();
    Set<Replica> moved = new HashSet<>();
    for (ReplicaMove move : plan.moves()) {
      assertThat(moved.add(move.replica())).isTrue();
      String source = move.replica().node();
      if (move.isLocal()) {
        assertThat(move.proxy()).isEqualTo(move.target());
        continue;
      }
      assertThat(exclusions.isPinned(move.replica())).isFalse();
      assertThat(allowed(plan, move, holders, move.target())).isTrue();
      assertThat(holders).contains(move.proxy().equals(source) ? source : move.proxy());
      assertThat(striped && !move.proxy().equals(source)).isFalse();
      holders.set(holders.indexOf(source), move.target());
    }
    Set<String> hosts = new HashSet<>();
    holders.forEach(node -> assertThat(hosts.add(cluster.view().node(node).host())).isTrue());
    assertThat(holders).doesNotHaveDuplicates().hasSize(before);
    return holders;
  }

  private boolean allowed(BlockPlan plan, ReplicaMove move, List<String> holders, String target) {
    String source = move.replica().node();
    NodeView node = cluster.view().node(target);
    if (node.use() == NodeView.Use.SOURCE_ONLY || holders.contains(target)) {
      return false;
    }
    for (Replica other : block.replicas()) {
      NodeView place = cluster.view().node(other.node());
      boolean sameHost = place != null && place.host().equals(node.host());
      if (other.node().equals(target) || sameHost && !other.node().equals(source)) {
        return false;
      }
    }
    for (ReplicaMove other : plan.moves()) {
      String host = cluster.view().node(other.target()).host();
      if (!other.replica().equals(move.replica()) && !other.isLocal() && host.equals(node.host())) {
        return false;
      }
    }
    return cluster.movable().isMovable(striped, List.copyOf(holders), source, target);
  }

  /** No move could be added: the plan stops for a reason. */
  private void cannotBeExtended(BlockPlan plan, List<String> holders) {
    Set<Replica> moved = new HashSet<>();
    plan.moves().forEach(move -> moved.add(move.replica()));
    for (Replica replica : block.replicas()) {
      boolean live = cluster.view().node(replica.node()) != null;
      boolean stuck = !moved.contains(replica) && surplus.getOrDefault(replica.type(), 0) > 0;
      if (!live || !stuck || exclusions.isPinned(replica)) {
        continue;
      }
      for (NodeView node : cluster.view().nodes()) {
        for (String type : RandomCluster.TYPES) {
          if (missing.get(type) > 0
              && fits(node.uuid(), type, replica)
              && !refused(node.uuid(), type)) {
            ReplicaMove more = new ReplicaMove(replica, 7, node.uuid(), type, replica.node());
            assertThat(allowed(plan, more, holders, node.uuid())).as(more.toString()).isFalse();
          }
        }
      }
    }
  }
}
