package io.evenkeel.mover.core.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The rule is that a move may not leave a block on fewer racks than it is on. */
@Tag("once") // says nothing about a Hadoop release
class TwoRacksPlanTest {
  private static final Map<String, String> RACK = new HashMap<>();

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

  private static PlanScene scene(int perRack, long seed) {
    PlanScene scene = new PlanScene().seed(seed);
    for (String node : List.of("a1 /a", "a2 /a", "b1 /b", "b2 /b")) {
      scene.node(node + " DISK=99999");
      RACK.put(node.substring(0, 2), node.substring(3));
    }
    for (int i = 0; i < perRack; i++) {
      for (String r : List.of("c", "d")) {
        scene.node(r + i + " /" + r + " ARCHIVE=99999");
        RACK.put(r + i, "/" + r);
      }
    }
    scene.rule(
        (striped, replicas, from, to) -> {
          Set<String> before = new HashSet<>();
          Set<String> after = new HashSet<>();
          replicas.forEach(r -> before.add(RACK.get(r)));
          replicas.forEach(r -> after.add(RACK.get(r.equals(from) ? to : r)));
          return after.size() >= before.size();
        });
    return scene;
  }
}
