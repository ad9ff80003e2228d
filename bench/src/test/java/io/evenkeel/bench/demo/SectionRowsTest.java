package io.evenkeel.bench.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.common.json.Json;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Values of the demo's sections, which end up in a report. */
@Tag("once") // says nothing about a Hadoop release
class SectionRowsTest {
  /** On a busy machine a half may have written nothing in a second it is compared with. */
  @Test
  void measureIsNoNumberOrInfinite_notMeasuredAndTheReportIsWritten() {
    SectionRows<double[]> rows = new SectionRows<>(new double[] {1, 0}, new double[] {0, 0});
    rows.add("kept", "fraction", "more", r -> r[0] / r[1]);
    Map<String, Object> row = rows.list().get(0);
    assertThat(row).containsEntry("stock", null).containsEntry("evenkeel", null);
    assertThat(Json.pretty(row)).contains("\"stock\": null");
  }
}
