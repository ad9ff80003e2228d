package io.evenkeel.placement.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.placement.core.TargetChecks.NotChosenReason;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntPredicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A cluster that was enlarged: 40 DataNodes are 85 % full, 20 are empty, and each storage type is
 * weighed by what remains of it.
 */
class RemainingWeightTest {
  private static final int OLD = 40;
  private static final int NEW = 20;

  /** Where the new DataNodes are: four of twelve racks, or among the old ones. */
  private static List<HostTopology.Place> places(boolean racksApart) {
    List<HostTopology.Place> places = new ArrayList<>();
    for (int n = 0; n < OLD + NEW; n++) {
      String host = String.format("h%02d", n);
      places.add(new HostTopology.Place("r" + (racksApart ? n / 5 : n % 12), host));
    }
    return places;
  }

  /** DataNodes with one storage of each type, told by remaining blocks. */
  private static final class Cluster implements DataNodeStats {
    final HostTopology topology;
    final int[][] remaining; // by type and DataNode; -1 where it lacks the type
    final int[][] scheduled;

    Cluster(List<HostTopology.Place> places, int types) {
      topology = HostTopology.of(places);
      remaining = new int[types][places.size()];
      scheduled = new int[types][places.size()];
    }

    /** The DataNodes of the enlarged cluster, with volumes of that many blocks. */
    static Cluster enlarged(boolean racksApart, int capacity) {
      Cluster cluster = new Cluster(places(racksApart), 1);
      for (int n = 0; n < OLD + NEW; n++) {
        cluster.remaining[0][n] = cluster.isNew(n) ? capacity : capacity * 15 / 100;
      }
      return cluster;
    }

    boolean isNew(int node) {
      return topology.hostKey(topology.hostOf(node)).compareTo("h" + OLD) >= 0;
    }

    PlacementEngine engine(boolean byRemaining, long seed) {
      SplittableRandom random = new SplittableRandom(seed);
      PlacementEngine engine =
          byRemaining
              ? PlacementEngine.ofEachType(topology, this, random::nextDouble)
              : new PlacementEngine(topology, this, random::nextDouble);
      engine.refreshAll();
      return engine;
    }

    boolean hasRoom(int type, int node) {
      return remaining[type][node] > scheduled[type][node];
    }

    @Override
    public int scheduled(int node) {
      int all = 0;
      for (int[] ofType : scheduled) {
        all += ofType[node];
      }
      return all;
    }

    @Override
    public boolean inService(int node) {
      return true;
    }

    private int bits(int node, IntPredicate test) {
      int bits = 0;
      for (int type = 0; type < remaining.length; type++) {
        bits |= remaining[type][node] >= 0 && test.test(type) ? 1 << type : 0;
      }
      return bits;
    }

    @Override
    public int types(int node) {
      return bits(node, type -> true);
    }

    @Override
    public int fullTypes(int node) {
      return bits(node, type -> remaining[type][node] == 0);
    }

    @Override
    public double weight(int node) {
      return 1;
    }

    @Override
    public DataNodeStats of(int type) {
      return new DataNodeStats() {
        @Override
        public int scheduled(int node) {
          return scheduled[type][node];
        }

        @Override
        public boolean inService(int node) {
          return remaining[type][node] >= 0;
        }

        @Override
        public int types(int node) {
          return inService(node) ? 1 << type : 0;
        }

        @Override
        public int fullTypes(int node) {
          return remaining[type][node] == 0 ? 1 << type : 0;
        }

        @Override
        public double weight(int node) {
          return remaining[type][node] < 0 ? 0 : Math.max(0.001, remaining[type][node]);
        }
      };
    }
  }

  /** Blocks of three replicas on one type, of which the oldest are complete. */
  private static final class Writers {
    private final Cluster cluster;
    private final PlacementEngine engine;
    private final int type;
    private final int inFlight;
    private final SplittableRandom random = new SplittableRandom(5);
    private final Deque<int[]> open = new ArrayDeque<>();

    Writers(Cluster cluster, PlacementEngine engine, int type, int inFlight) {
      this.cluster = cluster;
      this.engine = engine;
      this.type = type;
      this.inFlight = inFlight;
    }

    int[] write(boolean local) {
      if (open.size() == inFlight) {
        for (int node : open.remove()) {
          cluster.scheduled[type][node]--;
          cluster.remaining[type][node]--;
        }
      }
      BlockRequest request =
          new BlockRequest(3)
              .rackLimit(PlacementRules.REPLICATED.rackLimit(3, engine.racksServing()));
      if (local) {
        request.writtenOn(cluster.topology, random.nextInt(cluster.topology.nodes()));
      }
      int[] nodes = engine.replicated(request, checks()).nodes();
      for (int node : nodes) {
        cluster.scheduled[type][node]++;
      }
      open.add(nodes);
      assertThat(nodes).hasSize(3).doesNotHaveDuplicates();
      assertThat(Arrays.stream(nodes).map(cluster.topology::rackOf).distinct().count())
          .isEqualTo(2);
      return nodes;
    }

    private TargetChecks checks() {
      return new TargetChecks() {
        @Override
        public int wantedTypes() {
          return 1 << type;
        }

        @Override
        public NotChosenReason take(int node, int of, boolean local) {
          return cluster.hasRoom(of, node) ? null : NotChosenReason.NOT_ENOUGH_STORAGE_SPACE;
        }
      };
    }
  }

  /** How many blocks are written before a DataNode has no room for another. */
  private static int firstFull(boolean racksApart, boolean byRemaining, boolean local, long seed) {
    Cluster cluster = Cluster.enlarged(racksApart, 100);
    PlacementEngine engine = cluster.engine(byRemaining, seed);
    Writers writers = new Writers(cluster, engine, 0, 60);
    for (int block = 1; ; block++) {
      for (int node : writers.write(local)) {
        if (!cluster.hasRoom(0, node)) {
          return block;
        }
      }
      if (block % 10 == 0) {
        engine.refreshAll();
      }
    }
  }

  /**
   * Without that weight the old ones are full after 278 blocks or so, of 300 that they can take.
   */
  @ParameterizedTest
  @CsvSource({"true, 1", "true, 2", "false, 1", "false, 2"})
  void replicated_byRemaining_oldDataNodesStayFreeForMoreThanTwiceAsManyBlocks(
      boolean racksApart, long seed) {
    assertThat(firstFull(racksApart, false, false, seed)).isBetween(260, 300);
    assertThat(firstFull(racksApart, true, false, seed)).isGreaterThan(600);
  }

  /** The first replica stays with its writer, and so a third of all. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void replicated_byRemainingWithLocalWriters_oldDataNodesStayFreeForLonger(boolean racksApart) {
    assertThat(firstFull(racksApart, false, true, 1)).isLessThan(260);
    assertThat(firstFull(racksApart, true, true, 1)).isGreaterThan(420);
  }

  @ParameterizedTest
  @CsvSource({"true, 200", "true, 600", "false, 200", "false, 600"})
  void replicated_byRemaining_blocksInFlightArePerWeightAsEvenAsWithoutIt(
      boolean racksApart, int open) {
    Cluster cluster = Cluster.enlarged(racksApart, 4000);
    PlacementEngine engine = cluster.engine(true, 3);
    Writers writers = new Writers(cluster, engine, 0, open);
    double worst = 0;
    for (int block = 1; block <= 10_000; block++) {
      writers.write(false);
      if (block % 50 == 0) {
        engine.refreshAll();
      }
      if (block > 2 * open) {
        worst = Math.max(worst, inFlightMaxOverMean(cluster, engine.loads(0)));
      }
    }
    assertThat(worst).isLessThan(1.3);
  }

  private static double inFlightMaxOverMean(Cluster cluster, LoadTable loads) {
    double most = 0;
    double all = 0;
    double weights = 0;
    for (int n = 0; n < OLD + NEW; n++) {
      most = Math.max(most, cluster.scheduled[0][n] / loads.weight(n));
      all += cluster.scheduled[0][n];
      weights += loads.weight(n);
    }
    return most * weights / all;
  }

  /** SSDs are full where disks are empty and the other way round; a third of them has no SSD. */
  @Test
  void replicated_byRemainingWithTwoTypes_eachFollowsItsOwnSpace() {
    Cluster cluster = new Cluster(places(false), 2);
    for (int n = 0; n < OLD + NEW; n++) {
      cluster.remaining[0][n] = n % 3 == 0 ? 40_000 : 20_000;
      cluster.remaining[1][n] = n % 3 == 0 ? 10_000 : n % 3 == 1 ? 40_000 : -1;
    }
    PlacementEngine engine = cluster.engine(true, 7);
    int[][] given = new int[2][3];
    for (int type = 0; type < 2; type++) {
      Writers writers = new Writers(cluster, engine, type, 60);
      for (int block = 0; block < 4_000; block++) {
        for (int node : writers.write(false)) {
          given[type][node % 3]++;
        }
      }
    }
    assertThat(given[1][2]).as("it has no SSD").isZero();
    assertThat(given[0][0] / (double) given[0][1]).as("disks").isBetween(1.8, 2.2);
    assertThat(given[0][1] / (double) given[0][2]).as("disks").isBetween(0.9, 1.1);
    assertThat(given[1][1] / (double) given[1][0]).as("SSDs, at most 3.5").isBetween(2.9, 3.7);
  }

  @Test
  void replicated_oneIsAlmostFullAndOneHuge_halfAndThreeTimesTheMeanAreTheBounds() {
    Cluster cluster = new Cluster(places(true), 1);
    for (int n = 0; n < OLD + NEW; n++) {
      cluster.remaining[0][n] = 100_000;
    }
    cluster.remaining[0][7] = 1_000;
    cluster.remaining[0][30] = 2_000_000;
    PlacementEngine engine = cluster.engine(true, 7);
    LoadTable loads = engine.loads(0);
    assertThat(loads.weight(7)).isEqualTo(0.5);
    assertThat(loads.weight(30)).isEqualTo(3);
    assertThat(loads.weight(8)).isBetween(0.7, 0.8);
  }

  @Test
  void keep_inAnotherEngine_leadOfEachTypeSurvives() {
    Cluster cluster = Cluster.enlarged(true, 1000);
    PlacementEngine before = cluster.engine(true, 1);
    for (int i = 0; i < 20; i++) {
      before.give(3, 0);
    }
    PlacementEngine after = PlacementEngine.ofEachType(cluster.topology, cluster, () -> 0.5);
    for (int n = 0; n < OLD + NEW; n++) {
      after.keep(n, before, n);
    }
    after.refreshAll();
    LoadTable loads = after.loads(0);
    assertThat(loads.lead(3) - loads.lead(4)).isGreaterThan(10);
  }
}
