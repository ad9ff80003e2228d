package io.evenkeel.placement.core.mapping;

import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Which DataNodes have moved to another host since they registered, by what a mapping says of all
 * of them from look to look. Confined to one thread.
 *
 * <p>To believe a wrong answer is worse than to miss a move: stock asks only when a DataNode
 * registers. So
 *
 * <ul>
 *   <li>two looks in a row must tell the same, to go and to come back;
 *   <li>and of all that registered with a host: where one has no usable answer, or a new one, what
 *       was known of all of them stays, or two of one machine would seem to be apart;
 *   <li>of the DataNodes that registered with a known host no more than one in {@value #PART} of
 *       all has moved: more of them is another mapping, or a broken one;
 *   <li>no host gets most of all DataNodes;
 *   <li>a rack keeps a host of its own: blocks could not be in two racks on different hosts.
 * </ul>
 */
public final class MovedNodes {
  /** Of so many DataNodes one may have moved. */
  static final int PART = 4;

  private Map<String, String> lastLook = Collections.emptyMap(); // answers, as far as usable
  private Map<String, String> moved = Collections.emptyMap();
  private final Map<String, String> from = new HashMap<>(); // what the moved registered with
  private String doubt = "";

  /** A DataNode and what the mapping says of it now. Immutable. */
  public static final class Asked {
    private final String id;
    private final String registered;
    private final String now; // null when the answer tells nothing

    /**
     * Creates it.
     *
     * @param registered the network location it registered with
     * @param said the answer; anything, also null
     */
    public Asked(String id, String registered, String said) {
      this.id = id;
      this.registered = normal(registered);
      Optional<NetworkLocation> location = NetworkLocation.parse(said);
      Optional<NetworkLocation> then = NetworkLocation.parse(registered);
      boolean usable =
          location.isPresent()
              && then.isPresent()
              && location.get().depth() == then.get().depth()
              && location.get().isKnown();
      now = usable ? location.get().toString() : null;
    }

    private static String normal(String location) {
      return NetworkLocation.parse(location).map(NetworkLocation::toString).orElse(location);
    }

    private boolean wasKnown() {
      return NetworkLocation.parse(registered).map(NetworkLocation::isKnown).orElse(false);
    }

    private boolean staysInRack(String to) {
      return rack(registered).equals(rack(to));
    }
  }

  private static String rack(String location) {
    return NetworkLocation.parse(location).map(l -> l.parent().toString()).orElse(location);
  }

  /**
   * Takes in one look at all DataNodes.
   *
   * @return where those that have moved are now, by their ids
   */
  public Map<String, String> look(List<Asked> nodes) {
    Map<String, String> known = new HashMap<>();
    Set<String> unsettled = new HashSet<>(); // hosts by which DataNodes registered
    for (Asked node : nodes) {
      if (node.registered.equals(from.get(node.id))) {
        known.put(node.id, moved.get(node.id)); // it has not registered again since
      }
      if (node.now == null || !node.now.equals(lastLook.get(node.id))) {
        unsettled.add(node.registered);
      }
    }
    lastLook = new HashMap<>();
    Map<String, String> agreed = new TreeMap<>();
    for (Asked node : nodes) {
      lastLook.put(node.id, node.now);
      String now = unsettled.contains(node.registered) ? known.get(node.id) : node.now;
      if (now != null && !now.equals(node.registered)) {
        agreed.put(node.id, now);
      }
    }
    doubt = doubt(nodes, agreed);
    moved = doubt.isEmpty() ? withinRacks(nodes, agreed) : known;
    from.clear();
    for (Asked node : nodes) {
      if (moved.containsKey(node.id)) {
        from.put(node.id, node.registered);
      }
    }
    return moved;
  }

  /** Why the last look was not believed, so that what was known stays; empty when it was. */
  public String doubt() {
    return doubt;
  }

  private static String doubt(List<Asked> nodes, Map<String, String> agreed) {
    int known = 0;
    Map<String, Integer> before = new HashMap<>();
    Map<String, Integer> after = new HashMap<>();
    for (Asked node : nodes) {
      String now = agreed.getOrDefault(node.id, node.registered);
      known += node.wasKnown() && agreed.containsKey(node.id) ? 1 : 0;
      before.merge(node.registered, 1, Integer::sum);
      after.merge(now, 1, Integer::sum);
    }
    if (known > Math.max(1, nodes.size() / PART)) {
      return known
          + " of "
          + nodes.size()
          + " DataNodes are elsewhere than when they registered: that looks like another mapping,"
          + " not like machines that moved, and is not believed";
    }
    for (Map.Entry<String, Integer> host : after.entrySet()) {
      boolean grew = host.getValue() > before.getOrDefault(host.getKey(), 0);
      if (grew && 2 * host.getValue() > nodes.size() && host.getValue() > 2) {
        return "the mapping puts "
            + host.getValue()
            + " of "
            + nodes.size()
            + " DataNodes on one host, "
            + host.getKey()
            + ", which is not believed";
      }
    }
    return "";
  }

  /** Without those of a rack that nobody stays in. */
  private static Map<String, String> withinRacks(List<Asked> nodes, Map<String, String> agreed) {
    Set<String> kept = new HashSet<>();
    for (Asked node : nodes) {
      String to = agreed.get(node.id);
      if (to == null || node.staysInRack(to)) {
        kept.add(rack(node.registered));
      }
    }
    Map<String, String> within = new TreeMap<>(agreed);
    for (Asked node : nodes) {
      if (node.wasKnown() && !kept.contains(rack(node.registered))) {
        within.remove(node.id);
      }
    }
    return within;
  }
}
