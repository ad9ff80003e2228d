package io.evenkeel.bench.sim.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.bench.sim.placement.Shape.Place;
import io.evenkeel.common.json.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What {@code evenkeel simulate} asks for and is answered, in this JVM. */
class SimulateMainTest {
  private static final int BLOCKS = 3_000;

  private final Map<String, Object> request = new LinkedHashMap<>();
  private final List<Object> places = new ArrayList<>();

  /** Four racks of two hosts with three DataNodes each, and ones heavier by a half among them. */
  SimulateMainTest() {
    for (int i = 0; i < 24; i++) {
      add("/r" + i / 6, "h" + i / 3, i % 2 == 0 ? 0.2 : 0.3);
    }
    request.put("policies", List.of("stock-default", "stock-nodegroup", "uniform"));
    request.put("blocks", BLOCKS);
    request.put("replication", 3);
    request.put("writers", "outside");
    request.put("order", "turn");
    request.put("seed", 1);
    request.put("places", places);
  }

  private void add(String rack, String host, double weight) {
    places.add(Map.of("rack", rack, "host", host, "weight", weight));
  }

  private List<?> answer() throws Exception {
    return (List<?>) Json.parse(SimulateMain.answer(Json.compact(request)));
  }

  private static double figure(Object outcome, String name) {
    return ((Number) ((Map<?, ?>) outcome).get(name)).doubleValue();
  }

  @Test
  void places_hostsAndRacksByKey_weightsRelativeToTheLightest() {
    places.clear();
    add("/b", "x", 0.5);
    add("/a", "y", 0.75);
    add("/b", "x", 50);
    assertThat(SimulateMain.places(places))
        .containsExactly(
            new Place(0, 0, 0, 0, 1, 1, false, false),
            new Place(1, 1, 1, 0, 1.5, 1, false, false),
            new Place(2, 0, 0, 1, 100, 1, false, false));
  }

  @Test
  void answer_eachPolicy_givesEveryReplicaToADataNode() throws Exception {
    List<?> answer = answer();
    assertThat(answer)
        .extracting(one -> String.valueOf(((Map<?, ?>) one).get("policy")))
        .containsExactly("stock-default", "stock-nodegroup", "uniform");
    for (Object one : answer) {
      List<?> blocks = (List<?>) ((Map<?, ?>) one).get("blocks");
      assertThat(blocks).hasSize(24);
      assertThat(blocks.stream().mapToLong(n -> (Long) n).sum()).isEqualTo(3 * BLOCKS);
      assertThat(figure(one, "mean")).isEqualTo(3 * BLOCKS / 24.0);
    }
    assertThat(figure(answer.get(0), "sharedHost")).isPositive();
    assertThat(figure(answer.get(1), "sharedHost")).isZero();
    assertThat(figure(answer.get(2), "sharedHost")).isZero();
  }

  @Test
  void answer_weights_ourPolicyKeepsThemAndStockDoesNot() throws Exception {
    List<?> answer = answer();
    assertThat(figure(answer.get(2), "maxOverMean")).isBetween(1.0, 1.02);
    assertThat(figure(answer.get(2), "max") / figure(answer.get(2), "min")).isBetween(1.45, 1.55);
    assertThat(figure(answer.get(1), "maxOverMean")).isGreaterThan(1.15);
  }

  @Test
  void answer_fewerBlocksThanWriters_hasNoFigureInFlight() throws Exception {
    request.put("blocks", 3);
    for (Object one : answer()) {
      assertThat(((Map<?, ?>) one).get("inFlightMaxOverMean")).isNull();
      assertThat(((Map<?, ?>) one).get("inFlightP99")).isNull();
    }
  }

  @Test
  void answer_localWritersInTurn_writeTheirShareThemselves() throws Exception {
    request.put("replication", 1);
    request.put("writers", "local");
    request.put("blocks", 48);
    request.put("policies", List.of("stock-nodegroup"));
    assertThat(figure(answer().get(0), "max")).isEqualTo(2);
    request.put("order", "random");
    assertThat(figure(answer().get(0), "max")).isGreaterThan(2);
  }

  @Test
  void answer_noJson_isRefused() {
    assertThatThrownBy(() -> SimulateMain.answer("{")).hasMessageStartingWith("not JSON");
  }
}
