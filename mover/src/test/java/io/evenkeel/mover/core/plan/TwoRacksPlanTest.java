package io.evenkeel.mover.core.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The rule is that a move may not leave a block on fewer racks than it is on. */
@Tag("once") // says nothing about a Hadoop release
class TwoRacksPlanTest {
  @Test
  void blockOnTwoRacks_targetsOnTwoOthers_allThreeMoveOneAfterTheOther() {
    for (long seed = 0; seed < 200; seed++) {
      PlanScene scene = scene(3, seed);
      List<String> now = new ArrayList<>(List.of("a1:DISK", "a2:DISK", "b1:DISK"));
      BlockPlan plan = scene.plan(String.join(" ", now), "ARCHIVE ARCHIVE ARCHIVE");
      while (!plan.moves().isEmpty()) {
        ReplicaMove move = plan.moves().get(0);
        now.remove(move.replica().node() + ":" + move.replica().type());
        now.add(move.target() + ":" + move.targetType());
        plan = scene.plan(String.join(" ", now), "ARCHIVE ARCHIVE ARCHIVE");
      }
      assertThat(plan.wrong()).as("seed %d: %s", seed, now).isZero();
    }
  }

  /** The first letter of a DataNode's name is its rack. */
  private static PlanScene scene(int perRack, long seed) {
    PlanScene scene = new PlanScene().seed(seed);
    for (String node : List.of("a1 /a", "a2 /a", "b1 /b", "b2 /b")) {
      scene.node(node + " DISK=99999");
    }
    for (int i = 0; i < perRack; i++) {
      scene.node("c" + i + " /c ARCHIVE=99999");
      scene.node("d" + i + " /d ARCHIVE=99999");
    }
    scene.rule(
        (striped, replicas, from, to) ->
            racks(replicas.stream().map(node -> node.equals(from) ? to : node))
                >= racks(replicas.stream()));
    return scene;
  }

  private static long racks(Stream<String> nodes) {
    return nodes.map(node -> node.charAt(0)).distinct().count();
  }
}
