package io.evenkeel.placement.namenode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.common.plugin.Fit;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.net.NetworkTopology;
import org.junit.jupiter.api.Test;

class PlacementConfTest {
  private static final Fit CHANGED = new Fit("9.9.9", List.of("method x.Y.z is missing"), "");

  private final Configuration conf = new Configuration();

  private PlacementConf inNameNode() {
    return PlacementConf.inNameNode(CHANGED, conf, new NetworkTopology());
  }

  @Test
  void inNameNode_otherHadoop_isRefusedNamingTheKeys() {
    assertThatThrownBy(this::inNameNode)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll(
            "9.9.9",
            "method x.Y.z is missing",
            "evenkeel.placement.allow-untested=true",
            "dfs.block.replicator.classname",
            "dfs.block.placement.ec.classname");
  }

  @Test
  void inNameNode_otherHadoopThatIsAllowed_starts() {
    conf.set("evenkeel.placement.allow-untested", "true");
    assertThat(inNameNode()).isNotNull();
  }
}
