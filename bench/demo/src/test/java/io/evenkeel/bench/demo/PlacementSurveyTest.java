package io.evenkeel.bench.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.bench.demo.PlacementSurvey.Counts;
import io.evenkeel.bench.embedded.HostPlan;
import io.evenkeel.bench.runtime.Layout;
import org.junit.jupiter.api.Test;

class PlacementSurveyTest {
  private final PlacementSurvey survey = new PlacementSurvey(HostPlan.of(new Layout(6, 2, 2)));

  @Test
  void add_replicasOnTwoVmsOfOneHost_isCounted() {
    survey.add("dn1", "dn7", "dn8");
    assertThat(survey.counts()).isEqualTo(new Counts(1, 1, 0));
  }

  @Test
  void add_replicasOnThreeHostsOfTwoRacks_violatesNothing() {
    survey.add("dn1", "dn7", "dn9");
    assertThat(survey.counts()).isEqualTo(new Counts(1, 0, 0));
  }

  @Test
  void add_allReplicasInOneRack_isCounted() {
    survey.add("dn1", "dn3", "dn5");
    assertThat(survey.counts()).isEqualTo(new Counts(1, 0, 1));
  }

  @Test
  void add_singleReplica_isNoOneRackBlock() {
    survey.add("dn1");
    assertThat(survey.counts()).isEqualTo(new Counts(1, 0, 0));
  }

  @Test
  void add_moreReplicasThanHosts_cannotBeAvoided() {
    survey.add("dn1", "dn2", "dn3", "dn5", "dn7", "dn9", "dn11");
    assertThat(survey.counts()).isEqualTo(new Counts(1, 0, 0));
  }
}
