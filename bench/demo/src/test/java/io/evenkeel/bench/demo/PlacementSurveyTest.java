package io.evenkeel.bench.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.evenkeel.bench.embedded.HostPlan;
import io.evenkeel.bench.runtime.Layout;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PlacementSurveyTest {
  private final PlacementSurvey survey = new PlacementSurvey(HostPlan.of(new Layout(6, 2, 2)));

  @Test
  void add_replicasOnTwoVmsOfOneHost_isCounted() {
    survey.add("dn1", "dn7", "dn8");
    assertThat(survey.result("HEALTHY"))
        .containsEntry("blocks", 1L)
        .containsEntry("blocksWithTwoReplicasOnOneHost", 1L)
        .containsEntry("blocksOnOneRack", 0L)
        .containsEntry("fsckStatus", "HEALTHY");
  }

  @Test
  void add_replicasOnThreeHostsOfTwoRacks_violatesNothing() {
    survey.add("dn1", "dn7", "dn9");
    assertThat(survey.result("HEALTHY"))
        .containsEntry("blocksWithTwoReplicasOnOneHost", 0L)
        .containsEntry("blocksOnOneRack", 0L);
  }

  @Test
  void add_allReplicasInOneRack_isCounted() {
    survey.add("dn1", "dn3", "dn5");
    assertThat(survey.result("HEALTHY")).containsEntry("blocksOnOneRack", 1L);
  }

  @Test
  void add_singleReplica_isNoOneRackBlock() {
    survey.add("dn1");
    assertThat(survey.result("HEALTHY"))
        .containsEntry("blocksOnOneRack", 0L)
        .containsEntry("blocksWithTwoReplicasOnOneHost", 0L);
  }

  @Test
  void result_countsReplicasPerNodeAndHost() {
    survey.add("dn1", "dn7", "dn8");
    survey.add("dn1", "dn9", "dn11");
    Map<String, Object> result = survey.result("HEALTHY");
    assertThat(result.get("replicasPerDataNode"))
        .asInstanceOf(org.assertj.core.api.InstanceOfAssertFactories.map(String.class, Long.class))
        .hasSize(12)
        .containsEntry("dn1", 2L)
        .containsEntry("dn2", 0L);
    assertThat(result.get("replicasPerHost"))
        .asInstanceOf(org.assertj.core.api.InstanceOfAssertFactories.map(String.class, Long.class))
        .containsEntry("/rack1/host1", 2L)
        .containsEntry("/rack2/host4", 2L);
    assertThat((double) result.get("dataNodeMaxOverMean")).isCloseTo(4.0, within(1e-9));
  }

  @Test
  void spread_evenUnevenAndEmpty() {
    assertThat(PlacementSurvey.maxOverMean(List.of(5L, 5L))).isEqualTo(1.0);
    assertThat(PlacementSurvey.maxOverMean(List.of(0L, 0L))).isZero();
    assertThat(PlacementSurvey.coefficientOfVariation(List.of(2L, 4L)))
        .isCloseTo(1 / 3.0, within(1e-9));
    assertThat(PlacementSurvey.coefficientOfVariation(List.of())).isZero();
  }
}
