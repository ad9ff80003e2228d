package io.evenkeel.placement.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.placement.core.LoadTree.Scope;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The tree against a scan of all DataNodes. */
@Tag("once")
class LoadTreeTest {
  private final SplittableRandom random = new SplittableRandom(5);
  private HostTopology topology;
  private double[] loads;
  private LoadTree tree;
  private BitSet out;

  private void newCluster() {
    List<HostTopology.Place> places = new ArrayList<>();
    int racks = random.nextInt(1, 6);
    int hosts = random.nextInt(1, 5);
    for (int n = random.nextInt(1, 60); n > 0; n--) {
      int rack = random.nextInt(racks);
      places.add(new HostTopology.Place("r" + rack, "r" + rack + "h" + random.nextInt(hosts)));
    }
    topology = HostTopology.of(places);
    loads = new double[topology.nodes()];
    Arrays.fill(loads, LoadTree.NONE);
    tree = new LoadTree(topology, random::nextDouble);
  }

  private void change() {
    for (int i = 0; i < 3; i++) {
      int node = random.nextInt(topology.nodes());
      loads[node] =
          random.nextInt(10) == 0 ? LoadTree.NONE : random.nextInt(-10, 30) + random.nextDouble();
      tree.set(node, loads[node]);
    }
    out = new BitSet();
    int parts = random.nextInt(1, 5);
    for (int node = 0; node < topology.nodes(); node++) {
      out.set(node, parts > 1 && random.nextInt(parts) == 0);
    }
  }

  private double leastOf(IntPredicate scope) {
    return IntStream.range(0, topology.nodes())
        .filter(n -> scope.test(n) && !out.get(n))
        .mapToDouble(n -> loads[n])
        .min()
        .orElse(LoadTree.NONE);
  }

  private BlockTargets targets() {
    BlockTargets targets = new BlockTargets(topology, 1);
    out.stream().forEach(targets::refuse);
    return targets;
  }

  private void check(Scope scope, IntPredicate within) {
    int node = tree.least(scope, targets(), tree);
    double least = leastOf(within);
    if (least == LoadTree.NONE) {
      assertThat(node).isEqualTo(-1);
    } else {
      assertThat(within.test(node) && !out.get(node)).isTrue();
      assertThat(loads[node]).isEqualTo(least);
    }
  }

  @Test
  void least_everyScope_agreesWithAScan() {
    for (int i = 0; i < 300; i++) {
      newCluster();
      for (int j = 0; j < 60; j++) {
        change();
        int host = random.nextInt(topology.hosts());
        int rack = random.nextInt(topology.racks());
        check(Scope.ANYWHERE, n -> true);
        check(Scope.host(host), n -> topology.hostOf(n) == host);
        check(Scope.rack(rack), n -> topology.rackOf(n) == rack);
        check(Scope.otherRacks(rack), n -> topology.rackOf(n) != rack);
      }
    }
  }

  @Test
  void least_pair_isTheLeastOfARackAmongTheCheapest() {
    for (int i = 0; i < 300; i++) {
      newCluster();
      for (int j = 0; j < 60; j++) {
        change();
        checkPair(random.nextInt(topology.racks()));
      }
    }
  }

  private void checkPair(int except) {
    int node = tree.least(Scope.pairInOtherRacks(except), targets(), tree);
    double cheapest = LoadTree.NONE;
    for (int rack = 0; rack < topology.racks(); rack++) {
      cheapest = Math.min(cheapest, rack == except ? LoadTree.NONE : cost(rack));
    }
    if (node < 0) {
      assertThat(cheapest).isEqualTo(LoadTree.NONE);
      return;
    }
    int rack = topology.rackOf(node);
    assertThat(rack).isNotEqualTo(except);
    assertThat(out.get(node)).isFalse();
    assertThat(loads[node]).isEqualTo(leastOf(n -> topology.rackOf(n) == rack));
    assertThat(cost(rack)).isLessThanOrEqualTo(cheapest + LoadTree.AMONG_RACKS);
  }

  /** Never below what the rack costs when all its DataNodes are to be had. */
  private double cost(int rack) {
    BitSet refused = out;
    double cost = costOfRest(rack);
    out = new BitSet();
    cost = Math.max(cost, costOfRest(rack));
    out = refused;
    return cost;
  }

  /** The load of its second host and a part of that of its first, those refused left out. */
  private double costOfRest(int rack) {
    double[] hosts =
        IntStream.range(topology.firstHostOfRack(rack), topology.firstHostOfRack(rack + 1))
            .mapToDouble(h -> leastOf(n -> topology.hostOf(n) == h))
            .sorted()
            .toArray();
    double second = hosts.length < 2 || hosts[1] == LoadTree.NONE ? hosts[0] : hosts[1];
    return second + LoadTree.PER_LESSER * hosts[0];
  }

  @Test
  void least_pairOfEqualRacks_chanceUsesThemAll() {
    topology = FakeCluster.of("a:1,1 b:1,1 c:1,1 d:1,1").topology;
    tree = new LoadTree(topology, random::nextDouble);
    for (int n = 0; n < 8; n++) {
      tree.set(n, n < 6 ? n * 0.2 : 50);
    }
    int[] found = new int[4];
    for (int i = 0; i < 300; i++) {
      found[
          topology.rackOf(
              tree.least(Scope.pairInOtherRacks(0), new BlockTargets(topology, 1), tree))]++;
    }
    assertThat(found[0]).isZero();
    assertThat(found[1]).isBetween(100, 280);
    assertThat(found[2]).isBetween(20, 200);
    assertThat(found[3]).as("far more loaded").isZero();
  }

  /** Whatever limits close as a whole, the least is that of a scan. */
  @Test
  void least_limitsAndSoftHosts_agreesWithAScan() {
    for (int i = 0; i < 300; i++) {
      newCluster();
      for (int j = 0; j < 30; j++) {
        change();
        BlockTargets targets = targets();
        for (int k = random.nextInt(5); k > 0; k--) {
          targets.chose(random.nextInt(topology.nodes()));
        }
        targets.maintenanceHost(random.nextInt(topology.hosts()));
        targets.avoidMaintenanceHosts = random.nextBoolean();
        targets.hostLimit = random.nextInt(1, 3);
        targets.rackLimit = random.nextInt(1, 4);
        double least =
            IntStream.range(0, topology.nodes())
                .filter(targets::admits)
                .mapToDouble(n -> loads[n])
                .min()
                .orElse(LoadTree.NONE);
        int node = tree.least(Scope.ANYWHERE, targets, tree);
        assertThat(node < 0 ? LoadTree.NONE : loads[node]).isEqualTo(least);
        assertThat(node < 0 || targets.admits(node)).isTrue();
      }
    }
  }

  @Test
  void setAll_isTheSameAsOneByOne() {
    for (int i = 0; i < 50; i++) {
      newCluster();
      for (int j = 0; j < 10; j++) {
        change();
      }
      tree = new LoadTree(topology, random::nextDouble);
      tree.setAll(n -> loads[n]);
      out = new BitSet();
      check(Scope.ANYWHERE, n -> true);
      checkPair(random.nextInt(topology.racks()));
    }
  }

  private static FakeCluster racks(int racks) {
    List<HostTopology.Place> places = new ArrayList<>();
    for (int n = 0; n < 2 * racks; n++) {
      String rack = String.format("r%05d", n / 2);
      places.add(new HostTopology.Place(rack, rack + "h" + n % 2));
    }
    return new FakeCluster(places);
  }

  @Test
  void least_pairOfManyEqualRacks_chanceUsesThemAllAndFewAreComparedEachTime() {
    topology = racks(300).topology;
    tree = new LoadTree(topology, random::nextDouble);
    for (int n = 0; n < topology.nodes(); n++) {
      tree.set(n, 1);
    }
    int[] found = new int[300];
    for (int i = 0; i < 30_000; i++) {
      found[
          topology.rackOf(
              tree.least(Scope.pairInOtherRacks(7), new BlockTargets(topology, 1), tree))]++;
    }
    assertThat(found[7]).isZero();
    found[7] = 100;
    assertThat(Arrays.stream(found).min().orElse(0)).as("100 is the mean").isGreaterThan(30);
    assertThat(Arrays.stream(found).max().orElse(0))
        .as("the least is always among those compared")
        .isLessThan(2 * 30_000 / LoadTree.RACKS_COMPARED);
    assertThat(tree.racksExamined()).isLessThan(30_000 * (LoadTree.RACKS_COMPARED + 8L));
  }
}
