package io.evenkeel.placement.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.placement.core.BlockTargets.Relaxation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A thousand random clusters, some requests on each, every replica checked by a scan. */
@Tag("once")
class PlacementFuzzTest {
  private static final int CLUSTERS = 1_000;
  private static final int REQUESTS = 12;

  private SplittableRandom random;
  private FakeCluster cluster;
  private BlockRequest request;
  private FakeChecks targets;

  private FakeCluster newCluster() {
    List<HostTopology.Place> places = new ArrayList<>();
    int racks = random.nextInt(1, 5);
    for (int r = 0; r < racks; r++) {
      for (int h = random.nextInt(1, 5); h > 0; h--) {
        for (int d = random.nextInt(1, 5); d > 0; d--) {
          places.add(new HostTopology.Place("r" + r, "r" + r + "h" + h));
        }
      }
    }
    if (random.nextInt(10) == 0) {
      places.add(new HostTopology.Place("s", "r0h1"));
    }
    FakeCluster made = new FakeCluster(places);
    boolean oneType = random.nextBoolean();
    boolean allServe = random.nextBoolean();
    for (int n = 0; n < made.topology.nodes(); n++) {
      made.types[n] = oneType ? 1 : random.nextInt(1, 4);
      made.inService[n] = allServe || random.nextInt(4) > 0;
      made.weight[n] = random.nextInt(1, 4);
    }
    return made;
  }

  private int[] some(int most) {
    return IntStream.range(0, random.nextInt(most + 1))
        .map(i -> random.nextInt(cluster.topology.nodes()))
        .distinct()
        .toArray();
  }

  private void newRequest() {
    int replicas = random.nextInt(1, 11);
    request = new BlockRequest(replicas);
    switch (random.nextInt(4)) {
      case 0 -> request.sharedHostsAfter(Integer.MAX_VALUE);
      case 1 -> request.sharedHostsAfter(random.nextInt(1, 6));
      default -> {}
    }
    if (random.nextInt(3) == 0) {
      request.chosen(some(4));
    }
    request.excluded(random.nextBoolean() ? some(cluster.topology.nodes()) : new int[0]);
    for (int node : random.nextInt(3) == 0 ? some(3) : new int[0]) {
      request.maintenanceHost(cluster.topology.hostOf(node));
    }
    if (random.nextInt(4) > 0) {
      int racks = (int) IntStream.range(0, cluster.topology.racks()).filter(this::serves).count();
      request.rackLimit(
          PlacementRules.REPLICATED.rackLimit(replicas + request.chosen.length, racks));
    }
    int node = random.nextInt(cluster.topology.nodes());
    switch (random.nextInt(4)) {
      case 0 -> request.writtenOn(cluster.topology, node);
      case 1 -> request.writtenOnHost(cluster.topology, cluster.topology.hostOf(node), true);
      case 2 -> request.writtenInRack(cluster.topology.rackOf(node), false);
      default -> {}
    }
    int ssd = random.nextInt(3) == 0 ? random.nextInt(replicas + 1) : 0;
    targets = new FakeChecks(cluster, replicas - ssd, ssd);
    for (int refused : random.nextInt(3) == 0 ? some(6) : new int[0]) {
      targets.refused.set(refused);
    }
  }

  private boolean serves(int rack) {
    return IntStream.range(cluster.topology.firstNodeOfRack(rack), cluster.topology.endOfRack(rack))
        .anyMatch(n -> cluster.inService[n]);
  }

  @Test
  void replicated_randomRequests_noRuleGivesWayWithoutNeed() {
    for (int i = 0; i < CLUSTERS; i++) {
      random = new SplittableRandom(i);
      cluster = newCluster();
      PlacementEngine engine = cluster.engine(i);
      for (int j = 0; j < REQUESTS; j++) {
        newRequest();
        BlockTargets placement = engine.replicated(request, targets);
        checkReplicated(placement);
      }
    }
  }

  private void checkReplicated(BlockTargets placement) {
    Oracle oracle = new Oracle(cluster, request, targets);
    int most = bound(false);
    int hosts = bound(true);
    Map<Relaxation, Integer> relaxed = new EnumMap<>(Relaxation.class);
    int[] nodes = placement.nodes();
    for (int i = 0; i < nodes.length; i++) {
      oracle.wants(targets.wantedBefore.get(i));
      expect(oracle, nodes[i], relaxed);
      oracle.step(nodes[i]);
    }
    for (Relaxation relaxation : Relaxation.values()) {
      assertThat(placement.relaxations(relaxation))
          .as("%s", relaxation)
          .isEqualTo(relaxed.getOrDefault(relaxation, 0));
    }
    oracle.wants(targets.wantedTypes());
    if (nodes.length < request.replicas) {
      assertThat(oracle.any(n -> oracle.mayShare() || oracle.onHost(n) == 0)).isFalse();
    }
    if (most >= 0) {
      int wanted = request.replicas;
      assertThat(nodes).hasSize(Math.min(wanted, oracle.mayShare() ? most : hosts));
      int own = nodes.length - relaxed.getOrDefault(Relaxation.SHARED_HOST, 0);
      assertThat(own).isEqualTo(Math.min(wanted, hosts));
    }
    assertThat(placement.mostOnOneHost())
        .isEqualTo(oracle.held.stream().mapToInt(n -> (int) oracle.onHost(n)).max().orElse(0));
  }

  private static void expect(Oracle oracle, int node, Map<Relaxation, Integer> relaxed) {
    boolean shared = oracle.onHost(node) > 0;
    IntPredicate place = oracle.place();
    boolean off = place != null && !place.test(node);
    boolean first = oracle.held.isEmpty();
    count(relaxed, Relaxation.SHARED_HOST, shared);
    count(relaxed, Relaxation.MAINTENANCE_HOST, !shared && oracle.soft(node));
    count(relaxed, Relaxation.ONE_RACK, oracle.onlyRack() == oracle.topology.rackOf(node));
    count(relaxed, Relaxation.NOT_LOCAL, off && first);
    count(relaxed, Relaxation.SHAPE, off && !first);
  }

  private static void count(Map<Relaxation, Integer> relaxed, Relaxation what, boolean now) {
    relaxed.merge(what, now ? 1 : 0, Integer::sum);
  }

  /**
   * The most replicas any order of choices could place, on hosts of their own or not; -1 where
   * racks and types are not all that limits them.
   */
  private int bound(boolean ownHosts) {
    HostTopology topology = cluster.topology;
    if (targets.wantedTypesEver() == 0b11 || topology.rackOf("s") >= 0) {
      return -1;
    }
    Oracle oracle = new Oracle(cluster, request, targets);
    oracle.wants(targets.wantedTypesEver());
    int sum = 0;
    for (int rack = 0; rack < topology.racks(); rack++) {
      Set<Integer> places = new HashSet<>();
      for (int n = topology.firstNodeOfRack(rack); n < topology.endOfRack(rack); n++) {
        if (oracle.eligible(n, Integer.MAX_VALUE) && !(ownHosts && oracle.onHost(n) > 0)) {
          places.add(ownHosts ? topology.hostOf(n) : n);
        }
      }
      long free = Math.max(0, request.rackLimit - oracle.inRack(rack));
      sum += (int) Math.min(free, places.size());
    }
    return sum;
  }

  @Test
  void striped_randomRequests_everyUnitWhereThereAreFewest() {
    for (int i = 0; i < CLUSTERS; i++) {
      random = new SplittableRandom(i);
      cluster = newCluster();
      PlacementEngine engine = cluster.engine(i);
      for (int j = 0; j < REQUESTS; j++) {
        newRequest();
        checkStriped(engine.striped(request, targets).nodes());
      }
    }
  }

  private void checkStriped(int... nodes) {
    Oracle oracle = new Oracle(cluster, request, targets);
    for (int i = 0; i < nodes.length; i++) {
      oracle.wants(targets.wantedBefore.get(i));
      boolean local = oracle.held.isEmpty() && request.writerNode >= 0;
      if (local
          && oracle.eligible(request.writerNode, 1)
          && (!oracle.soft(request.writerNode) || !oracle.any(n -> !oracle.soft(n)))) {
        assertThat(nodes[i]).isEqualTo(request.writerNode);
      }
      assertThat(oracle.onHost(nodes[i]) == 0 || oracle.mayShare()).as("a shared host").isTrue();
      oracle.unit(nodes[i]);
    }
    oracle.wants(targets.wantedTypes());
    if (nodes.length < request.replicas) {
      int[] left =
          IntStream.range(0, cluster.topology.nodes())
              .filter(n -> oracle.eligible(n, Integer.MAX_VALUE))
              .filter(n -> oracle.onHost(n) == 0 || oracle.mayShare())
              .toArray();
      assertThat(left).as(Arrays.toString(nodes)).isEmpty();
    }
  }
}
