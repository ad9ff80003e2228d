package io.evenkeel.mover.core.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("once") // says nothing about a Hadoop release
class BlockPlannerRandomTest {
  private static final int CLUSTERS = 8_000;
  private static final int QUICK_CLUSTERS = 1_500;
  private static final int BLOCKS = 5;

  private int wrong;
  private int local;
  private int remote;
  private int partial;
  private int pinned;
  private int farProxies;

  @Test
  void plan_anyBlockOfAnyCluster_keepsAllPromises() {
    planAll(QUICK_CLUSTERS);
  }

  @Test
  @Tag("slow")
  void plan_anyBlockOfMoreClusters_keepsAllPromises() {
    planAll(CLUSTERS);
  }

  private void planAll(int clusters) {
    for (long seed = 0; seed < clusters; seed++) {
      RandomCluster cluster = new RandomCluster(seed);
      BlockPlanner planner = new BlockPlanner(cluster.view(), cluster.movable(), new Random(seed));
      PlanChecks checks = new PlanChecks(cluster);
      for (int i = 0; i < BLOCKS; i++) {
        planOne(cluster, planner, checks, seed % 4 == 0);
      }
    }
    // The random cases are worth something only when they reach everything.
    assertThat(List.of(wrong, local, remote, partial)).allMatch(count -> count > clusters / 4);
    assertThat(List.of(pinned, farProxies)).allMatch(count -> count > clusters / 100);
  }

  private void planOne(
      RandomCluster cluster, BlockPlanner planner, PlanChecks checks, boolean striped) {
    BlockView block = cluster.block(striped);
    List<String> wanted = cluster.wanted(block);
    WantedTypes wantedTypes =
        new WantedTypes("policy", wanted.size(), striped, true, count -> wanted);
    Exclusions exclusions = cluster.exclusions();
    BlockPlan plan = planner.plan(block, wantedTypes, exclusions);
    int stay = checks.check(plan, block, wantedTypes, exclusions);
    if (plan.isPinned()) {
      pinned++;
      assertThat(block.replicas()).anyMatch(exclusions::isPinned);
      assertThat(plan.obstacles()).hasSize(1).allMatch(line -> line.contains("pinned"));
    }
    wrong += plan.wrong() > 0 ? 1 : 0;
    local += stay;
    remote += plan.moves().size() - stay;
    partial += plan.moves().size() < plan.wrong() ? 1 : 0;
    for (ReplicaMove move : plan.moves()) {
      farProxies +=
          move.proxy().equals(move.target()) || move.proxy().equals(move.replica().node()) ? 0 : 1;
    }
  }

  @Test
  void plan_sameSeed_isTheSame() {
    for (long seed = 0; seed < 300; seed++) {
      assertThat(plans(seed)).isEqualTo(plans(seed));
    }
  }

  private static List<String> plans(long seed) {
    RandomCluster cluster = new RandomCluster(seed);
    BlockPlanner planner = new BlockPlanner(cluster.view(), cluster.movable(), new Random(seed));
    List<String> plans = new ArrayList<>();
    for (int i = 0; i < BLOCKS; i++) {
      BlockView block = cluster.block(false);
      List<String> wanted = cluster.wanted(block);
      WantedTypes wantedTypes =
          new WantedTypes("policy", wanted.size(), false, true, count -> wanted);
      BlockPlan plan = planner.plan(block, wantedTypes, cluster.exclusions());
      plan.moves().forEach(move -> plans.add(move + " by " + move.proxy()));
      plans.addAll(plan.obstacles());
    }
    return plans;
  }
}
