package io.evenkeel.bench.gameday.cluster;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a DataNode says of its inside at one moment. Immutable.
 *
 * @param version version of the control file that is in force; -1 before it has registered
 * @param problem what keeps orders from being in force; empty when nothing does
 * @param waiting file operations that hang or are delayed now
 * @param met file operations that met an order since the process began
 * @param lockedMemory bytes of memory locked for cached blocks and replicas on RAM_DISK
 * @param volumes its volumes, and removed ones that something still refers to
 * @param threads live threads by kind, such as {@code DataXceiver for client}
 */
public record DataNodeState(
    long version,
    String problem,
    long waiting,
    long met,
    long lockedMemory,
    List<Volume> volumes,
    Map<String, Long> threads) {

  /**
   * One volume.
   *
   * @param name last element of its directory
   * @param storage its storage id
   * @param type its storage type
   * @param removed whether the DataNode has given it up
   * @param references operations that hold it
   * @param reservedForReplicas bytes reserved for replicas being written
   */
  public record Volume(
      String name,
      String storage,
      String type,
      boolean removed,
      long references,
      long reservedForReplicas) {}

  /** Names of the volumes that have not been removed. */
  public List<String> volumeNames() {
    return volumes.stream().filter(v -> !v.removed()).map(Volume::name).sorted().toList();
  }

  /**
   * Reads the attributes of the bean.
   *
   * @throws IllegalArgumentException when one is missing
   */
  static DataNodeState of(Map<String, Object> bean) {
    List<Volume> volumes = new ArrayList<>();
    for (Object each : (List<?>) attribute(bean, "Volumes")) {
      Map<?, ?> volume = (Map<?, ?>) each;
      volumes.add(
          new Volume(
              attribute(volume, "directory").toString(),
              attribute(volume, "storage").toString(),
              attribute(volume, "type").toString(),
              Boolean.TRUE.equals(attribute(volume, "removed")),
              number(volume, "references"),
              number(volume, "reservedForReplicas")));
    }
    return new DataNodeState(
        number(bean, "Version"),
        attribute(bean, "Problem").toString(),
        number(bean, "Waiting"),
        number(bean, "Met"),
        number(bean, "LockedMemory"),
        volumes,
        counts(attribute(bean, "Threads")));
  }

  /** A map of numbers as {@code /jmx} writes it: a list of keys and values. */
  static Map<String, Long> counts(Object table) {
    Map<String, Long> counts = new TreeMap<>();
    for (Object each : (List<?>) table) {
      Map<?, ?> entry = (Map<?, ?>) each;
      counts.put(attribute(entry, "key").toString(), number(entry, "value"));
    }
    return counts;
  }

  private static long number(Map<?, ?> map, String name) {
    return ((Number) attribute(map, name)).longValue();
  }

  private static Object attribute(Map<?, ?> map, String name) {
    Object value = map.get(name);
    if (value == null) {
      throw new IllegalArgumentException("no " + name + " among " + map.keySet());
    }
    return value;
  }
}
