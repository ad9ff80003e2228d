package io.evenkeel.bench.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.bench.demo.DemoSection.Measure;
import io.evenkeel.common.json.Json;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Values of the demo's sections, which end up in a report. */
@Tag("once") // says nothing about a Hadoop release
class DemoSectionTest {
  /** On a busy machine an arm may have written nothing in a second it is compared with. */
  @Test
  void measureIsNoNumberOrInfinite_notMeasuredAndTheReportIsWritten() {
    Measure<Integer> kept = new Measure<>("kept", "fraction", "more", n -> n / 0.0);
    Map<String, Object> row = kept.row(1, 0);
    assertThat(row).containsEntry("stock", null).containsEntry("evenkeel", null);
    assertThat(Json.pretty(row)).contains("\"stock\": null");
  }
}
