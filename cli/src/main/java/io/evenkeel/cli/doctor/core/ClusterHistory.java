package io.evenkeel.cli.doctor.core;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Everything that was asked: DataNodes over all rounds, and the active NameNode. Immutable. */
public final class ClusterHistory {
  private final List<DataNodeHistory> dataNodes;
  private final List<NameNodeReading> nameNode;
  private final Map<String, String> conf;
  private final boolean nodeGroups;
  private final String pluginState;

  /**
   * Creates it.
   *
   * @param nameNode the active NameNode in each round that it answered in; at least one
   * @param conf its configuration; empty when it does not show it
   * @param nodeGroups whether network locations end with a node group
   * @param pluginState of our placement policy in that NameNode; empty when it is not loaded
   */
  public ClusterHistory(
      List<DataNodeHistory> dataNodes,
      List<NameNodeReading> nameNode,
      Map<String, String> conf,
      boolean nodeGroups,
      String pluginState) {
    this.nodeGroups = nodeGroups;
    this.pluginState = pluginState;
    this.dataNodes = Collections.unmodifiableList(new ArrayList<>(dataNodes));
    this.nameNode = Collections.unmodifiableList(new ArrayList<>(nameNode));
    this.conf = Collections.unmodifiableMap(new LinkedHashMap<>(conf));
  }

  /** All live DataNodes. */
  public List<DataNodeHistory> dataNodes() {
    return dataNodes;
  }

  /** The DataNodes in service that answered, by what makes them peers: their storage types. */
  Map<String, List<DataNodeHistory>> roles() {
    Map<String, List<DataNodeHistory>> roles = new LinkedHashMap<>();
    for (DataNodeHistory each : dataNodes) {
      if (each.inService() && each.last() != null) {
        roles.computeIfAbsent(each.types(), t -> new ArrayList<>()).add(each);
      }
    }
    return roles;
  }

  /** The NameNode when the first round began. */
  public NameNodeReading first() {
    return nameNode.get(0);
  }

  /** The NameNode in the last round. */
  public NameNodeReading last() {
    return nameNode.get(nameNode.size() - 1);
  }

  /** The NameNode in each round. */
  public List<NameNodeReading> nameNode() {
    return nameNode;
  }

  /** A key of the NameNode's configuration; empty when it is not set or not known. */
  public String conf(String key) {
    return conf.getOrDefault(key, "");
  }

  /** Whether network locations end with a node group. */
  public boolean hasNodeGroups() {
    return nodeGroups;
  }

  /** State of our placement policy in the NameNode; empty when it is not loaded. */
  public String pluginState() {
    return pluginState;
  }

  /** Whether the NameNode shows its configuration. */
  public boolean hasConf() {
    return !conf.isEmpty();
  }
}
