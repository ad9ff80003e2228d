package io.evenkeel.bench.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.evenkeel.bench.embedded.HostPlan;
import io.evenkeel.bench.embedded.SuiteLog.ClientRead;
import io.evenkeel.bench.runtime.Layout;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LocalityTest {
  private final HostPlan plan = HostPlan.of(new Layout(6, 2, 2));
  private final Locality locality = new Locality(plan);

  @BeforeEach
  void needsAddresses() {
    assumeThat(plan.ownAddresses()).as("a loopback address per host").isTrue();
  }

  @Test
  void add_eachDistance_goesIntoItsOwnClass() {
    locality.add(new ClientRead("127.0.1.1", "127.0.1.1", 1));
    locality.add(new ClientRead("127.0.1.1", "127.0.1.2", 10));
    locality.add(new ClientRead("127.0.1.1", "127.0.3.2", 100));
    locality.add(new ClientRead("127.0.1.1", "127.0.6.1", 1000));
    assertThat(locality.result())
        .containsEntry("measured", true)
        .containsEntry("sameNodeBytes", 1L)
        .containsEntry("sameHostBytes", 10L)
        .containsEntry("sameRackBytes", 100L)
        .containsEntry("offRackBytes", 1000L)
        .containsEntry("remoteFraction", 1100.0 / 1111);
  }

  @Test
  void result_nothingRead_saysItWasNotMeasured() {
    assertThat(locality.result())
        .containsEntry("measured", false)
        .containsEntry("reason", "no read was seen")
        .doesNotContainKey("remoteFraction");
  }

  @Test
  void result_readFromUnknownAddress_isNotPassedOffAsMeasured() {
    locality.add(new ClientRead("127.0.1.1", "127.0.1.1", 5));
    locality.add(new ClientRead("127.0.1.1", "127.0.0.1", 7));
    assertThat(locality.result())
        .containsEntry("measured", false)
        .containsEntry("reason", "7 bytes were read from addresses outside the plan");
  }
}
