package io.evenkeel.bench.runtime;

import io.evenkeel.common.cli.CommandException;
import io.evenkeel.common.cli.ExitCode;
import java.util.ArrayList;
import java.util.List;

/**
 * How many racks, physical hosts and virtual machines a cluster pretends to have. Immutable.
 *
 * @param hosts physical hosts, 1 to 250
 * @param vmsPerHost DataNode VMs on each, 1 to 250; at most 250 VMs in all
 * @param racks racks, 1 to hosts; each gets a run of neighbouring hosts
 */
public record Layout(int hosts, int vmsPerHost, int racks) {
  private static final int MAX_VMS = 250;

  /** One DataNode VM; {@code address} is the loopback address it would like to have. */
  public record Vm(int number, String host, String rack, String address) {
    /** Its host name and the name of its DataNode, for example {@code dn3}. */
    public String name() {
      return "dn" + number;
    }

    /** The place in the topology, node group last: {@code /rack1/host2}. */
    public String path() {
      return "/" + rack + "/" + host;
    }
  }

  /** Checks the ranges; a violation is a usage error. */
  public Layout {
    require(hosts >= 1 && hosts <= MAX_VMS, "--hosts " + hosts + ": 1 to " + MAX_VMS);
    require(vmsPerHost >= 1, "--vms-per-host " + vmsPerHost + ": at least 1");
    require(
        (long) hosts * vmsPerHost <= MAX_VMS,
        hosts + " hosts x " + vmsPerHost + " VMs: at most " + MAX_VMS + " VMs in all");
    require(racks >= 1, "--racks " + racks + ": at least 1");
    require(racks <= hosts, "--racks " + racks + ": at most the number of hosts, " + hosts);
  }

  /** All VMs, host by host: dn1 and its neighbours are on host1. */
  public List<Vm> vms() {
    List<Vm> vms = new ArrayList<>();
    for (int host = 0; host < hosts; host++) {
      int rack = host * racks / hosts + 1;
      for (int vm = 1; vm <= vmsPerHost; vm++) {
        String address = "127.0." + (host + 1) + "." + vm;
        vms.add(new Vm(vms.size() + 1, "host" + (host + 1), "rack" + rack, address));
      }
    }
    return vms;
  }

  private static void require(boolean condition, String message) {
    if (!condition) {
      throw new CommandException(ExitCode.USAGE, message);
    }
  }
}
