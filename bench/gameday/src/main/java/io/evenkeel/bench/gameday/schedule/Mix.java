package io.evenkeel.bench.gameday.schedule;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What is at work while the faults of a schedule come. Immutable.
 *
 * @param logs writers of logs
 * @param logRecords records of a log until the next one begins, on average
 * @param recordBytes longest record of a log
 * @param files writers of whole files
 * @param readers threads that read what is written
 * @param policies storage policies of the directories of whole files
 * @param changes what is done with whole files once they are there
 * @param snapshots whether there is a directory with snapshots as well
 * @param erasureCoding whether there is a directory with erasure coding as well
 * @param tools what runs beside the load
 * @param teraGenMegabytes size of a TeraGen that runs once beside the load; 0 for none
 */
public record Mix(
    int logs,
    int logRecords,
    int recordBytes,
    int files,
    int readers,
    List<String> policies,
    Set<Change> changes,
    boolean snapshots,
    boolean erasureCoding,
    Set<Tool> tools,
    long teraGenMegabytes) {

  /** What can be done with a file that is closed. */
  public enum Change {
    /** Deleted. */
    DELETE,
    /** Renamed in its directory. */
    RENAME,
    /** Another number of replicas, 1 to 3; every other time an append follows soon. */
    SET_REPLICATION,
    /** Another storage policy. */
    SET_STORAGE_POLICY,
    /** A few records are appended, flushed or not. */
    APPEND,
    /** Truncated, and something is appended. */
    TRUNCATE,
    /** Others are concatenated to it. */
    CONCAT
  }

  /** What an operator has running, again and again. */
  public enum Tool {
    /** A mover: ours with our plugins, otherwise stock's. */
    MOVER,
    /** Stock's Balancer. */
    BALANCER,
    /** A client that asks a DataNode twice at once to create the same replica. */
    TWIN_CREATIONS,
    /**
     * A user of our mover's daemon, which is killed as soon as it has taken a request; the root
     * directory has erasure coding. Nothing with stock.
     */
    FOLLOWER_REQUESTS
  }

  private static final List<String> POLICIES =
      List.of("HOT", "WARM", "COLD", "ONE_SSD", "ALL_SSD", "LAZY_PERSIST");

  private static final long MOST = 100_000; // megabytes; threads end sooner

  /** What rounds have whose faults are drawn. */
  public static final Mix DEFAULT =
      new Mix(
          3,
          150,
          16 << 10,
          3,
          2,
          List.of("HOT", "ONE_SSD", "ALL_SSD", "COLD", "LAZY_PERSIST"),
          EnumSet.allOf(Change.class),
          true,
          true,
          EnumSet.of(Tool.MOVER, Tool.BALANCER),
          0);

  /** Refuses a load that writes nothing. */
  public Mix {
    policies = List.copyOf(policies);
    changes = Set.copyOf(changes);
    tools = Set.copyOf(tools);
    if (!POLICIES.containsAll(policies)) {
      throw new IllegalArgumentException("policies " + policies + ": of " + POLICIES);
    }
    boolean writes = logs > 0 || files > 0 || snapshots;
    if (logs < 0 || files < 0 || readers < 0 || teraGenMegabytes < 0 || !writes) {
      throw new IllegalArgumentException(
          "a load of " + logs + " logs, " + files + " writers of files, " + readers + " readers");
    }
    if (logRecords < 1 || recordBytes < 1) {
      throw new IllegalArgumentException(
          "logs of " + logRecords + " records of " + recordBytes + " bytes");
    }
    if (files > 0 && policies.isEmpty() && !erasureCoding) {
      throw new IllegalArgumentException("writers of files without a storage policy");
    }
  }

  Map<String, Object> toJson() {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("logs", (long) logs);
    map.put("logRecords", (long) logRecords);
    map.put("recordBytes", (long) recordBytes);
    map.put("files", (long) files);
    map.put("readers", (long) readers);
    map.put("policies", policies);
    map.put("changes", changes.stream().sorted().map(Enum::name).toList());
    map.put("snapshots", snapshots);
    map.put("erasureCoding", erasureCoding);
    map.put("tools", tools.stream().sorted().map(Enum::name).toList());
    map.put("teraGenMegabytes", teraGenMegabytes);
    return map;
  }

  /** What is not named is as in {@link #DEFAULT}. */
  static Mix fromJson(Map<?, ?> map) {
    Map<String, Object> all = DEFAULT.toJson();
    Schedule.requireKnown("the load", map, all.keySet());
    map.forEach((key, value) -> all.put(key.toString(), value));
    return new Mix(
        number(all, "logs"),
        number(all, "logRecords"),
        number(all, "recordBytes"),
        number(all, "files"),
        number(all, "readers"),
        ((List<?>) all.get("policies")).stream().map(Object::toString).toList(),
        values(Change.class, (List<?>) all.get("changes")),
        (Boolean) all.get("snapshots"),
        (Boolean) all.get("erasureCoding"),
        values(Tool.class, (List<?>) all.get("tools")),
        number(all, "teraGenMegabytes"));
  }

  private static int number(Map<String, Object> map, String key) {
    long number = Schedule.whole(map, key);
    if (number < 0 || number > MOST) {
      throw new IllegalArgumentException(key + " " + number + ": 0 to " + MOST);
    }
    return (int) number;
  }

  private static <E extends Enum<E>> Set<E> values(Class<E> type, List<?> names) {
    Set<E> values = EnumSet.noneOf(type);
    for (Object name : names) {
      values.add(
          Arrays.stream(type.getEnumConstants())
              .filter(value -> value.name().equals(name))
              .findFirst()
              .orElseThrow(
                  () ->
                      new IllegalArgumentException(
                          "there is no '"
                              + name
                              + "'; there are "
                              + Arrays.toString(type.getEnumConstants()))));
    }
    return values;
  }
}
