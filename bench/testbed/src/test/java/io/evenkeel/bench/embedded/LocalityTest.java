package io.evenkeel.bench.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

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
    assertThat(locality.remoteFraction()).isEqualTo(1100.0 / 1111);
    assertThat(locality.offRackBytes()).isEqualTo(1000);
  }

  @Test
  void remoteFraction_nothingRead_isNotMeasured() {
    assertThat(locality.remoteFraction()).isNaN();
    assertThat(locality.offRackBytes()).isNaN();
  }

  @Test
  void remoteFraction_readFromUnknownAddress_isNotPassedOffAsMeasured() {
    locality.add(new ClientRead("127.0.1.1", "127.0.1.1", 5));
    locality.add(new ClientRead("127.0.1.1", "127.0.0.1", 7));
    assertThat(locality.remoteFraction()).isNaN();
  }
}
