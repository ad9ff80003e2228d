package io.evenkeel.bench.embedded;

import io.evenkeel.bench.runtime.Layout.Vm;
import java.util.Map;

/**
 * Bytes that tasks read from DataNodes, by how far they travelled. Told by the loopback addresses
 * of both ends in the DataNodes' own client trace; checksums are included. Confined to one thread.
 */
public final class Locality {
  private final Map<String, Vm> byAddress;
  private final boolean measurable;
  private long sameNode;
  private long sameHost;
  private long sameRack;
  private long offRack;
  private long unknown;

  /** Nothing read so far. */
  public Locality(HostPlan plan) {
    byAddress = plan.byAddress();
    measurable = plan.ownAddresses();
  }

  /** Adds a read. */
  public void add(SuiteLog.ClientRead read) {
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
  public double remoteFraction() {
    return remoteBytes() / bytes();
  }

  /** Bytes that came from another host; not a number where that cannot be told. */
  public double remoteBytes() {
    return measured() ? sameRack + offRack : Double.NaN;
  }

  /** Bytes that came from another rack; not a number where that cannot be told. */
  public double offRackBytes() {
    return measured() ? offRack : Double.NaN;
  }

  /** Bytes read. */
  public double bytes() {
    return sameNode + sameHost + sameRack + offRack + unknown;
  }

  private boolean measured() {
    return measurable && unknown == 0 && bytes() > 0;
  }
}
