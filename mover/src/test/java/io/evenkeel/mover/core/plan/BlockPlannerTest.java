package io.evenkeel.mover.core.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("once") // says nothing about a Hadoop release
class BlockPlannerTest {
  /** Three nodes in two racks with everything, two more with DISK alone. */
  private static PlanScene mixed() {
    return new PlanScene()
        .nodes("a /r1 DISK=99 SSD=99 ARCHIVE=99", "b /r1 DISK=99 SSD=99 ARCHIVE=99")
        .nodes("c /r2 DISK=99 SSD=99 ARCHIVE=99", "d /r1 DISK=99", "e /r2 DISK=99");
  }

  @ParameterizedTest
  @CsvSource({
    // replicas, wanted, wrong, moves
    "a:SSD b:SSD c:SSD,           SSD SSD SSD,        0, ''",
    "a:DISK b:SSD c:ARCHIVE,      ARCHIVE DISK SSD,   0, ''",
    "a:DISK b:DISK c:DISK,        SSD SSD SSD,        3, a>SSD b>SSD c>SSD",
    "a:DISK b:SSD c:DISK,         SSD SSD SSD,        2, a>SSD c>SSD",
    "a:DISK d:DISK e:DISK,        SSD DISK DISK,      1, a>SSD",
    "d:DISK e:DISK c:DISK,        SSD DISK DISK,      1, c>SSD",
    "a:SSD d:DISK e:DISK,         DISK DISK DISK,     1, a>DISK",
    "a:DISK b:DISK,               SSD SSD SSD,        2, a>SSD b>SSD",
    "a:SSD b:SSD c:SSD d:DISK,    SSD SSD SSD,        0, ''",
    "a:DISK b:DISK c:DISK d:DISK, SSD DISK DISK,      1, ?>SSD",
    "a:RAM_DISK b:DISK c:DISK,    DISK DISK DISK,     0, ''",
    "a:DISK b:DISK c:DISK,        RAM_DISK DISK DISK, 0, ''",
    "a:PROVIDED b:DISK,           SSD SSD,            1, b>SSD",
    "a:DISK b:DISK,               PROVIDED SSD,       1, ?>SSD"
  })
  void plan_onTheSameDataNodes_movesWhatIsWrong(
      String replicas, String wanted, int wrong, String moves) {
    BlockPlan plan = mixed().plan(replicas, wanted);
    assertThat(plan.wrong()).isEqualTo(wrong);
    assertThat(plan.obstacles()).isEmpty();
    assertThat(plan.moves()).allMatch(ReplicaMove::isLocal).hasSize(wrong);
    if (moves.startsWith("?")) {
      assertThat(PlanScene.moves(plan).get(0)).endsWith(moves.substring(1));
    } else {
      assertThat(String.join(" ", PlanScene.moves(plan))).isEqualTo(moves);
    }
  }

  @Test
  void plan_oneTypeFitsOneNodeOnly_givesItThatType() {
    for (long seed = 0; seed < 20; seed++) {
      BlockPlan plan =
          new PlanScene()
              .nodes("a /r1 SSD=99 ARCHIVE=99", "b /r1 SSD=99", "c /r1 SSD=9 ARCHIVE=99,10")
              .nodes("d /r1 SSD=99 ARCHIVE=99")
              .seed(seed)
              .plan("a:DISK b:DISK c:DISK", "ARCHIVE ARCHIVE SSD");
      assertThat(PlanScene.moves(plan)).containsExactly("a>ARCHIVE", "b>SSD", "c>ARCHIVE");
    }
  }

  @Test
  void plan_pinnedReplica_changesItsTypeInPlaceBeforeOthers() {
    for (long seed = 0; seed < 20; seed++) {
      BlockPlan plan = mixed().seed(seed).pinned("b").plan("a:DISK b:DISK c:DISK", "SSD DISK DISK");
      assertThat(PlanScene.moves(plan)).containsExactly("b>SSD");
    }
  }

  @ParameterizedTest
  @CsvSource({
    // the nodes there are beside the source, the target
    "near far other slow,  near",
    "far other slow,       far",
    "other slow,           other",
    "slow closed,          slow",
    "full near,            near",
    "far tiny,             far"
  })
  void plan_noPlaceOnTheNode_goesToTheNearest(String there, String target) {
    for (long seed = 0; seed < 10; seed++) {
      PlanScene scene = new PlanScene().nodeGroups().seed(seed).node("a /r1/g1 host=a DISK=99");
      for (String node : there.split(" ")) {
        switch (node) {
          case "near" -> scene.node("near /r1/g1 SSD=10");
          case "far" -> scene.node("far /r1/g2 SSD=10");
          case "other" -> scene.node("other /r2/g3 SSD=10");
          case "slow" -> scene.node("slow /r1/g1 SSD=99 slow");
          case "closed" -> scene.node("closed /r1/g1 SSD=99 closed");
          case "full" -> scene.node("full /r1/g1 SSD=9,9,9");
          default -> scene.node("tiny /r1/g1 SSD=0 DISK=99");
        }
      }
      BlockPlan plan = scene.plan("a:DISK", "SSD");
      assertThat(PlanScene.moves(plan)).containsExactly("a>" + target + ":SSD");
    }
  }

  @Test
  void plan_twoReplicasLeave_neverToOneHostNorToOneThatHolds() {
    for (long seed = 0; seed < 30; seed++) {
      BlockPlan plan =
          new PlanScene()
              .nodes("a /r1 DISK=99 host=h1", "b /r1 DISK=99 host=h2", "c /r1 SSD=99 host=h3")
              .nodes("p /r1 SSD=99 host=h1", "q /r1 SSD=99 host=h4", "r /r1 SSD=99 host=h4")
              .nodes("s /r1 SSD=99 host=h3")
              .seed(seed)
              .plan("a:DISK b:DISK c:SSD", "SSD SSD SSD");
      Set<String> hosts = new HashSet<>();
      for (ReplicaMove move : plan.moves()) {
        boolean leavesA = move.replica().node().equals("a");
        assertThat(move.target()).isIn(leavesA ? List.of("p", "q", "r") : List.of("q", "r"));
        hosts.add(move.target().equals("p") ? "h1" : "h4");
      }
      assertThat(plan.moves()).hasSize(2);
      assertThat(hosts).hasSize(2);
    }
  }

  @Test
  void plan_theOnlyPlaceOfOneIsTakenByAnother_findsTheOtherOrder() {
    MovableRule onlyAToY =
        (striped, replicas, source, target) -> !target.equals("y") || source.equals("a");
    for (long seed = 0; seed < 30; seed++) {
      BlockPlan plan =
          new PlanScene()
              .nodes("a /r1 DISK=99", "b /r1 DISK=99", "x /r1 SSD=99", "y /r2 SSD=99")
              .rule(onlyAToY)
              .seed(seed)
              .plan("a:DISK b:DISK", "SSD SSD");
      assertThat(PlanScene.moves(plan)).containsExactly("a>y:SSD", "b>x:SSD");
    }
  }

  @Test
  void plan_rule_isAskedWithTheMovesPlannedBefore() {
    Set<List<String>> asked = new HashSet<>();
    PlanScene scene =
        new PlanScene()
            .nodes("a /r1 DISK=99", "b /r1 DISK=99", "x /r1 SSD=99", "y /r1 SSD=99")
            .rule(
                (striped, replicas, source, target) -> {
                  assertThat(replicas).contains(source).doesNotContain(target).hasSize(2);
                  return asked.add(List.copyOf(replicas));
                });
    BlockPlan plan = scene.plan("a:DISK b:DISK gone:SSD", "SSD SSD SSD");
    assertThat(plan.moves()).hasSize(2);
    assertThat(asked).hasSize(2);
  }

  @Test
  void plan_manyBlocks_takesTheSpaceOfThoseBefore() {
    PlanScene scene = new PlanScene().nodes("a /r1 DISK=99 SSD=25,19", "b /r2 SSD=10");
    assertThat(PlanScene.moves(scene.plan("a:DISK", "SSD"))).containsExactly("a>SSD");
    assertThat(PlanScene.moves(scene.plan("a:DISK", "SSD"))).containsExactly("a>SSD");
    assertThat(PlanScene.moves(scene.plan("a:DISK", "SSD"))).containsExactly("a>SSD");
    assertThat(PlanScene.moves(scene.plan("a:DISK", "SSD"))).containsExactly("a>b:SSD");
    BlockPlan plan = scene.plan("a:DISK", "SSD");
    assertThat(plan.moves()).isEmpty();
    assertThat(plan.wrong()).isEqualTo(1);
    assertThat(plan.obstacles()).containsExactly("SSD: 2 DataNodes lack the space");
  }

  @ParameterizedTest
  @CsvSource({
    // nodes beside the holders a (target's rack), b (target's node group), c; the proxy
    "'',    a:DISK c:DISK,        c>t, a",
    "'',    a:DISK b:DISK c:DISK, c>t, b",
    "slow,  a:DISK b:DISK c:DISK, c>t, a",
    "'',    f:DISK c:DISK,        c>t, c"
  })
  void plan_remoteMove_readsFromTheNearestHolder(
      String use, String replicas, String move, String proxy) {
    for (long seed = 0; seed < 10; seed++) {
      PlanScene scene =
          new PlanScene()
              .nodeGroups()
              .seed(seed)
              .nodes("a /r1/g1 SSD=0", ("b /r1/g2 SSD=0 " + use).trim(), "c /r2/g3 SSD=0")
              .nodes("f /r3/g4 SSD=0", "t /r1/g2 SSD=99")
              .rule((striped, holders, source, target) -> source.equals("c"));
      BlockPlan plan = scene.plan(replicas, replicas.replace("c:DISK", "SSD").replaceAll(".:", ""));
      assertThat(PlanScene.moves(plan)).containsExactly(move + ":SSD");
      assertThat(plan.moves().get(0).proxy()).isEqualTo(proxy);
      assertThat(plan.moves().get(0).generationStamp()).isEqualTo(1001);
    }
  }

  /** The source's replica may be corrupt without anyone knowing it. */
  @Test
  void plan_holdersAsNearAsTheSource_readFromAnyOfThem() {
    Set<String> proxies = new TreeSet<>();
    for (long seed = 0; seed < 50; seed++) {
      PlanScene scene =
          new PlanScene()
              .seed(seed)
              .nodes("a /r1", "b /r1", "c /r1", "t /r1 SSD=99")
              .rule((striped, holders, source, target) -> source.equals("c"));
      BlockPlan plan = scene.plan("a:DISK b:DISK c:DISK", "SSD DISK DISK");
      plan.moves().forEach(move -> proxies.add(move.proxy()));
    }
    assertThat(proxies).containsExactly("a", "b", "c");
  }

  @Test
  void plan_holdersCouldNotBeReached_readFromAnotherOrNotMoved() {
    PlanScene scene =
        new PlanScene()
            .nodes("a /r1 SSD=0", "c /r2 SSD=0", "t /r3 SSD=99")
            .rule((striped, holders, source, target) -> source.equals("c"));
    assertThat(scene.plan("a:DISK c:DISK", "SSD DISK").moves().get(0).proxy()).isEqualTo("c");
    scene.refused("c", "read");
    assertThat(scene.plan("a:DISK c:DISK", "SSD DISK").moves().get(0).proxy()).isEqualTo("a");
    scene.refused("a", "read");
    BlockPlan plan = scene.plan("a:DISK c:DISK", "SSD DISK");
    assertThat(plan.moves()).isEmpty();
    assertThat(plan.wrong()).isEqualTo(1);
  }

  @Test
  void plan_dataNodeMayBeBackSoon_itsReplicaIsNotCopiedToAnother() {
    PlanScene scene = new PlanScene().nodes("a /r1 SSD=99", "b /r1 SSD=99", "t /r3 SSD=99");
    scene.refused("a", "SSD").refused("a", "awaited");
    assertThat(PlanScene.moves(scene.plan("a:DISK b:DISK", "SSD SSD"))).containsExactly("b>SSD");
  }

  @Test
  void plan_striped_readsFromTheSourceAlone() {
    BlockPlan plan =
        new PlanScene()
            .nodes("a /r1 DISK=99", "b /r2 SSD=99", "t /r2 SSD=99")
            .striped()
            .plan("a:DISK b:SSD", "SSD SSD");
    assertThat(PlanScene.moves(plan)).containsExactly("a>t:SSD");
    assertThat(plan.moves().get(0).proxy()).isEqualTo("a");
    assertThat(plan.moves().get(0).replica().blockId()).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource({
    // internal blocks with a copy too many; wanted, wrong, moves
    "a:DISK:1 b:SSD:1 c:SSD:2,           SSD SSD,     0, ''",
    "a:DISK:1 b:SSD:1 c:DISK:2,          SSD SSD,     1, c>SSD",
    "a:SSD:1 b:SSD:1 c:DISK:2,           SSD SSD,     1, c>SSD",
    "a:DISK:1 b:DISK:1 c:SSD:2,          SSD SSD,     1, a>SSD",
    "d:DISK:1 a:ARCHIVE:1 b:SSD:1 c:DISK:2, SSD SSD,  1, c>SSD",
    "a:DISK:1 b:RAM_DISK:1 c:SSD:2,      SSD SSD,     1, a>SSD",
    "a:DISK:1 b:SSD:1 c:DISK:2 d:SSD:2,  SSD SSD,     0, ''"
  })
  void plan_striped_aCopyOfAnInternalBlockThatIsRightIsNotMoved(
      String replicas, String wanted, int wrong, String moves) {
    for (long seed = 0; seed < 10; seed++) {
      BlockPlan plan = mixed().striped().seed(seed).plan(replicas, wanted);
      assertThat(plan.wrong()).isEqualTo(wrong);
      assertThat(plan.obstacles()).isEmpty();
      assertThat(String.join(" ", PlanScene.moves(plan))).isEqualTo(moves);
    }
  }

  @Test
  void plan_striped_theOtherCopyKeepsItsDataNode() {
    BlockPlan plan =
        new PlanScene()
            .nodes("a /r1 DISK=99", "b /r1 SSD=99", "c /r1 DISK=99", "t /r1 SSD=99")
            .striped()
            .plan("a:DISK:1 b:SSD:1 c:DISK:2", "SSD SSD");
    assertThat(PlanScene.moves(plan)).containsExactly("c>t:SSD");
  }

  @Test
  void plan_noNodeHasTheType_saysSo() {
    BlockPlan plan = mixed().plan("a:DISK b:DISK", "NVDIMM NVDIMM");
    assertThat(plan.wrong()).isEqualTo(2);
    assertThat(plan.moves()).isEmpty();
    assertThat(plan.obstacles()).containsExactly("no live DataNode has NVDIMM");
    assertThat(plan.isPinned()).isFalse();
  }

  @Test
  void plan_manyReasons_countsThem() {
    BlockPlan plan =
        new PlanScene()
            .nodes("a /r1 DISK=99", "b /r1 SSD=99", "c /r1 SSD=99", "d /r1 SSD=99 closed")
            .nodes("e /r1 SSD=99", "f /r1 SSD=3", "g /r1 SSD=99 host=b", "h /r1 SSD=99")
            .rule((striped, replicas, source, target) -> false)
            .refused("h", "SSD")
            .plan("a:DISK b:SSD c:SSD", "SSD SSD SSD");
    assertThat(plan.obstacles())
        .containsExactly(
            "SSD: 1 DataNode decommissioning, in maintenance or excluded,"
                + " 2 hold a replica already, 1 shares a host with another replica,"
                + " 1 failed with this block before, 1 lacks the space,"
                + " 1 refused by the placement policy");
  }

  @Test
  void plan_onlyAPinIsInTheWay_isPinned() {
    PlanScene scene = new PlanScene().nodes("a /r1 DISK=99", "b /r1 SSD=99").pinned("a");
    BlockPlan plan = scene.plan("a:DISK", "SSD");
    assertThat(plan.moves()).isEmpty();
    assertThat(plan.isPinned()).isTrue();
    assertThat(plan.obstacles()).containsExactly("1 replica is pinned to its DataNode");
  }

  @Test
  void plan_pinnedAndNoTypeEither_isNotOnlyPinned() {
    BlockPlan plan = new PlanScene().nodes("a /r1 DISK=99").pinned("a").plan("a:DISK", "SSD");
    assertThat(plan.isPinned()).isFalse();
    assertThat(plan.obstacles()).containsExactly("no live DataNode has SSD");
  }

  @Test
  void plan_holderIsNotLive_isLeftAndNamed() {
    BlockPlan plan = mixed().plan("a:DISK gone:DISK", "SSD SSD");
    assertThat(PlanScene.moves(plan)).containsExactly("a>SSD");
    assertThat(plan.wrong()).isEqualTo(2);
    assertThat(plan.obstacles()).containsExactly("DataNode gone is not live");
  }

  @Test
  void plan_twoReplicasOnOneNode_movesOneOfThem() {
    BlockPlan plan = mixed().striped().plan("a:DISK a:DISK", "SSD SSD");
    assertThat(PlanScene.moves(plan)).containsExactly("a>SSD");
    assertThat(plan.obstacles())
        .containsExactly("DataNode a holds more than one replica of the block");
  }

  @Test
  void plan_corrupt_movesNothing() {
    BlockPlan plan = mixed().corrupt().plan("a:DISK", "SSD");
    assertThat(plan.wrong()).isEqualTo(1);
    assertThat(plan.moves()).isEmpty();
    assertThat(plan.obstacles()).containsExactly("no good replica is left");
  }

  @Test
  void plan_decommissioningNode_mayChangeItsOwnTypeAndLoseReplicas() {
    PlanScene scene = new PlanScene().nodes("a /r1 DISK=9 SSD=10 closed", "b /r1 SSD=99");
    assertThat(PlanScene.moves(scene.plan("a:DISK", "SSD"))).containsExactly("a>SSD");
    assertThat(PlanScene.moves(scene.plan("a:DISK", "SSD"))).containsExactly("a>b:SSD");
  }

  @Test
  void plan_manyEqualTargets_emptierOnesGetMore() {
    PlanScene scene = new PlanScene().node("a /r1 DISK=99");
    scene.nodes("x /r1 SSD=100000", "y /r1 SSD=90000", "z /r1 SSD=500", "v /r1 SSD=100000");
    int[] counts = new int[128];
    for (int i = 0; i < 1000; i++) {
      counts[scene.plan("a:DISK", "SSD").moves().get(0).target().charAt(0)]++;
    }
    assertThat(counts['x']).isBetween(250, 500);
    assertThat(counts['v']).isBetween(250, 500);
    assertThat(counts['y']).isBetween(100, 350);
    assertThat(counts['z']).isLessThanOrEqualTo(50);
  }

  @Test
  void plan_aTargetLooksForAWholeBlocksRoom_onlyLocalMovesAndRoomyTargetsArePlanned() {
    PlanScene scene =
        new PlanScene().nodes("a /r1 DISK=99 SSD=10", "b /r1 DISK=99").roomForRemote(50);
    assertThat(PlanScene.moves(scene.plan("a:DISK", "SSD"))).containsExactly("a>SSD");

    PlanScene tight = new PlanScene().nodes("b /r1 DISK=99", "c /r1 SSD=49,49").roomForRemote(50);
    BlockPlan none = tight.plan("b:DISK", "SSD");
    assertThat(none.moves()).isEmpty();
    assertThat(none.obstacles()).singleElement().asString().contains("1 DataNode lacks the space");

    PlanScene roomy = new PlanScene().nodes("b /r1 DISK=99", "c /r1 SSD=49,60").roomForRemote(50);
    assertThat(PlanScene.moves(roomy.plan("b:DISK", "SSD"))).containsExactly("b>c:SSD");
    assertThat(PlanScene.moves(roomy.plan("b:DISK", "SSD")))
        .as("what was planned takes its length only")
        .containsExactly("b>c:SSD");
  }

  /** Three of twenty DataNodes with ARCHIVE stand in the racks of the sources, the others apart. */
  @ParameterizedTest
  @CsvSource({
    // whether the policy asks for two racks, the most and the least a near one of 3 x 2,000 gets
    "false, 280, 320",
    "true, 640, 720",
  })
  void plan_fewDataNodesOfTheTypeAreNear_theyGetAsManyAsOthersOrTheRuleAsks(
      boolean twoRacks, int least, int most) {
    List<NodeView> nodes = new ArrayList<>();
    Map<String, String> rackOf = new HashMap<>();
    for (int i = 0; i < 60; i++) {
      Map<String, List<Long>> free = Map.of("DISK", List.of(1L << 40));
      nodes.add(new NodeView("disk" + i, "/r" + i / 20, "disk" + i, NodeView.Use.TARGET, free));
    }
    for (int i = 0; i < 20; i++) {
      Map<String, List<Long>> free = Map.of("ARCHIVE", List.of(1L << 50));
      String rack = i < 3 ? "/r" + i : "/cold";
      nodes.add(new NodeView("arch" + i, rack, "arch" + i, NodeView.Use.TARGET, free));
    }
    nodes.forEach(node -> rackOf.put(node.uuid(), node.location()));
    MovableRule rule =
        (striped, replicas, from, to) -> {
          Set<String> racks = new HashSet<>();
          replicas.forEach(each -> racks.add(rackOf.get(each.equals(from) ? to : each)));
          return !twoRacks || racks.size() > 1;
        };
    Random random = new Random(1);
    BlockPlanner planner =
        new BlockPlanner(new ClusterView(nodes, false, false, 128L << 20), rule, random);
    WantedTypes cold =
        new WantedTypes("COLD", 3, false, true, n -> List.of("ARCHIVE", "ARCHIVE", "ARCHIVE"));
    Map<String, Integer> targets = new HashMap<>();
    for (int b = 0; b < 2_000; b++) {
      int rack = random.nextInt(3);
      int other = 20 * ((rack + 1) % 3);
      int[] on = {20 * rack + random.nextInt(20), other, other + 1 + random.nextInt(19)};
      List<Replica> replicas = new ArrayList<>();
      for (int node : on) {
        replicas.add(new Replica("disk" + node, "DISK", b, 1 << 20));
      }
      BlockView block = new BlockView(b, 1, 1 << 20, replicas, false);
      for (ReplicaMove move : planner.plan(block, cold, Exclusions.NONE).moves()) {
        targets.merge(move.target(), 1, Integer::sum);
      }
    }
    assertThat(targets.values().stream().mapToInt(Integer::intValue).sum()).isEqualTo(6_000);
    for (int i = 0; i < 3; i++) {
      assertThat(targets.get("arch" + i)).as("arch" + i).isBetween(least, most);
    }
  }

  /** Near ones do not give way to slow ones, nor do those count that can take nothing. */
  @ParameterizedTest
  @CsvSource({
    // far ones of which use and with how much room, how many, the least that all near ones get
    "LAST_CHOICE, 99999999999, 4, 6000",
    "TARGET, 0, 92, 6000",
  })
  void plan_othersAreSlowOrFull_nearOnesGetAll(NodeView.Use use, long room, int others, int least) {
    List<NodeView> nodes = new ArrayList<>();
    Map<String, List<Long>> archive = Map.of("ARCHIVE", List.of(1L << 50));
    for (int i = 0; i < 6; i++) {
      Map<String, List<Long>> free = Map.of("DISK", List.of(1L << 40));
      nodes.add(new NodeView("disk" + i, "/r0", "disk" + i, NodeView.Use.TARGET, free));
    }
    for (int i = 0; i < 4; i++) {
      nodes.add(new NodeView("near" + i, "/r0", "near" + i, NodeView.Use.TARGET, archive));
    }
    for (int i = 0; i < others; i++) {
      Map<String, List<Long>> free = Map.of("ARCHIVE", List.of(room));
      nodes.add(new NodeView("other" + i, "/r1", "other" + i, use, free));
    }
    BlockPlanner planner =
        new BlockPlanner(
            new ClusterView(nodes, false, false, 128L << 20),
            (striped, replicas, from, to) -> true,
            new Random(1));
    WantedTypes cold =
        new WantedTypes("COLD", 3, false, true, n -> List.of("ARCHIVE", "ARCHIVE", "ARCHIVE"));
    int near = 0;
    for (int b = 0; b < 2_000; b++) {
      List<Replica> replicas = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        replicas.add(new Replica("disk" + (b + i) % 6, "DISK", b, 1 << 20));
      }
      BlockView block = new BlockView(b, 1, 1 << 20, replicas, false);
      for (ReplicaMove move : planner.plan(block, cold, Exclusions.NONE).moves()) {
        near += move.target().startsWith("near") ? 1 : 0;
      }
    }
    assertThat(near).isGreaterThanOrEqualTo(least);
  }
}
