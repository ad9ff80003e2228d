package io.evenkeel.cli.doctor.core;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a NameNode said at one time, from its beans {@code NameNodeInfo}, {@code NameNodeStatus},
 * {@code FSNamesystem*}, {@code BlockStats} and {@code JvmMetrics}. Immutable.
 */
public final class NameNodeReading {
  /** State of the one that serves clients. */
  public static final String ACTIVE = "active";

  private static final String PREFIX = "Hadoop:service=NameNode,name=";

  /** The bean that lists the DataNodes; it is not asked for in every round. */
  private static final String INFO = "NameNodeInfo";

  private final double seconds;
  private final double listedSeconds;
  private final Map<String, Object> attributes;

  private NameNodeReading(double seconds, double listedSeconds, Map<String, Object> attributes) {
    this.seconds = seconds;
    this.listedSeconds = listedSeconds;
    this.attributes = attributes;
  }

  /**
   * Reads it.
   *
   * @param seconds since the first round
   * @param beans of the NameNode
   */
  public static NameNodeReading of(double seconds, List<Map<String, Object>> beans) {
    Map<String, Object> attributes = new LinkedHashMap<>();
    double listed = Double.NaN;
    for (Map<String, Object> bean : beans) {
      String name = String.valueOf(bean.get("name"));
      listed = name.equals(PREFIX + INFO) ? seconds : listed;
      for (String wanted : new String[] {"NameNode", "FSNamesystem", "BlockStats", "JvmMetrics"}) {
        if (name.startsWith(PREFIX + wanted)) {
          attributes.putAll(bean);
        }
      }
    }
    return new NameNodeReading(seconds, listed, attributes);
  }

  /** The same; what it does not say is as it was in an earlier reading. */
  public NameNodeReading filledFrom(NameNodeReading earlier) {
    Map<String, Object> all = new LinkedHashMap<>(earlier.attributes);
    all.putAll(attributes);
    double listed = Double.isNaN(listedSeconds) ? earlier.listedSeconds : listedSeconds;
    return new NameNodeReading(seconds, listed, all);
  }

  /** When it last listed its DataNodes: seconds since the first round. */
  double listedSeconds() {
    return listedSeconds;
  }

  /** Seconds since the first round. */
  public double seconds() {
    return seconds;
  }

  /** Release of the NameNode; empty when it is not known. */
  public String version() {
    return text("SoftwareVersion");
  }

  /** A text; empty when it is not known. */
  public String text(String name) {
    Object value = attributes.get(name);
    return value == null ? "" : value.toString();
  }

  /** Whether it serves clients. */
  public boolean isActive() {
    return ACTIVE.equals(text("State"));
  }

  /**
   * What stock's own detector reports: slow DataNodes by the address that it names, with the number
   * of DataNodes that say so. Empty where it is off, and before Hadoop 3.0.
   */
  Map<String, Integer> slowPeers() {
    Map<String, Integer> slow = new LinkedHashMap<>();
    for (Object each : Reading.array(text("SlowPeersReport"))) {
      if (each instanceof Map) {
        Map<?, ?> peer = (Map<?, ?>) each;
        Object reporters = peer.get("ReportingNodes");
        reporters = reporters == null ? peer.get("SlowPeerLatencyWithReportingNodes") : reporters;
        int count = reporters instanceof List ? ((List<?>) reporters).size() : 0;
        slow.put(String.valueOf(peer.get("SlowNode")), count);
      }
    }
    return slow;
  }

  /** A number; not a number when it is not known. */
  public double number(String name) {
    return Reading.number(attributes, name);
  }

  /** A table of nodes by name, as {@code LiveNodes}, {@code DeadNodes} or {@code DecomNodes} is. */
  public Map<String, Map<?, ?>> nodes(String name) {
    Map<String, Map<?, ?>> nodes = new LinkedHashMap<>();
    Reading.object(text(name))
        .forEach(
            (node, value) -> {
              if (value instanceof Map) {
                nodes.put(String.valueOf(node), (Map<?, ?>) value);
              }
            });
    return nodes;
  }

  /** One storage type of the cluster. Immutable. */
  public static final class Tier {
    private final String type;
    private final double capacity;
    private final double used;
    private final double remaining;
    private final double nodes;

    Tier(String type, Map<?, ?> value) {
      this.type = type;
      this.capacity = Reading.number(value, "capacityTotal");
      this.used = Reading.number(value, "capacityUsed");
      this.remaining = Reading.number(value, "capacityRemaining");
      this.nodes = Reading.number(value, "nodesInService");
    }

    /** Its name. */
    public String type() {
      return type;
    }

    /** Bytes in all. */
    public double capacity() {
      return capacity;
    }

    /** Bytes of blocks. */
    public double used() {
      return used;
    }

    /** Bytes that blocks may still take. */
    public double remaining() {
      return remaining;
    }

    /** DataNodes in service that have it. */
    public double nodes() {
      return nodes;
    }
  }

  /** Storage types with what is used of each; empty before Hadoop 2.9. */
  public List<Tier> tiers() {
    Object stats = attributes.get("StorageTypeStats");
    if (!(stats instanceof List)) {
      return Collections.emptyList();
    }
    List<Tier> tiers = new ArrayList<>();
    for (Object each : (List<?>) stats) {
      Map<?, ?> entry = each instanceof Map ? (Map<?, ?>) each : Collections.emptyMap();
      if (entry.get("value") instanceof Map) {
        tiers.add(new Tier(String.valueOf(entry.get("key")), (Map<?, ?>) entry.get("value")));
      }
    }
    return tiers;
  }
}
