package io.evenkeel.cli.doctor.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.common.json.Json;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PlacementForecastTest {
  private static Map<String, Object> policy(String name, int sharedHost, double inFlight) {
    return Map.of(
        "policy",
        name,
        "sharedHost",
        sharedHost,
        "oneRack",
        1,
        "maxOverMean",
        1.1,
        "inFlightMaxOverMean",
        inFlight);
  }

  private static final PlacementForecast FORECAST =
      PlacementForecast.of(
          2000,
          Json.compact(
              List.of(
                  policy("stock-default", 500, 2.4),
                  policy("stock-nodegroup", 0, 2.2),
                  policy("uniform", 0, 1.33))));

  @Test
  void sentences_sayOursThenStock() {
    assertThat(FORECAST.sharedHosts())
        .isEqualTo(
            " Simulated on this layout, two replicas of a block on one host: 0.0 %; 25.0 % with"
                + " stock-default, 0.0 % with stock-nodegroup.");
    assertThat(FORECAST.inFlight())
        .endsWith(": 1.33; 2.40 with stock-default, 2.20 with stock-nodegroup.");
  }

  @Test
  void report_withAForecast_hasItEverywhere() {
    Given given = new Given().nodeGroups("").conf("dfs.replication", "3");
    ClusterHistory cluster = given.cluster().with(FORECAST);
    List<Diagnosis> found = Configuration.find(cluster);
    assertThat(found.get(0).evenkeel()).contains("25.0 % with stock-default");
    DoctorReport report = new DoctorReport("t", "x", cluster, found, List.of());
    assertThat(report.text())
        .contains("New blocks, simulated on this layout (2,000 blocks of three replicas):")
        .containsPattern("stock-default +25.0 % +0.1 % +1.100 +2.40\n");
    assertThat(((Map<?, ?>) report.json().get("forecast")).get("blocks")).isEqualTo(2000L);
    assertThat(DoctorPage.html(report)).contains("Where new blocks would go");
  }

  @Test
  void report_withoutOne_hasNone() {
    ClusterHistory cluster = new Given().cluster();
    DoctorReport report = new DoctorReport("t", "x", cluster, List.of(), List.of());
    assertThat(report.text()).doesNotContain("simulated");
    assertThat(report.json()).containsEntry("forecast", null);
    assertThat(DoctorPage.html(report)).doesNotContain("Where new blocks would go");
  }
}
