package io.evenkeel.placement.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How many DataNodes and racks one choice looks at, however many there are. */
@Tag("once")
class ExaminedTest {
  private static final int SSD = 1;
  private static final int DISK = 2;
  private static final int ARCHIVE = 4;

  /** Replicas by type, of HOT, COLD, WARM, ONE_SSD and ALL_SSD. */
  private static final int[][] POLICIES = {{0, 3}, {0, 0, 3}, {0, 1, 2}, {1, 2}, {3}};

  /** Nodes, most in one choice: the looks that come with each, and what is searched for three. */
  private static final long MOST_NODES = 400;

  private static final long MOST_RACKS = 120;

  /**
   * The same where DataNodes refuse unforeseen: 34 in a search, and another one for each refusal.
   */
  private static final long MOST_RACKS_REFUSING = 200;

  private SplittableRandom random;
  private FakeCluster cluster;
  private PlacementEngine engine;
  private BitSet refusing;
  private long mostNodes;
  private long mostRacks;
  private int placed;

  private void start(int nodes, int racks, int perHost, IntUnaryOperator types) {
    List<HostTopology.Place> places = new ArrayList<>();
    for (int n = 0; n < nodes; n++) {
      int host = n / perHost;
      places.add(new HostTopology.Place("r" + host % racks, "h" + host));
    }
    int[] order = HostTopology.order(places);
    cluster = new FakeCluster(places);
    for (int n = 0; n < nodes; n++) {
      cluster.types[n] = types.applyAsInt(order[n]);
    }
    random = new SplittableRandom(nodes + racks);
    refusing = new BitSet();
    engine = new PlacementEngine(cluster.topology, cluster, random::nextDouble);
    engine.refreshAll();
  }

  /** Many blocks with as many in flight as there are DataNodes; the searches of the second half. */
  private void write(int blocks, boolean striped, int... wanted) {
    mostNodes = 0;
    mostRacks = 0;
    placed = 0;
    Deque<int[]> open = new ArrayDeque<>();
    for (int block = 0; block < blocks; block++) {
      int replicas = Arrays.stream(wanted).sum();
      BlockRequest request = new BlockRequest(replicas);
      if (!striped) {
        request.rackLimit(PlacementRules.REPLICATED.rackLimit(replicas, engine.racksServing()));
      }
      if (block % 3 > 0) {
        request.writtenOn(cluster.topology, random.nextInt(cluster.topology.nodes()));
      }
      FakeChecks targets = new FakeChecks(cluster, wanted);
      targets.refused.or(refusing);
      long nodes = engine.loads().nodesExamined();
      long racks = engine.loads().racksExamined();
      int[] found =
          striped
              ? engine.striped(request, targets).nodes()
              : engine.replicated(request, targets).nodes();
      if (block >= blocks / 2) {
        mostNodes = Math.max(mostNodes, engine.loads().nodesExamined() - nodes);
        mostRacks = Math.max(mostRacks, engine.loads().racksExamined() - racks);
      }
      placed += found.length == replicas ? 1 : 0;
      Arrays.stream(found).forEach(n -> cluster.scheduled[n]++);
      open.add(found);
      if (open.size() > cluster.topology.nodes() / 3) {
        Arrays.stream(open.remove()).forEach(n -> cluster.scheduled[n]--);
      }
    }
    open.forEach(nodes -> Arrays.stream(nodes).forEach(n -> cluster.scheduled[n]--));
  }

  private void check(String what) {
    check(what, MOST_RACKS);
  }

  private void check(String what, long racks) {
    assertThat(mostNodes).as("DataNodes, %s", what).isLessThan(MOST_NODES);
    assertThat(mostRacks).as("racks, %s", what).isLessThan(racks);
  }

  @ParameterizedTest
  @CsvSource({
    "100, 5, 1",
    "100, 2, 4",
    "1000, 25, 1",
    "1000, 10, 4",
    "1000, 2, 1",
    "10000, 250, 1",
    "10000, 250, 4",
    "10000, 2, 4",
    "10000, 2500, 1"
  })
  void choose_everyPolicyAndTierMix_isBounded(int nodes, int racks, int perHost) {
    IntUnaryOperator[] mixes = {
      n -> DISK,
      n -> n / racks % 10 == 0 ? ARCHIVE : DISK,
      n -> n / racks % 2 == 0 ? ARCHIVE : DISK,
      n -> n / perHost % racks % 2 == 0 ? ARCHIVE : DISK,
      n -> n / racks % 10 == 0 ? DISK | SSD : DISK,
      n -> n % 100 == 0 ? DISK | SSD : DISK,
      n -> SSD | DISK | ARCHIVE
    };
    for (int mix = 0; mix < mixes.length; mix++) {
      start(nodes, racks, perHost, mixes[mix]);
      for (int[] policy : POLICIES) {
        int[] byBit = new int[3]; // SSD is bit 0, as its policies say
        System.arraycopy(policy, 0, byBit, 0, policy.length);
        write(600, false, byBit);
        check("mix " + mix + ", " + Arrays.toString(policy));
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"100, 5, 1", "1000, 25, 4", "10000, 250, 1", "10000, 4, 1", "10000, 2500, 1"})
  void choose_halfAreFull_isBoundedAndAllArePlaced(int nodes, int racks, int perHost) {
    start(nodes, racks, perHost, n -> DISK);
    for (int n = 0; n < nodes; n += 2) {
      cluster.full[n] = DISK;
    }
    engine.refreshAll();
    write(2_000, false, 0, 3);
    check("half full");
    assertThat(placed).isEqualTo(2_000);
  }

  @ParameterizedTest
  @CsvSource({"100, 5, 1", "1000, 25, 4", "10000, 250, 1", "10000, 4, 1", "10000, 2500, 1"})
  void choose_halfRefuse_isBoundedAndAllArePlaced(int nodes, int racks, int perHost) {
    start(nodes, racks, perHost, n -> DISK);
    for (int n = 0; n < nodes; n += 2) {
      refusing.set(n);
    }
    write(20_000, false, 0, 3);
    check("half refuse", MOST_RACKS_REFUSING);
    assertThat(placed).isEqualTo(20_000);
  }

  /** As when one of two racks is full. Every choice tries, in turn, and gives up soon. */
  @ParameterizedTest
  @CsvSource({"100", "1000", "10000"})
  void choose_oneOfTwoRacksIsFull_isBounded(int nodes) {
    start(nodes, 2, 1, n -> DISK);
    for (int n = 0; n < nodes; n++) {
      cluster.full[n] = cluster.topology.rackOf(n) == 0 ? DISK : 0;
    }
    engine.refreshAll();
    write(500, false, 0, 3);
    assertThat(mostNodes).isLessThan(50L * LoadTable.MOST_REFUSALS);
    assertThat(placed).as("a rack takes two").isZero();
  }

  /** Where many are asked in vain, the ones that come next are others. */
  @ParameterizedTest
  @CsvSource({"1000", "10000"})
  void choose_oneOfManyThatRefusedIsWellAgain_isFoundSoon(int nodes) {
    start(nodes, 10, 1, n -> DISK);
    refusing.set(0, nodes);
    write(nodes / 10, false, 0, 1);
    assertThat(placed).isZero();
    refusing.clear(nodes / 2);
    write(2 * nodes / LoadTable.MOST_REFUSALS, false, 0, 1);
    assertThat(placed).isPositive();
  }

  @ParameterizedTest
  @CsvSource({"100, 5, 1", "1000, 25, 4", "10000, 250, 4", "10000, 4, 1", "10000, 2500, 1"})
  void striped_isBounded(int nodes, int racks, int perHost) {
    start(nodes, racks, perHost, n -> n / perHost % 2 == 0 ? DISK | ARCHIVE : DISK);
    write(600, true, 0, 9);
    check("RS-6-3 on DISK");
    write(600, true, 0, 0, 9);
    check("RS-6-3 on ARCHIVE");
    assertThat(placed).isEqualTo(600);
  }
}
