package io.evenkeel.bench.demo;

import io.evenkeel.bench.embedded.HostPlan;
import io.evenkeel.bench.runtime.Layout.Vm;
import java.io.IOException;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;

/**
 * Counts the blocks of finished files that one physical host or one rack could lose. Adds up over
 * several calls; confined to one thread.
 */
final class PlacementSurvey {
  private final Map<String, Vm> vms;
  private final int allHosts;
  private long blocks;
  private long twoOnOneHost;
  private long oneRack;

  /**
   * What was counted.
   *
   * @param twoOnOneHost blocks with two replicas on one host
   * @param oneRack blocks with all replicas on one rack
   */
  record Counts(long blocks, long twoOnOneHost, long oneRack) {}

  PlacementSurvey(HostPlan plan) {
    vms = plan.byName();
    allHosts = plan.layout().hosts();
  }

  /** Adds every block below a directory. */
  void add(FileSystem fs, Path dir) throws IOException {
    RemoteIterator<LocatedFileStatus> files = fs.listFiles(dir, true);
    while (files.hasNext()) {
      for (BlockLocation block : files.next().getBlockLocations()) {
        add(block.getHosts());
      }
    }
  }

  /**
   * Adds one block by the host names of its replicas; names that are not in the plan are left out.
   */
  void add(String... hostNames) {
    Set<String> hosts = new HashSet<>();
    Set<String> racks = new HashSet<>();
    int replicas = 0;
    for (String name : hostNames) {
      Vm vm = vms.get(name);
      if (vm != null) {
        replicas++;
        hosts.add(vm.path());
        racks.add(vm.rack());
      }
    }
    blocks++;
    // a file of ten replicas, as MapReduce writes some, cannot be on ten of six hosts
    twoOnOneHost += hosts.size() < Math.min(replicas, allHosts) ? 1 : 0;
    oneRack += racks.size() == 1 && replicas > 1 ? 1 : 0;
  }

  Counts counts() {
    return new Counts(blocks, twoOnOneHost, oneRack);
  }
}
