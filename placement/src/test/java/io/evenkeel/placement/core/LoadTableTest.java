package io.evenkeel.placement.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.evenkeel.placement.core.LoadTree.Scope;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("once")
class LoadTableTest {
  private static final double EVER = Double.POSITIVE_INFINITY;

  private final FakeCluster cluster = FakeCluster.of("a:2,2 b:2,2");
  private final BlockTargets anyone = new BlockTargets(cluster.topology, 1);

  private static LoadTable table(FakeCluster cluster) {
    return table(cluster, LoadTable.PER_SCHEDULED, LoadTable.HALF_LIFE);
  }

  private static LoadTable table(FakeCluster cluster, double perScheduled, double halfLife) {
    LoadTable table =
        new LoadTable(
            cluster.topology,
            cluster,
            perScheduled,
            halfLife,
            false,
            new SplittableRandom(2)::nextDouble);
    table.refreshAll();
    return table;
  }

  private static void give(LoadTable table, int node, int blocks) {
    for (int i = 0; i < blocks; i++) {
      table.give(node);
    }
  }

  private static int[] takes(LoadTable table, FakeCluster cluster, Scope scope, int count) {
    int[] taken = new int[cluster.topology.nodes()];
    BlockTargets targets = new BlockTargets(cluster.topology, 1);
    for (int i = 0; i < count; i++) {
      taken[table.take(scope, targets)]++;
    }
    return taken;
  }

  /** The same with a look after each block, when it is no longer in flight. */
  private static int[] takesOf(LoadTable table, FakeCluster cluster, Scope scope, int count) {
    int[] taken = new int[cluster.topology.nodes()];
    for (int i = 0; i < count; i++) {
      int[] one = takes(table, cluster, scope, 1);
      Arrays.setAll(taken, n -> taken[n] + one[n]);
      table.refresh();
    }
    return taken;
  }

  @Test
  void take_nothingElseKnown_isEven() {
    LoadTable table = table(cluster, 16, EVER);
    assertThat(takes(table, cluster, Scope.ANYWHERE, 800)).containsOnly(100);
    assertThat(takes(table, cluster, Scope.host(1), 20)).startsWith(0, 0, 10, 10).endsWith(0, 0);
  }

  @Test
  void take_weights_areProportional() {
    for (int n = 0; n < 8; n++) {
      cluster.weight[n] = n % 2 == 0 ? 20 : 30;
    }
    int[] taken = takesOf(table(cluster, 16, EVER), cluster, Scope.ANYWHERE, 1_000);
    for (int n = 0; n < 8; n++) {
      assertThat(taken[n]).isCloseTo(n % 2 == 0 ? 100 : 150, within(1));
    }
  }

  @Test
  void take_ties_areRandom() {
    LoadTable table = table(cluster, 16, EVER);
    int[] first = new int[8];
    for (int i = 0; i < 400; i++) {
      first[table.take(Scope.ANYWHERE, anyone)]++;
      takes(table, cluster, Scope.ANYWHERE, 7);
    }
    assertThat(Arrays.stream(first).min().orElse(0)).isGreaterThan(20);
  }

  @Test
  void give_andGiveBack_moveTheLead() {
    LoadTable table = table(cluster);
    give(table, 3, 8);
    assertThat(table.lead(3)).isEqualTo(7);
    assertThat(table.lead(0)).isEqualTo(-1);
    assertThat(takes(table, cluster, Scope.host(1), 6)).startsWith(0, 0, 6, 0);
    for (int i = 0; i < 8; i++) {
      table.giveBack(3);
    }
    assertThat(table.lead(3)).isEqualTo(-6.0 / 8);
    assertThat(takes(table, cluster, Scope.host(1), 6)).startsWith(0, 0, 0, 6);
  }

  @Test
  void take_moreInFlightThanSeen_looksAgainBeforeItChooses() {
    LoadTable table = table(cluster);
    give(table, 0, 3);
    cluster.scheduled[1] = 4;
    assertThat(table.take(Scope.host(0), anyone)).isZero();
    cluster.scheduled[1] = 0;
    table.refreshAll();
    assertThat(table.take(Scope.host(0), anyone)).isEqualTo(1);
  }

  /** The NameNode counts a block only after it was chosen; who chooses meanwhile knows already. */
  @Test
  void take_givenSinceSeen_countsAsInFlight() {
    LoadTable table = table(cluster, 16, EVER);
    give(table, 1, 5);
    table.refreshAll();
    assertThat(table.take(Scope.host(0), anyone)).isZero();
    assertThat(table.take(Scope.host(0), anyone)).as("16 is more than 5").isOne();
    table.giveBack(0);
    assertThat(table.take(Scope.host(0), anyone)).isZero();
  }

  @Test
  void take_full_comesAfterAllWithRoomAndBeforeThoseThatRefused() {
    cluster.full[0] = 1;
    LoadTable table = table(cluster, 16, EVER);
    give(table, 1, 50);
    table.refreshAll();
    assertThat(table.take(Scope.host(0), anyone)).isOne();
    table.refused(1, new BlockTargets(cluster.topology, 1));
    assertThat(table.take(Scope.host(0), anyone)).isZero();
    table.refused(0, new BlockTargets(cluster.topology, 1));
    assertThat(table.take(Scope.host(0), anyone)).as("the earlier one").isOne();
    BlockTargets both = new BlockTargets(cluster.topology, 1);
    table.refused(1, both);
    table.refused(0, both);
    assertThat(table.take(Scope.host(0), anyone)).as("the less loaded one").isZero();
  }

  @Test
  void refresh_manyRefused_aFewAreTriedAgainEachTime() {
    LoadTable table = table(cluster, 16, EVER);
    for (int n = 0; n < 7; n++) {
      give(table, n, 1);
      table.refused(n, new BlockTargets(cluster.topology, 1));
    }
    give(table, 7, 50);
    int[] first = takes(table, cluster, Scope.ANYWHERE, 10);
    assertThat(first[7]).as("the others are asked after it").isEqualTo(10);
    table.refresh();
    int[] taken = takes(table, cluster, Scope.ANYWHERE, 8);
    assertThat(taken).containsExactlyInAnyOrder(4, 4, 0, 0, 0, 0, 0, 0);
    assertThat(LoadTable.RETRIED).isEqualTo(2);
  }

  @Test
  void refresh_firstOnesRefuseForEver_othersAreTriedAgainAllTheSame() {
    FakeCluster many = FakeCluster.of("a:24,24 b:24,24");
    LoadTable table = table(many);
    assertThat(triedAgain(table, many, () -> table.refresh(), 1_000)).isGreaterThan(1_000 / 96);
  }

  @Test
  void refreshAll_firstOnesRefuseForEver_othersAreTriedAgainAllTheSame() {
    FakeCluster many = FakeCluster.of("a:64,64 b:64,64");
    LoadTable table = table(many);
    assertThat(triedAgain(table, many, () -> table.refreshAll(), 200)).isGreaterThan(10);
  }

  /** How often the one that is seldom tried again is, when all refuse whenever they are. */
  private static int triedAgain(LoadTable table, FakeCluster cluster, Runnable look, int looks) {
    int[] tried = new int[cluster.topology.nodes()];
    for (int i = 0; i <= looks; i++) {
      for (int n = 0; n < tried.length; n++) {
        if (table.refusedIn(n) == 0) {
          tried[n] += i == 0 ? 0 : 1;
          table.give(n);
          table.refused(n, new BlockTargets(cluster.topology, 1));
        }
      }
      look.run();
    }
    return Arrays.stream(tried).min().orElse(0);
  }

  @Test
  void take_leftSinceLastSeen_isNotChosen() {
    LoadTable table = table(cluster);
    give(table, 0, 10);
    cluster.inService[1] = false;
    assertThat(table.take(Scope.host(0), anyone)).isZero();
    assertThat(table.serving(1)).isFalse();
    cluster.inService[0] = false;
    assertThat(table.take(Scope.host(0), anyone)).isEqualTo(-1);
  }

  @Test
  void refresh_lead_fadesTowardsTheMean() {
    LoadTable table = table(cluster, 16, 100);
    give(table, 0, 80);
    double before = table.lead(0);
    for (int i = 1; i <= 100; i++) {
      table.refresh();
      assertThat(table.lead(0)).isPositive().isLessThan(before);
      assertThat(table.lead(1)).isNegative();
      before = table.lead(0);
    }
    // one round is 3 of 8 blocks per DataNode, and the others come to meet it
    assertThat(before).isLessThan(70 * Math.pow(0.5, 100 * 3.0 / 8 / 100) + 1).isPositive();
  }

  /** The tree follows the lead, though each look changes it by little. */
  @Test
  void refresh_leadFades_choiceFollows() {
    LoadTable table = table(cluster, 16, 1_000);
    give(table, 0, 80);
    for (int i = 0; i < 4_000; i++) {
      table.refresh();
    }
    int more = (int) Math.round(table.lead(0) - table.lead(1));
    assertThat(more).as("left of 80").isBetween(1, 60);
    int[] taken = takes(table, cluster, Scope.host(0), 200);
    assertThat(taken[1] - taken[0]).isCloseTo(more, within(2));
  }

  @Test
  void refresh_nothingChanged_isNotNoted() {
    AtomicInteger drawn = new AtomicInteger(); // by each look for its beginning, by each note
    LoadTable table =
        new LoadTable(
            cluster.topology,
            cluster,
            LoadTable.PER_SCHEDULED,
            LoadTable.HALF_LIFE,
            false,
            () -> {
              drawn.incrementAndGet();
              return 0.5;
            });
    table.refreshAll();
    assertThat(drawn.getAndSet(0)).as("first look").isEqualTo(1 + 8);
    table.refresh();
    assertThat(drawn.getAndSet(0)).isEqualTo(1);
    cluster.scheduled[2] = 5;
    cluster.inService[3] = false;
    table.refresh();
    assertThat(drawn.getAndSet(0)).as("of two").isEqualTo(1 + 2);
    table.refused(5, new BlockTargets(cluster.topology, 1));
    assertThat(drawn.getAndSet(0)).isEqualTo(1);
    table.refresh();
    assertThat(drawn.getAndSet(0)).as("no longer asked last").isEqualTo(1 + 1);
    table.refresh();
    assertThat(drawn).hasValue(1);
  }

  @Test
  void refresh_lag_isBounded() {
    LoadTable table = table(cluster, 16, EVER);
    for (int n = 0; n < 7; n++) {
      give(table, n, 1_000);
    }
    assertThat(table.lead(7)).isEqualTo(-875);
    // the mean it is measured by moves with it
    IntStream.range(0, 10).forEach(i -> table.refreshAll());
    assertThat(table.lead(7)).isCloseTo(-LoadTable.MOST_LAG, within(0.01));
    assertThat(takes(table, cluster, Scope.host(3), 100)).endsWith(32, 68);
  }

  @Test
  void refresh_blocksStayOpen_itsShareIsFairBesideThemAndNoMoreAfterwards() {
    LoadTable table = table(cluster);
    cluster.scheduled[0] = 64;
    for (int i = 0; i < 2_000; i++) {
      table.take(Scope.ANYWHERE, anyone);
      table.refresh();
    }
    assertThat(takes(table, cluster, Scope.ANYWHERE, 800)[0]).isCloseTo(100, within(8));
    cluster.scheduled[0] = 0;
    table.refreshAll();
    assertThat(takes(table, cluster, Scope.ANYWHERE, 800)[0])
        .as("its lag is bounded")
        .isBetween(100, 140);
  }

  @Test
  void refresh_cameBackOrNew_startsAtTheMeanOfItsRack() {
    cluster.inService[7] = false;
    LoadTable table = table(cluster, 16, EVER);
    assertThat(table.racksServing()).isEqualTo(2);
    for (int n = 0; n < 7; n++) {
      give(table, n, n < 4 ? 10 : 40);
    }
    cluster.inService[7] = true;
    table.refresh();
    assertThat(table.lead(7)).isCloseTo(table.lead(4), within(1e-9));
    assertThat(takes(table, cluster, Scope.rack(1), 80)).endsWith(20, 20, 20, 20);
  }

  @Test
  void refresh_wholeRackLeavesAndComesBack_startsAtTheMeanOfAll() {
    LoadTable table = table(cluster, 16, EVER);
    give(table, 0, 8);
    Arrays.fill(cluster.inService, 4, 8, false);
    table.refreshAll();
    assertThat(table.racksServing()).isEqualTo(1);
    for (int i = 0; i < 400; i++) {
      table.take(Scope.ANYWHERE, anyone);
      table.refresh();
    }
    Arrays.fill(cluster.inService, 4, 8, true);
    table.refreshAll();
    assertThat(table.racksServing()).isEqualTo(2);
    int[] taken = takes(table, cluster, Scope.ANYWHERE, 400);
    for (int n = 0; n < 8; n++) {
      assertThat(taken[n]).isCloseTo(50, within(12));
    }
  }

  @Test
  void refreshAll_firstLook_startsFromWhatIsInFlight() {
    cluster.scheduled[2] = 5;
    LoadTable table = table(cluster, 0, EVER);
    assertThat(table.lead(2)).isCloseTo(5 * 7.0 / 8, within(1e-9));
    assertThat(takes(table, cluster, Scope.host(1), 5)).startsWith(0, 0, 0, 5);
    cluster.scheduled[2] = 50;
    table.refreshAll();
    assertThat(table.lead(2)).as("only once").isCloseTo(3.75, within(1e-9));
  }

  @Test
  void refreshAll_weightChanges_leadPerWeightStays() {
    LoadTable table = table(cluster, 16, EVER);
    give(table, 1, 8);
    cluster.weight[0] = 3;
    table.refreshAll();
    takesOf(table, cluster, Scope.rack(1), 40);
    int[] taken = takesOf(table, cluster, Scope.host(0), 400);
    assertThat(taken[0]).isCloseTo(300, within(15));
  }

  @Test
  void keep_inAnotherEngine_leadSurvivesAndNewOnesStartAtTheMean() {
    PlacementEngine before = cluster.engine(1);
    for (int i = 0; i < 20; i++) {
      before.give(0, 0);
    }
    FakeCluster larger = FakeCluster.of("a:2,2 b:2,3");
    PlacementEngine after =
        new PlacementEngine(larger.topology, larger, 16, EVER, false, () -> 0.5);
    for (int n = 0; n < 8; n++) {
      after.keep(n, before, n);
    }
    after.refreshAll();
    assertThat(after.racksServing()).isEqualTo(2);
    LoadTable loads = after.loads();
    assertThat(loads.lead(0) - loads.lead(1)).isCloseTo(20, within(1e-9));
    assertThat(loads.lead(8)).isCloseTo(loads.lead(7), within(0.5));
  }

  /** Else all that are stale would stand in front again whenever a DataNode comes. */
  @Test
  void keep_refused_isAskedLastStill() {
    PlacementEngine before = cluster.engine(1);
    before.loads().refused(0, new BlockTargets(cluster.topology, 1));
    PlacementEngine after = new PlacementEngine(cluster.topology, cluster, () -> 0.5);
    for (int n = 0; n < 2; n++) {
      after.keep(n, before, n);
    }
    assertThat(after.loads().refusedIn(0)).isPositive();
    assertThat(after.loads().refusedIn(1)).isZero();
  }

  @Test
  void keep_wasNotInService_isNew() {
    cluster.inService[0] = false;
    PlacementEngine before = cluster.engine(1);
    PlacementEngine after = new PlacementEngine(cluster.topology, cluster, () -> 0.5);
    after.keep(0, before, 0);
    assertThat(after.racksServing()).isZero();
    after.keep(1, before, 1);
    assertThat(after.racksServing()).isEqualTo(1);
  }
}
