package io.evenkeel.bench.demo;

import io.evenkeel.bench.embedded.HostPlan;
import io.evenkeel.bench.runtime.Layout.Vm;
import java.io.IOException;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;

/**
 * Counts where the replicas of finished files are: per DataNode, per physical host, and the blocks
 * that one host or one rack could lose. Adds up over several calls; confined to one thread.
 */
final class PlacementSurvey {
  private final Map<String, Vm> vms;
  private final Map<String, Long> perNode = new LinkedHashMap<>();
  private final Map<String, Long> perHost = new LinkedHashMap<>();
  private long blocks;
  private long twoOnOneHost;
  private long oneRack;

  PlacementSurvey(HostPlan plan) {
    vms = plan.byName();
    plan.vms()
        .forEach(
            vm -> {
              perNode.put(vm.name(), 0L);
              perHost.put(vm.path(), 0L);
            });
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
        perNode.merge(vm.name(), 1L, Long::sum);
        perHost.merge(vm.path(), 1L, Long::sum);
        hosts.add(vm.path());
        racks.add(vm.rack());
      }
    }
    blocks++;
    // a file of ten replicas, as MapReduce writes some, cannot be on ten of six hosts
    twoOnOneHost += hosts.size() < Math.min(replicas, perHost.size()) ? 1 : 0;
    oneRack += racks.size() == 1 && replicas > 1 ? 1 : 0;
  }

  Map<String, Object> result(String fsckStatus) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("blocks", blocks);
    map.put("replicasPerDataNode", perNode);
    map.put("replicasPerHost", perHost);
    map.put("dataNodeMaxOverMean", maxOverMean(perNode.values()));
    map.put("dataNodeCv", coefficientOfVariation(perNode.values()));
    map.put("hostMaxOverMean", maxOverMean(perHost.values()));
    map.put("hostCv", coefficientOfVariation(perHost.values()));
    map.put("blocksWithTwoReplicasOnOneHost", twoOnOneHost);
    map.put("blocksOnOneRack", oneRack);
    map.put("fsckStatus", fsckStatus);
    return map;
  }

  /** Largest value over the mean; 0 for all zeros. */
  static double maxOverMean(Collection<Long> values) {
    double mean = values.stream().mapToLong(v -> v).average().orElse(0);
    return mean == 0 ? 0 : values.stream().mapToLong(v -> v).max().orElse(0) / mean;
  }

  /** Standard deviation (of the population) over the mean; 0 for all zeros. */
  static double coefficientOfVariation(Collection<Long> values) {
    double mean = values.stream().mapToLong(v -> v).average().orElse(0);
    double variance = values.stream().mapToDouble(v -> (v - mean) * (v - mean)).average().orElse(0);
    return mean == 0 ? 0 : Math.sqrt(variance) / mean;
  }
}
