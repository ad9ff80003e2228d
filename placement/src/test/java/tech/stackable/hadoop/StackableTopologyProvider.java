package tech.stackable.hadoop;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.net.DNSToSwitchMapping;

/**
 * Plays the class of this name in Stackable's images, as far as a mapping is concerned: a location
 * of the labels of the node on which a pod runs, {@code NotFound} for each label that is not found,
 * and of no pod while one is not scheduled. Written for tests; it asks no API.
 */
public final class StackableTopologyProvider implements DNSToSwitchMapping {
  /** Locations of nodes, by addresses of pods. */
  public static final Map<String, String> PODS = new ConcurrentHashMap<>();

  /** Whether a DataNode's pod is not scheduled yet. */
  public static volatile boolean pending;

  @Override
  public List<String> resolve(List<String> names) {
    List<String> locations = new ArrayList<>();
    for (String name : names) {
      String known = pending ? null : PODS.get(name);
      locations.add(known == null ? "/NotFound/NotFound" : known);
    }
    return locations;
  }

  @Override
  public void reloadCachedMappings() {}

  @Override
  public void reloadCachedMappings(List<String> names) {}
}
