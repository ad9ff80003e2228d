package io.evenkeel.mover.core.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The rule is that a move may not leave a block on fewer racks than it is on. */
@Tag("once") // says nothing about a Hadoop release
class TwoRacksPlanTest {
  @ParameterizedTest
  @CsvSource({
    "a1 a2 b1, 3, false", "a1 a2 b1, 2, false", "a1 a2 a3 b1, 3, false", "a1 a2 b1 c1, 2, false",
    "a1 a2 b1, 3, true", "a1 a2 b1, 2, true", "a1 a2 a3 b1, 3, true", "a1 a2 b1 c1, 2, true"
  })
  void targetsOnOtherRacks_allMoveOneAfterTheOther(
      String holders, int perRack, boolean nodeGroups) {
    List<String> sources = List.of(holders.split(" "));
    String wanted = String.join(" ", Collections.nCopies(sources.size(), "ARCHIVE"));
    List<String> racks = holders.contains("c") ? List.of("x", "y", "z") : List.of("x", "y");
    for (long seed = 0; seed < 200; seed++) {
      PlanScene scene = scene(sources, racks, perRack, seed, nodeGroups);
      scene.rule(TwoRacksPlanTest::keepsRacks);
      List<String> now = new ArrayList<>();
      sources.forEach(node -> now.add(node + ":DISK"));
      BlockPlan plan = scene.plan(String.join(" ", now), wanted);
      while (!plan.moves().isEmpty()) {
        ReplicaMove move = plan.moves().get(0);
        now.remove(move.replica().node() + ":" + move.replica().type());
        now.add(move.target() + ":" + move.targetType());
        plan = scene.plan(String.join(" ", now), wanted);
      }
      assertThat(plan.wrong()).as("seed %d: %s", seed, now).isZero();
    }
  }

  /** It is nearest to the only place there, which one of the others needs. */
  @Test
  void onePlaceOnTheRackOfOneThatIsAlone_mostPlansAreWhole() {
    int whole = 0;
    for (long seed = 0; seed < 400; seed++) {
      PlanScene scene = scene(List.of("a1", "a2", "b1"), List.of("x"), 3, seed, false);
      scene.rule(TwoRacksPlanTest::keepsRacks).nodes("b9 /b ARCHIVE=9999");
      BlockPlan plan = scene.plan("a1:DISK a2:DISK b1:DISK", "ARCHIVE ARCHIVE ARCHIVE");
      whole += plan.moves().size() == 3 ? 1 : 0;
    }
    assertThat(whole).isGreaterThan(320);
  }

  /** Five of nine internal blocks can go nowhere, and each of 1,000 DataNodes refuses them. */
  @Test
  void groupOnMoreRacksThanTheTypeIsOn_theRuleIsNotAskedAgainAndAgain() {
    List<String> sources = List.of("a1", "b1", "c1", "d1", "e1", "f1", "g1", "h1", "i1");
    AtomicInteger asked = new AtomicInteger();
    PlanScene scene =
        scene(sources, List.of("w", "x", "y", "z"), 250, 1, false)
            .striped()
            .rule(
                (striped, replicas, from, to) -> {
                  asked.incrementAndGet();
                  return keepsRacks(striped, replicas, from, to);
                });
    String wanted = String.join(" ", Collections.nCopies(9, "ARCHIVE"));

    BlockPlan plan = scene.plan(String.join(":DISK ", sources) + ":DISK", wanted);

    assertThat(plan.moves()).hasSize(4);
    assertThat(asked).as("each of two orders asks twice").hasValueLessThan(25_000);
  }

  /** As for ONE_SSD: two of three have the type on their rack, the third has it nowhere near. */
  @Test
  void oneOfThreeIsToMove_thatAloneOnItsRackIsNotTakenEachTime() {
    int toAnotherRack = 0;
    for (long seed = 0; seed < 200; seed++) {
      PlanScene scene = scene(List.of("a1", "a2", "b1"), List.of("a", "c"), 2, seed, false);
      scene.rule(TwoRacksPlanTest::keepsRacks).nodes("a8 /a SSD=9999", "c8 /c SSD=9999");
      BlockPlan plan = scene.plan("a1:DISK a2:DISK b1:DISK", "SSD DISK DISK");
      assertThat(plan.moves()).hasSize(1);
      toAnotherRack += plan.moves().get(0).replica().node().equals("b1") ? 1 : 0;
    }
    assertThat(toAnotherRack).isBetween(1, 120);
  }

  /** The first letter of a DataNode's name is its rack; each is a node group of its own. */
  private static PlanScene scene(
      List<String> sources, List<String> racks, int perRack, long seed, boolean nodeGroups) {
    PlanScene scene = new PlanScene().seed(seed);
    sources.forEach(node -> scene.node(at(node, nodeGroups) + " DISK=99999"));
    for (int i = 0; i < perRack; i++) {
      for (String rack : racks) {
        scene.node(at(rack + i, nodeGroups) + " ARCHIVE=99999");
      }
    }
    return nodeGroups ? scene.nodeGroups() : scene;
  }

  private static String at(String node, boolean nodeGroups) {
    return node + " /" + node.charAt(0) + (nodeGroups ? "/" + node : "");
  }

  private static boolean keepsRacks(boolean striped, List<String> holders, String from, String to) {
    return racks(holders.stream().map(node -> node.equals(from) ? to : node))
        >= racks(holders.stream());
  }

  private static long racks(Stream<String> nodes) {
    return nodes.map(node -> node.charAt(0)).distinct().count();
  }
}
