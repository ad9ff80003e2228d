package io.evenkeel.cli.topology.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.cli.core.topology.Topology;
import io.evenkeel.cli.core.topology.TopologyLines;
import io.evenkeel.common.cli.ExitCode;
import io.evenkeel.common.json.Json;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What is asked of a simulation, and what its answer looks like. */
@Tag("once")
class SimulationReportTest {
  private static final String TOPOLOGY =
      "a /r1/n1 weight=2\nb /r1/n1\nc /r2/n2\nd /r2/n3\ne /r3/n4 types=SSD\n";

  private static final String FIGURES =
      "'min':90,'mean':100.25,'max':131,'maxOverMean':1.31234567,'inFlightMaxOverMean':2.5,"
          + "'inFlightP99':null,'scatterWidth':3.0,'sharedHost':%d,'oneRack':0,'short':1,"
          + "'blocks':[90,104,131,76]}";

  private static final String ANSWER =
      ("[{'policy':'stock-default'," + FIGURES + ",{'policy':'uniform'," + FIGURES + "]")
          .formatted(1234, 0)
          .replace('\'', '"');

  private static SimulationReport report(String order) {
    Topology topology =
        new Topology(TopologyLines.parse(TOPOLOGY.lines().toList()), Topology.Layers.AUTO);
    return new SimulationReport("a file", topology)
        .with("blocks", 1234)
        .with("replication", 3)
        .with("writers", "outside")
        .with("order", order)
        .with("seed", 7)
        .with("hadoop", "3.4.3");
  }

  @Test
  void request_holdsTheLoadAndEveryDataNodeWithADisk() {
    Map<?, ?> request = (Map<?, ?>) Json.parse(report("turn").request(List.of("uniform")));
    assertThat(request.get("policies")).isEqualTo(List.of("uniform"));
    assertThat(request.get("blocks")).isEqualTo(1234L);
    assertThat(request.get("writers")).isEqualTo("outside");
    assertThat(request.get("places"))
        .isEqualTo(
            List.of(
                Map.of("rack", "/r1", "host", "/r1/n1", "weight", 2.0),
                Map.of("rack", "/r1", "host", "/r1/n1", "weight", 1.0),
                Map.of("rack", "/r2", "host", "/r2/n2", "weight", 1.0),
                Map.of("rack", "/r2", "host", "/r2/n3", "weight", 1.0)));
  }

  @Test
  void text_isATableOfTheFigures() {
    assertThat(report("turn").answer(ANSWER).text())
        .startsWith(
            "a file: 4 DataNodes on 3 hosts in 2 racks\n1,234 blocks, replication 3, writers"
                + " outside, blocks completing in turn, Hadoop 3.4.3\n\nPOLICY ")
        .containsPattern(
            "(?m)^stock-default +90 +100\\.3 +131 +1\\.312 +2\\.50 +- +3 +1,234 +0 +1$")
        .containsPattern("(?m)^uniform +90 .* 0 +0 +1$");
    assertThat(report("random").answer(ANSWER).text())
        .contains("completing in random order of seed 7,");
  }

  @Test
  void json_hasTheDocumentedShape() {
    Map<String, Object> json = report("turn").answer(ANSWER).json(ExitCode.OK);
    assertThat(json.keySet())
        .containsExactly(
            "schema",
            "evenkeel",
            "exitCode",
            "source",
            "dataNodes",
            "hosts",
            "racks",
            "blocks",
            "replication",
            "writers",
            "order",
            "seed",
            "hadoop",
            "policies");
    assertThat(json).containsEntry("schema", "evenkeel.simulate/1").containsEntry("hosts", 3);
    Map<?, ?> first = (Map<?, ?>) ((List<?>) json.get("policies")).get(0);
    assertThat(first.keySet().stream().map(String::valueOf))
        .containsExactly(
            "policy",
            "min",
            "mean",
            "max",
            "maxOverMean",
            "inFlightMaxOverMean",
            "inFlightP99",
            "scatterWidth",
            "sharedHost",
            "oneRack",
            "short",
            "histogram");
    assertThat(first.get("maxOverMean")).isEqualTo(1.3123);
    assertThat(first.get("inFlightP99")).isNull();
    assertThat(first.get("sharedHost")).isEqualTo(1234L);
    assertThat(((List<?>) first.get("histogram")).get(0))
        .isEqualTo(Map.of("from", 75L, "to", 79L, "dataNodes", 1L));
  }

  @Test
  void page_holdsTheTableAndADrawing() {
    SimulationReport report = report("turn").answer(ANSWER);
    assertThat(SimulationPage.html(report))
        .startsWith("<!DOCTYPE html>")
        .contains("<td>uniform</td>", "<td>1,234</td>", "MAX/MEAN", "<svg ", "75 to 79 blocks")
        .doesNotContain("http://", "https://");
  }
}
