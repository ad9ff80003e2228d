package io.evenkeel.cli.doctor.core;

import io.evenkeel.cli.core.topology.Topology;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Everything that was asked: DataNodes over all rounds, and the active NameNode. Immutable. */
public final class ClusterHistory {
  private final List<DataNodeHistory> dataNodes;
  private final List<NameNodeReading> nameNode;
  private final Map<String, String> conf;
  private final String pluginState;
  private final Topology topology;
  private final BlockListing listing;
  private final YarnHistory yarn;
  private final PlacementForecast forecast;

  /**
   * Creates it.
   *
   * @param nameNode the active NameNode in each round that it answered in; at least one
   * @param conf its configuration; empty when it does not show it
   * @param pluginState of our placement policy in that NameNode; empty when it is not loaded
   * @param topology the layout by which the hosts and racks of the DataNodes were told
   * @param listing blocks that were listed; null when none were
   */
  public ClusterHistory(
      List<DataNodeHistory> dataNodes,
      List<NameNodeReading> nameNode,
      Map<String, String> conf,
      String pluginState,
      Topology topology,
      BlockListing listing) {
    this.dataNodes = Collections.unmodifiableList(new ArrayList<>(dataNodes));
    this.nameNode = Collections.unmodifiableList(new ArrayList<>(nameNode));
    this.conf = Collections.unmodifiableMap(new LinkedHashMap<>(conf));
    this.pluginState = pluginState;
    this.topology = topology;
    this.listing = listing;
    this.yarn = null;
    this.forecast = null;
  }

  private ClusterHistory(ClusterHistory same, YarnHistory yarn, PlacementForecast forecast) {
    this.dataNodes = same.dataNodes;
    this.nameNode = same.nameNode;
    this.conf = same.conf;
    this.pluginState = same.pluginState;
    this.topology = same.topology;
    this.listing = same.listing;
    this.yarn = yarn;
    this.forecast = forecast;
  }

  /** The same with its YARN; null when that was not asked. */
  public ClusterHistory with(YarnHistory other) {
    return new ClusterHistory(this, other, forecast);
  }

  /** The same with what was simulated; null when nothing was. */
  public ClusterHistory with(PlacementForecast other) {
    return new ClusterHistory(this, yarn, other);
  }

  /** Where new blocks would go; null when it was not simulated. */
  PlacementForecast forecast() {
    return forecast;
  }

  /** A sentence of the forecast; empty when nothing was simulated. */
  String forecast(Function<PlacementForecast, String> sentence) {
    return forecast == null ? "" : sentence.apply(forecast);
  }

  /** Its YARN; null when it was not asked. */
  public YarnHistory yarn() {
    return yarn;
  }

  /** Tells the host and rack of a location of {@link #listing}. */
  public Topology topology() {
    return topology;
  }

  /** Blocks that were listed; null when none were. */
  public BlockListing listing() {
    return listing;
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

  /** State of our placement policy in the NameNode; empty when it is not loaded. */
  public String pluginState() {
    return pluginState;
  }

  /** Whether the NameNode shows its configuration. */
  public boolean hasConf() {
    return !conf.isEmpty();
  }
}
