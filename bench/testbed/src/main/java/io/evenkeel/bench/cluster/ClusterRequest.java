package io.evenkeel.bench.cluster;

import io.evenkeel.bench.runtime.Layout;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * What a user asks of {@link Cluster#start}; everything has a default. Checked when the cluster is
 * started, not before. Not thread-safe.
 *
 * <p>A plain class, not a record: the launcher is compiled for Java 8 and can name it.
 */
public final class ClusterRequest {
  private int hosts = 3;
  private int vmsPerHost = 2;
  private int racks = 1;
  private int nameNodes = 1;
  private String hadoop = "3.4.3";
  private boolean plugins = true;
  private Path jars;
  private boolean yarn;
  private Integer replication;
  private List<String> volumes = List.of("DISK", "SSD");
  private List<String> conf = List.of();
  private List<String> dataNodeOptions = List.of();
  private int firstPort;
  private Duration timeout = Duration.ofSeconds(120);

  /** Physical hosts, DataNode VMs on each, and racks. */
  public ClusterRequest layout(int newHosts, int newVmsPerHost, int newRacks) {
    hosts = newHosts;
    vmsPerHost = newVmsPerHost;
    racks = newRacks;
    return this;
  }

  /**
   * One NameNode, or two that share the edits of three JournalNodes. Of two the first is active
   * when the cluster is started, and nobody fails over by itself.
   */
  public ClusterRequest nameNodes(int number) {
    nameNodes = number;
    return this;
  }

  /** The release, for example {@code 3.5.0}. */
  public ClusterRequest hadoop(String version) {
    hadoop = version;
    return this;
  }

  /** Whether the daemons get the plugin jars and their keys. */
  public ClusterRequest plugins(boolean on) {
    plugins = on;
    return this;
  }

  /** A directory of plugin jars to use in place of this installation's; null for the latter. */
  public ClusterRequest jars(Path directory) {
    jars = directory;
    return this;
  }

  /** Whether to start YARN too. */
  public ClusterRequest yarn(boolean on) {
    yarn = on;
    return this;
  }

  /** Replicas of a block; null for 3, or the number of VMs if that is fewer. */
  public ClusterRequest replication(Integer replicas) {
    replication = replicas;
    return this;
  }

  /** Storage types of each DataNode's volumes; a type may be repeated. */
  public ClusterRequest volumes(List<String> types) {
    volumes = new ArrayList<>(types);
    return this;
  }

  /** Configuration for all processes as {@code key=value} texts. */
  public ClusterRequest conf(List<String> keyValues) {
    conf = new ArrayList<>(keyValues);
    return this;
  }

  /** Options of each DataNode's JVM, besides those that every process has. */
  public ClusterRequest dataNodeOptions(List<String> options) {
    dataNodeOptions = new ArrayList<>(options);
    return this;
  }

  /**
   * Gives ports from here on, 20000 to 31999; with 0 those of Hadoop where they are free. A cluster
   * whose processes are killed and started again wants ports that no other cluster prefers.
   */
  public ClusterRequest portsFrom(int first) {
    firstPort = first;
    return this;
  }

  /** How long the start may take. */
  public ClusterRequest timeout(Duration limit) {
    timeout = limit;
    return this;
  }

  ClusterSpec checked() {
    Layout layout = new Layout(hosts, vmsPerHost, racks);
    int replicas = replication == null ? ClusterSpec.defaultReplication(layout) : replication;
    return new ClusterSpec(
        layout,
        nameNodes,
        hadoop,
        plugins,
        jars,
        yarn,
        replicas,
        volumes,
        ClusterSpec.parseConf(conf),
        dataNodeOptions,
        firstPort,
        timeout);
  }
}
