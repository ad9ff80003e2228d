package io.evenkeel.terasort.core.locality;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;

/**
 * Which physical host and which rack a host (a VM) is on, by its network location.
 *
 * <p>{@code /rack/nodegroup} names both. {@code /rack+nodegroup} does too: that is how {@code
 * NodeGroupMapping} joins the two for YARN, with {@code +} and {@code %} inside a name escaped.
 * {@code /rack} names the rack only. Stock's names for hosts it knows nothing of ({@code
 * default-rack}, {@code default-nodegroup}) are no place: hosts that share them share nothing.
 *
 * <p>Names of hosts are compared without regard to case, as host names are. Immutable.
 */
public final class HostMap {
  /** What the last part of a location is. */
  public enum Layers {
    /** A node group when most locations have two parts or more, else a rack. */
    AUTO,
    /** A rack: {@code /rack} or {@code /room/rack}. */
    RACK,
    /** A node group, that is a physical host: {@code /rack/nodegroup}. */
    NODEGROUP
  }

  private static final String DEFAULT_RACK = "default-rack";
  private static final String DEFAULT_NODEGROUP = "default-nodegroup";

  private final Map<String, Place> places = new LinkedHashMap<>();
  private final Map<String, List<String>> byPhysicalHost = new HashMap<>();

  /**
   * Creates the map.
   *
   * @param locations network location by host; a null location is an unknown one
   */
  public HostMap(Map<String, String> locations, Layers layers) {
    boolean nodeGroups =
        layers == Layers.NODEGROUP || (layers == Layers.AUTO && mostlyDeep(locations));
    Map<String, TreeSet<String>> groups = new HashMap<>();
    locations.forEach(
        (host, path) -> {
          Place place = Place.of(path, nodeGroups);
          places.put(key(host), place);
          if (place.physicalHost != null) {
            groups.computeIfAbsent(place.physicalHost, p -> new TreeSet<>()).add(host);
          }
        });
    groups.forEach(
        (physical, hosts) ->
            byPhysicalHost.put(physical, Collections.unmodifiableList(new ArrayList<>(hosts))));
  }

  /** A map that knows no host. */
  public static HostMap empty() {
    return new HostMap(Collections.emptyMap(), Layers.AUTO);
  }

  private static boolean mostlyDeep(Map<String, String> locations) {
    int deep = 0;
    int flat = 0;
    for (String path : locations.values()) {
      List<String> levels = levels(path);
      if (levels.size() > 1) {
        deep++;
      } else if (levels.size() == 1 && !levels.get(0).equals(DEFAULT_RACK)) {
        flat++;
      }
    }
    return deep > flat;
  }

  private static List<String> levels(String path) {
    List<String> levels = new ArrayList<>();
    if (path != null && path.startsWith("/")) {
      for (String level : path.split("/")) {
        if (!level.isEmpty()) {
          levels.add(level);
        }
      }
    }
    return levels;
  }

  private static String key(String host) {
    return host.toLowerCase(Locale.ROOT);
  }

  private Place place(String host) {
    return places.getOrDefault(key(host), Place.UNKNOWN);
  }

  /** Key of the physical host a VM is on; null when it is not known. */
  public String physicalHost(String host) {
    return place(host).physicalHost;
  }

  /** Key of the rack a host is in; null when it is not known. */
  public String rack(String host) {
    return place(host).rack;
  }

  /**
   * The hosts known to be on one physical host, in the order of their names.
   *
   * @return those and the host itself; none when its physical host is not known
   */
  public List<String> onSamePhysicalHost(String host) {
    String physical = physicalHost(host);
    return physical == null ? Collections.emptyList() : byPhysicalHost.get(physical);
  }

  /** Whether it is known of any host which physical host it is on. */
  public boolean knowsPhysicalHosts() {
    return !byPhysicalHost.isEmpty();
  }

  /** Whether it is known of any host which rack it is in. */
  public boolean knowsRacks() {
    return places.values().stream().anyMatch(place -> place.rack != null);
  }

  /** Where a task on one host ran, seen from the hosts of its replicas. */
  public Locality classify(String taskHost, List<String> replicaHosts) {
    Place task = place(taskHost);
    boolean sameHost = false;
    boolean sameRack = false;
    boolean uncertain = replicaHosts.isEmpty() || task.rack == null;
    for (String replica : replicaHosts) {
      if (key(replica).equals(key(taskHost))) {
        return Locality.SAME_VM;
      }
      Place place = place(replica);
      sameHost |= place.physicalHost != null && place.physicalHost.equals(task.physicalHost);
      sameRack |= place.rack != null && place.rack.equals(task.rack);
      uncertain |= place.rack == null;
    }
    if (sameHost) {
      return Locality.SAME_HOST;
    }
    if (sameRack) {
      return Locality.SAME_RACK;
    }
    return uncertain ? Locality.UNKNOWN : Locality.OFF_RACK;
  }

  /** What a location says; null stands for not known. */
  private static final class Place {
    static final Place UNKNOWN = new Place(null, null);

    final String rack;
    final String physicalHost;

    private Place(String rack, String physicalHost) {
      this.rack = rack;
      this.physicalHost = physicalHost;
    }

    static Place of(String path, boolean nodeGroups) {
      List<String> levels = levels(path);
      if (levels.size() == 1) {
        return joined(levels.get(0));
      }
      if (levels.isEmpty()) {
        return UNKNOWN;
      }
      return nodeGroups ? deep(levels) : new Place("/" + String.join("/", levels), null);
    }

    private static Place joined(String level) {
      int plus = level.lastIndexOf('+');
      return plus > 0 && plus < level.length() - 1
          ? deep(asPath(level.substring(0, plus), level.substring(plus + 1)))
          : new Place(known(unescaped(level)), null);
    }

    private static List<String> asPath(String above, String group) {
      List<String> levels = new ArrayList<>();
      for (String level : above.split("\\+")) {
        levels.add(unescaped(level));
      }
      levels.add(unescaped(group));
      return levels;
    }

    private static String unescaped(String name) {
      return name.replace("%2b", "+").replace("%25", "%");
    }

    private static Place deep(List<String> levels) {
      String rack = String.join("/", levels.subList(0, levels.size() - 1));
      String group = levels.get(levels.size() - 1);
      return new Place(
          known(rack), group.equals(DEFAULT_NODEGROUP) ? null : "/" + rack + "/" + group);
    }

    private static String known(String rack) {
      return rack.equals(DEFAULT_RACK) ? null : "/" + rack;
    }
  }
}
