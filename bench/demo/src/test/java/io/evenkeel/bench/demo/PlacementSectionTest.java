package io.evenkeel.bench.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PlacementSectionTest extends SectionFixture {
  @Test
  void run_manyWriters_oursIsTheMostEvenAndBreaksNoRule() throws Exception {
    Map<String, Object> section = new PlacementSection(6_000, progress).run(ONE);
    assertThat(section).as("%s", section.get("reason")).containsEntry("status", "done");
    for (String row :
        List.of("Fullest DataNode over the mean", "Busiest DataNode over the mean, in flight")) {
      List<Double> values = values(section, row);
      double ours = values.get(values.size() - 1);
      assertThat(values.subList(0, values.size() - 1))
          .as(row)
          .hasSizeGreaterThan(1)
          .allMatch(stock -> stock > ours);
    }
    for (String row :
        List.of("Blocks with two replicas on one host", "Blocks with all replicas on one rack")) {
      List<Double> values = values(section, row);
      assertThat(values.get(1)).as("WithNodeGroup, " + row).isZero();
      assertThat(values.get(values.size() - 1)).as(row).isZero();
    }
    assertEveryPlaceIsPlotted(section);
  }
}
