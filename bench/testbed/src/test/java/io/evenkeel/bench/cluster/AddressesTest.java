package io.evenkeel.bench.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.ServerSocket;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("once")
class AddressesTest {
  private final Addresses addresses = new Addresses();

  @Test
  void port_takenByAnother_isPassedOver() throws Exception {
    try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      int port = addresses.port(Addresses.LOCALHOST, other.getLocalPort());
      assertThat(port).isNotEqualTo(other.getLocalPort()).isBetween(20_000, 32_000);
      assertThat(Addresses.answers(Addresses.LOCALHOST, other.getLocalPort())).isTrue();
      assertThat(Addresses.answers(Addresses.LOCALHOST, port)).isFalse();
    }
  }

  @Test
  void port_askedTwice_givesTwo() {
    int first = addresses.port(Addresses.LOCALHOST, 23_456);
    assertThat(addresses.port(Addresses.LOCALHOST, first)).isNotEqualTo(first);
  }

  @Test
  void port_ofAllAddresses_isGivenOnNoOther() {
    int one = addresses.port(Addresses.LOCALHOST, 23_567);
    int any = addresses.port(Addresses.ANY, one);
    assertThat(any).isNotEqualTo(one);
    assertThat(addresses.port(Addresses.LOCALHOST, any)).isNotEqualTo(any);
  }

  @Test
  void port_fromANumberOn_isNeverThePreferredOne() {
    Addresses addresses = new Addresses(25_000);
    int port = addresses.port(Addresses.LOCALHOST, 9866);
    assertThat(port).isBetween(25_000, Addresses.LAST);
    assertThat(addresses.port(Addresses.LOCALHOST, 9866)).isGreaterThan(port);
  }
}
