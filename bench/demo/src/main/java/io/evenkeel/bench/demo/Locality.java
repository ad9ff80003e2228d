package io.evenkeel.bench.demo;

import io.evenkeel.bench.embedded.HostPlan;
import io.evenkeel.bench.embedded.SuiteLog;
import io.evenkeel.bench.runtime.Layout.Vm;
import java.util.Map;

/**
 * Bytes that tasks read from DataNodes, by how far they travelled. Told by the loopback addresses
 * of both ends in the DataNodes' own client trace; checksums are included. Confined to one thread.
 */
final class Locality {
  private final Map<String, Vm> byAddress;
  private final boolean measurable;
  private long sameNode;
  private long sameHost;
  private long sameRack;
  private long offRack;
  private long unknown;

  Locality(HostPlan plan) {
    byAddress = plan.byAddress();
    measurable = plan.ownAddresses();
  }

  void add(SuiteLog.ClientRead read) {
    Vm server = byAddress.get(read.server());
    Vm client = byAddress.get(read.client());
    if (server == null || client == null) {
      unknown += read.bytes();
    } else if (server.equals(client)) {
      sameNode += read.bytes();
    } else if (server.path().equals(client.path())) {
      sameHost += read.bytes();
    } else if (server.rack().equals(client.rack())) {
      sameRack += read.bytes();
    } else {
      offRack += read.bytes();
    }
  }

  /** Share of the bytes that came from another host; not a number where that cannot be told. */
  double remoteFraction() {
    double all = sameNode + sameHost + sameRack + offRack;
    return measured() ? (sameRack + offRack) / all : Double.NaN;
  }

  /** Bytes that came from another rack; not a number where that cannot be told. */
  double offRackBytes() {
    return measured() ? offRack : Double.NaN;
  }

  private boolean measured() {
    return measurable && unknown == 0 && sameNode + sameHost + sameRack + offRack > 0;
  }
}
