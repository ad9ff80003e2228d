package io.evenkeel.placement;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.net.DNSToSwitchMapping;
import org.apache.hadoop.util.ReflectionUtils;
import org.apache.hadoop.yarn.util.RackResolver;
import org.junit.jupiter.api.Test;

/** The callers of Hadoop other than the NameNode, with an unknown host in mode {@code fail}. */
class StockCallersTest {
  @Test
  void rackResolver_unknownHost_isInTheDefaultRackAndOthersKeepTheirs() {
    FakeSite.reset();
    FakeSite.TABLE.put("10.1.0.1", "/r1/n1");
    Configuration conf = new Configuration(false);
    conf.set("net.topology.node.switch.mapping.impl", NodeGroupMapping.class.getName());
    conf.set("evenkeel.placement.mapping.wrapped", FakeSite.class.getName());
    conf.set("evenkeel.placement.mapping.unknown", "fail");
    conf.set("evenkeel.placement.mapping.emit", "nodegroup");
    // once per JVM: RackResolver keeps its first mapping
    RackResolver.init(conf);
    assertThat(RackResolver.resolve("10.1.0.1").getNetworkLocation()).isEqualTo("/r1+n1");
    assertThat(RackResolver.resolve("10.1.0.9").getNetworkLocation()).isEqualTo("/default-rack");
    assertThat(RackResolver.resolve("10.1.0.1").getNetworkLocation()).isEqualTo("/r1+n1");
    assertThat(FakeSite.ASKED).containsExactly("10.1.0.1", "10.1.0.9");

    DNSToSwitchMapping mapping = ReflectionUtils.newInstance(NodeGroupMapping.class, conf);
    assertThat(mapping.resolve(List.of("10.1.0.9", "10.1.0.1")))
        .containsExactly("/default-rack", "/r1+n1");
  }
}
