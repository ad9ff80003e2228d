package io.evenkeel.bench.embedded;

import io.evenkeel.bench.runtime.Layout;
import io.evenkeel.bench.runtime.Layout.Vm;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * The machines of a cluster in one JVM on this system: each VM with a loopback address of its own
 * where the system has such addresses, else all with 127.0.0.1. Immutable.
 */
public final class HostPlan {
  private final Layout layout;
  private final boolean ownAddresses;

  private HostPlan(Layout layout, boolean ownAddresses) {
    this.layout = layout;
    this.ownAddresses = ownAddresses;
  }

  /** Finds out whether the addresses the layout would like can be bound on this system. */
  public static HostPlan of(Layout layout) {
    return new HostPlan(layout, layout.vms().stream().allMatch(vm -> canBind(vm.address())));
  }

  private static boolean canBind(String address) {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName(address))) {
      return socket.isBound();
    } catch (IOException e) {
      return false;
    }
  }

  /** The machines, host by host. */
  public List<Vm> vms() {
    return layout.vms();
  }

  /** What was planned. */
  public Layout layout() {
    return layout;
  }

  /** Whether each VM has an address of its own, so that reads can be told by host. */
  public boolean ownAddresses() {
    return ownAddresses;
  }

  /** Where a VM's daemons listen. */
  public String address(Vm vm) {
    return ownAddresses ? vm.address() : "127.0.0.1";
  }

  /** VMs by host name, in order. */
  public Map<String, Vm> byName() {
    Map<String, Vm> map = new LinkedHashMap<>();
    vms().forEach(vm -> map.put(vm.name(), vm));
    return map;
  }

  /** VMs by address; only meaningful with {@link #ownAddresses}. */
  public Map<String, Vm> byAddress() {
    Map<String, Vm> map = new LinkedHashMap<>();
    vms().forEach(vm -> map.put(address(vm), vm));
    return map;
  }

  /**
   * Writes what {@code -Djdk.net.hosts.file} reads: with it a JVM resolves the VMs' names without
   * any change to the system. That property replaces all other resolution, so the machine's own
   * name and localhost are in it as well.
   */
  public void writeHostsFile(Path file) throws IOException {
    List<String> lines = new ArrayList<>();
    lines.add("127.0.0.1 localhost");
    String self = InetAddress.getLocalHost().getHostName();
    if (!"localhost".equals(self)) {
      lines.add("127.0.0.1 " + self);
    }
    vms().forEach(vm -> lines.add(address(vm) + " " + vm.name()));
    Files.write(file, lines);
  }

  /**
   * Names and addresses to node group paths, as Hadoop's StaticMapping reads them from {@code
   * hadoop.configured.node.mapping}.
   */
  String nodeMapping() {
    return mapping(Vm::path);
  }

  /** The same to racks: nobody knows which VMs share a host. */
  public String rackMapping() {
    return mapping(vm -> "/" + vm.rack());
  }

  private String mapping(Function<Vm, String> location) {
    List<String> pairs = new ArrayList<>();
    for (Vm vm : vms()) {
      pairs.add(vm.name() + "=" + location.apply(vm));
      if (ownAddresses) {
        pairs.add(vm.address() + "=" + location.apply(vm));
      }
    }
    return String.join(",", pairs);
  }
}
