package io.evenkeel.mover.core.plan;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/** A random small cluster with a rule, blocks in it and what is known about them. */
final class RandomCluster {
  static final List<String> TYPES = List.of("ARCHIVE", "DISK", "NVDIMM", "SSD");

  private final Random random;
  private final List<NodeView> nodes = new ArrayList<>();
  private final ClusterView view;
  private final MovableRule rule;

  RandomCluster(long seed) {
    random = new Random(seed);
    boolean groups = random.nextBoolean();
    int racks = 1 + random.nextInt(3);
    int hosts = 2 + random.nextInt(10);
    int size = 1 + random.nextInt(10);
    for (int i = 0; i < size; i++) {
      int host = random.nextInt(hosts);
      String rack = "/r" + host % racks;
      String location = groups ? rack + "/g" + host % (2 * racks) : rack;
      NodeView.Use use = NodeView.Use.values()[Math.max(0, random.nextInt(6) - 3)];
      nodes.add(new NodeView("n" + i, location, "h" + host, use, volumes()));
    }
    view = new ClusterView(nodes, groups, false, 0);
    rule = rule();
  }

  private Map<String, List<Long>> volumes() {
    Map<String, List<Long>> volumes = new HashMap<>();
    for (String type : TYPES) {
      List<Long> sizes = new ArrayList<>();
      for (int i = random.nextInt(4); i > 0; i--) {
        sizes.add((long) random.nextInt(40));
      }
      if (random.nextBoolean()) {
        volumes.put(type, sizes);
      }
    }
    return volumes;
  }

  private MovableRule rule() {
    return switch (random.nextInt(3)) {
      case 0 -> (striped, replicas, source, target) -> true;
      case 1 -> {
        int salt = random.nextInt();
        yield (striped, replicas, source, target) ->
            ((source + target + new HashSet<>(replicas)).hashCode() * 31 + salt) % 3 != 0;
      }
      default -> this::keepsRacks;
    };
  }

  private boolean keepsRacks(boolean striped, List<String> replicas, String from, String to) {
    Set<String> before = new HashSet<>();
    Set<String> after = new HashSet<>();
    for (String replica : replicas) {
      before.add(view.node(replica).location());
      after.add(view.node(replica.equals(from) ? to : replica).location());
    }
    return after.size() >= before.size();
  }

  ClusterView view() {
    return view;
  }

  MovableRule movable() {
    return rule;
  }

  /** A block on hosts of its own, now and then on a DataNode that is not live. */
  BlockView block(boolean striped) {
    List<NodeView> order = new ArrayList<>(nodes);
    Collections.shuffle(order, random);
    Set<String> hosts = new HashSet<>();
    List<Replica> replicas = new ArrayList<>();
    int most = 1 + random.nextInt(6);
    for (NodeView node : order) {
      if (replicas.size() < most && hosts.add(node.host())) {
        boolean gone = random.nextInt(12) == 0;
        replicas.add(replica(gone ? "gone" + node.uuid() : node.uuid(), striped, replicas.size()));
      }
    }
    return new BlockView(1, 7, 60, replicas, false);
  }

  private Replica replica(String node, boolean striped, int index) {
    String type = random.nextInt(15) == 0 ? "RAM_DISK" : type();
    return new Replica(node, type, striped ? index : 1, striped ? index : 1 + random.nextInt(9));
  }

  private String type() {
    return TYPES.get(random.nextInt(TYPES.size()));
  }

  /** What is asked for: as many as there are replicas, or about that. */
  List<String> wanted(BlockView block) {
    List<String> wanted = new ArrayList<>();
    String usual = type();
    int size = Math.max(1, block.replicas().size() + random.nextInt(3) - 1);
    while (wanted.size() < size) {
      wanted.add(random.nextInt(3) > 0 ? usual : random.nextInt(15) == 0 ? "PROVIDED" : type());
    }
    return wanted;
  }

  /** Some pins and refusals. */
  Exclusions exclusions() {
    int salt = random.nextInt();
    int pins = 2 + random.nextInt(5);
    return new Exclusions() {
      @Override
      public boolean isPinned(Replica replica) {
        return (replica.node().hashCode() + salt) % pins == 0;
      }

      @Override
      public boolean isRefused(String node, String type) {
        return ((node + type).hashCode() + salt) % 9 == 0;
      }
    };
  }
}
