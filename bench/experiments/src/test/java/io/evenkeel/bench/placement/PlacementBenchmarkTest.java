package io.evenkeel.bench.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.bench.jmh.JmhRun;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PlacementBenchmarkTest {
  @ParameterizedTest
  @CsvSource({
    JmhRun.STOCK + "," + PlacementBenchmark.NODE_GROUPS,
    JmhRun.STOCK + "," + PlacementBenchmark.RACKS,
    JmhRun.EVENKEEL + "," + PlacementBenchmark.NODE_GROUPS,
    JmhRun.EVENKEEL + "," + PlacementBenchmark.RACKS
  })
  void benchmark_eitherArm_choosesThreeDataNodesAndVerifiesThem(String arm, String topology)
      throws Exception {
    PlacementBenchmark benchmark = new PlacementBenchmark();
    benchmark.arm = arm;
    benchmark.topology = topology;
    benchmark.prepare();
    for (int i = 0; i < 2 * PlacementBenchmark.SHAPE.size(); i++) {
      DatanodeStorageInfo[] chosen = benchmark.choose();
      Set<Object> different = new HashSet<>();
      Arrays.stream(chosen).map(DatanodeStorageInfo::getDatanodeDescriptor).forEach(different::add);
      assertThat(different).hasSize(3);
      assertThat(benchmark.verify().isPlacementPolicySatisfied()).isTrue();
    }
  }
}
