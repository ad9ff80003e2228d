package io.evenkeel.bench.mover;

import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * How often methods of a NameNode were called, by lower case name, without those that only
 * DataNodes call. Immutable.
 */
record Calls(Map<String, Long> byMethod) {
  private static final Set<String> OF_DATA_NODES =
      Set.of(
          "sendheartbeat",
          "blockreport",
          "blockreceivedanddeleted",
          "registerdatanode",
          "cachereport",
          "sendlifeline",
          "errorreport",
          "reportbadblocks",
          "commitblocksynchronization");

  private static final Set<String> LISTINGS =
      Set.of(
          "getlisting",
          "getbatchedlisting",
          "getlocatedfileinfo",
          "getblocklocations",
          "getfileinfo");

  /** Takes all methods and leaves those of DataNodes out. */
  static Calls of(Map<String, Long> all) {
    Map<String, Long> kept = new TreeMap<>();
    all.forEach((name, count) -> kept.merge(name.toLowerCase(Locale.ROOT), count, Long::sum));
    kept.keySet().removeAll(OF_DATA_NODES);
    return new Calls(kept);
  }

  /** What was called after {@code before}. */
  Calls since(Calls before) {
    Map<String, Long> rest = new TreeMap<>(byMethod);
    before.byMethod.forEach((name, count) -> rest.merge(name, -count, Long::sum));
    rest.values().removeIf(count -> count == 0);
    return new Calls(rest);
  }

  /** All of them. */
  long all() {
    return byMethod.values().stream().mapToLong(Long::longValue).sum();
  }

  /** Those that ask for files, directories or blocks. */
  long listings() {
    return byMethod.entrySet().stream()
        .filter(call -> LISTINGS.contains(call.getKey()))
        .mapToLong(Map.Entry::getValue)
        .sum();
  }
}
