package io.evenkeel.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("once")
class SuiteArmTest {
  /** Blocks on the DISK volumes of a DataNode, for each. */
  private static double worst(int[]... nodes) {
    List<Object> volumes = new ArrayList<>();
    for (int node = 0; node < nodes.length; node++) {
      for (int blocks : nodes[node]) {
        volumes.add(Map.of("dataNode", "dn" + node, "storageType", "DISK", "blocks", blocks));
      }
    }
    return new SuiteArm("Stock", new Doc(Map.of("volumes", volumes))).worstVolumeRatio("DISK");
  }

  @Test
  void worstVolumeRatio_isOfTheLeastEvenDataNode() {
    assertThat(worst(new int[] {10, 10}, new int[] {5, 15})).isEqualTo(1.5);
    assertThat(worst(new int[] {0, 10})).isEqualTo(2);
  }

  @Test
  void worstVolumeRatio_dataNodesWithAFewBlocks_areLeftOut() {
    assertThat(worst(new int[] {0, 1}, new int[] {6, 4})).isEqualTo(1.2);
    assertThat(worst(new int[] {0, 9})).isNaN();
    assertThat(worst(new int[] {20})).isNaN();
  }
}
