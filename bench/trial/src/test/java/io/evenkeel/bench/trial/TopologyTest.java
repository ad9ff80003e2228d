package io.evenkeel.bench.trial;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

class TopologyTest {
  @Test
  void resolve_knownAndOtherHosts_inTheOrderAsked() {
    Configuration conf = new Configuration(false);
    conf.set(Topology.KEY, "a=/r0/n0 b=/r1/n1 ");
    Topology topology = new Topology();
    topology.setConf(conf);
    assertThat(topology.resolve(List.of("b", "c", "a")))
        .containsExactly("/r1/n1", "/default-rack", "/r0/n0");
  }
}
