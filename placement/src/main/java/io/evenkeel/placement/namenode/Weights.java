package io.evenkeel.placement.namenode;

import io.evenkeel.common.config.ConfigException;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;

/**
 * What a DataNode can take compared with others: its number of volumes, its capacity, the same for
 * all, what remains for each storage type, or what the operator says. Immutable.
 */
public final class Weights {
  /** Bytes that count as 1; any would do, weights are relative. */
  private static final double TERABYTE = 1e12;

  private final String kind;
  private final Map<String, Double> said;

  private Weights(String kind, Map<String, Double> said) {
    this.kind = kind;
    this.said = said;
  }

  /**
   * Reads weights.
   *
   * @param kind volumes, capacity, equal or remaining
   * @param said the operator's own: {@code host=2,10.0.0.7=0.5}, by host name or address
   * @throws ConfigException naming the entry and what is allowed
   */
  public static Weights of(String kind, String said) {
    Map<String, Double> map = new HashMap<>();
    for (String entry : said.split("[,\\s]+")) {
      if (!entry.isEmpty()) {
        int at = entry.lastIndexOf('=');
        map.put(entry.substring(0, Math.max(0, at)), number(entry, entry.substring(at + 1)));
      }
    }
    return new Weights(kind, map);
  }

  private static double number(String entry, String text) {
    double value = -1;
    try {
      value = Double.parseDouble(text);
    } catch (NumberFormatException e) {
      value = -1; // refused below
    }
    if (entry.indexOf('=') < 1 || !(value >= 0.01 && value <= 100000)) {
      throw new ConfigException(
          "evenkeel.placement.weights: '"
              + entry
              + "' is not host=number with a number from 0.01 to 100000");
    }
    return value;
  }

  /** Names the operator gave that belong to none of these DataNodes. */
  Set<String> unknown(DatanodeInfo[] nodes) {
    Set<String> names = new TreeSet<>(said.keySet());
    for (DatanodeInfo node : nodes) {
      names.remove(node.getHostName());
      names.remove(node.getIpAddr());
    }
    return names;
  }

  /** Whether every storage type of a DataNode has a weight of its own. */
  boolean typesApart() {
    return "remaining".equals(kind);
  }

  /**
   * The weight of a DataNode, or of one of its storage types, with that many volumes and bytes of
   * capacity and of remaining space; above 0.
   */
  double of(DatanodeInfo node, int volumes, long capacity, long remaining) {
    Double own = said.getOrDefault(node.getHostName(), said.get(node.getIpAddr()));
    if (own != null) {
      return own;
    }
    switch (kind) {
      case "capacity":
        return Math.max(0.01, capacity / TERABYTE);
      case "equal":
        return 1;
      case "remaining":
        return Math.max(1, remaining) / TERABYTE;
      default:
        return Math.max(1, volumes);
    }
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Weights
        && kind.equals(((Weights) other).kind)
        && said.equals(((Weights) other).said);
  }

  @Override
  public int hashCode() {
    return Objects.hash(kind, said);
  }
}
