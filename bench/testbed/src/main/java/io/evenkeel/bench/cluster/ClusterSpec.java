package io.evenkeel.bench.cluster;

import io.evenkeel.bench.runtime.Layout;
import io.evenkeel.common.cli.CommandException;
import io.evenkeel.common.cli.ExitCode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a cluster to be started looks like. Immutable.
 *
 * @param layout racks, hosts and VMs
 * @param nameNodes 1 or 2
 * @param hadoop the release, for example {@code 3.5.0}
 * @param plugins whether the plugin jars and keys are given to the daemons
 * @param jars directory of the plugin jars; null for those of this installation
 * @param yarn whether to start a ResourceManager and one NodeManager per VM
 * @param replication replicas of a block, at least 1; more than there are DataNodes is refused
 * @param volumes storage types of each DataNode's volumes, in this order; a type may be repeated
 * @param conf keys that go into the configuration of every process and of the client
 * @param dataNodeOptions options of each DataNode's JVM
 * @param firstPort ports are given from here on, 20000 to 31999; 0 for those of Hadoop where free
 * @param timeout how long a start may take, at least 1 s
 */
record ClusterSpec(
    Layout layout,
    int nameNodes,
    String hadoop,
    boolean plugins,
    Path jars,
    boolean yarn,
    int replication,
    List<String> volumes,
    Map<String, String> conf,
    List<String> dataNodeOptions,
    int firstPort,
    Duration timeout) {

  /** The storage types that are directories of a disk. */
  private static final List<String> TYPES = List.of("DISK", "SSD", "ARCHIVE", "RAM_DISK");

  /** The keys that make a process this process; nobody else may set them. */
  private static final List<String> OWN_KEYS =
      List.of(
          "fs.defaultFS",
          "hadoop.tmp.dir",
          "hadoop.configured.node.mapping",
          "dfs.namenode.name.dir",
          "dfs.namenode.rpc-address",
          "dfs.namenode.http-address",
          "dfs.datanode.data.dir",
          "dfs.datanode.hostname",
          "dfs.datanode.address",
          "dfs.datanode.ipc.address",
          "dfs.datanode.http.address",
          "yarn.nodemanager.address",
          "yarn.nodemanager.local-dirs",
          "yarn.nodemanager.log-dirs");

  /** Checks what the parts cannot check alone; a violation is a usage error. */
  ClusterSpec {
    int nodes = layout.hosts() * layout.vmsPerHost();
    if (replication < 1 || replication > nodes) {
      throw new CommandException(
          ExitCode.USAGE, "--replication " + replication + ": 1 to the number of VMs, " + nodes);
    }
    if (nameNodes != 1 && nameNodes != 2) {
      throw new CommandException(ExitCode.USAGE, nameNodes + " NameNodes: 1 or 2");
    }
    for (String type : volumes) {
      if (!TYPES.contains(type)) {
        throw new CommandException(
            ExitCode.USAGE, "--volumes '" + type + "': one of " + String.join(", ", TYPES));
      }
    }
    if (volumes.isEmpty()) {
      throw new CommandException(ExitCode.USAGE, "--volumes: at least one");
    }
    volumes = List.copyOf(volumes);
    dataNodeOptions = List.copyOf(dataNodeOptions);
    if (timeout.toSeconds() < 1) {
      throw new CommandException(ExitCode.USAGE, "--timeout: at least 1 s");
    }
    if (firstPort != 0 && (firstPort < Addresses.FIRST || firstPort >= Addresses.LAST)) {
      throw new CommandException(
          ExitCode.USAGE, "ports from " + firstPort + ": 20000 to 31999, or 0 for Hadoop's");
    }
    conf = Map.copyOf(conf);
    for (String key : OWN_KEYS) {
      if (conf.containsKey(key)) {
        throw new CommandException(
            ExitCode.USAGE, "--conf " + key + ": this key is set by the cluster itself");
      }
    }
  }

  /** HDFS's default, or as many as there are VMs when that is fewer. */
  static int defaultReplication(Layout layout) {
    return Math.min(3, layout.hosts() * layout.vmsPerHost());
  }

  /**
   * Reads {@code key=value} texts; the last one of a key wins, a value may be empty and may hold
   * {@code =}.
   *
   * @throws CommandException usage, when there is no {@code =} or the key is empty or has a space
   */
  static Map<String, String> parseConf(List<String> texts) {
    Map<String, String> conf = new LinkedHashMap<>();
    for (String text : texts) {
      int at = text.indexOf('=');
      String key = at < 0 ? "" : text.substring(0, at).trim();
      if (key.isEmpty() || key.chars().anyMatch(Character::isWhitespace)) {
        throw new CommandException(
            ExitCode.USAGE, "--conf '" + text + "': write key=value, for example dfs.blocksize=1m");
      }
      conf.put(key, text.substring(at + 1).trim());
    }
    return conf;
  }
}
