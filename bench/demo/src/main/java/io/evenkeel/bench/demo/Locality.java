package io.evenkeel.bench.demo;

import io.evenkeel.bench.embedded.HostPlan;
import io.evenkeel.bench.embedded.SuiteLog;
import io.evenkeel.bench.runtime.Layout.Vm;
import java.util.LinkedHashMap;
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

  Map<String, Object> result() {
    Map<String, Object> map = new LinkedHashMap<>();
    long total = sameNode + sameHost + sameRack + offRack;
    boolean measured = measurable && total > 0 && unknown == 0;
    map.put("measured", measured);
    map.put("reason", measured ? "" : reason(total));
    map.put("phase", "TeraValidate");
    if (measured) {
      map.put("sameNodeBytes", sameNode);
      map.put("sameHostBytes", sameHost);
      map.put("sameRackBytes", sameRack);
      map.put("offRackBytes", offRack);
      map.put("remoteFraction", (double) (sameRack + offRack) / total);
    }
    return map;
  }

  private String reason(long total) {
    if (!measurable) {
      return "this system has no loopback address per host";
    }
    return total == 0 && unknown == 0
        ? "no read was seen"
        : unknown + " bytes were read from addresses outside the plan";
  }
}
