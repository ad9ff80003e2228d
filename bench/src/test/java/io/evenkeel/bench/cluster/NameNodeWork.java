package io.evenkeel.bench.cluster;

import io.evenkeel.common.jmx.JmxClient;
import java.io.IOException;
import java.net.URI;
import java.util.Comparator;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** What a NameNode did between two looks: calls by name, and its garbage collections. */
final class NameNodeWork {
  private static final String CALLS = "NumOps";
  private static final String MEAN = "AvgTime";
  private final JmxClient jmx;
  private Map<String, Long> before = Map.of();

  NameNodeWork(String http) {
    jmx = new JmxClient(URI.create(http), 10_000);
  }

  /** Starts anew. */
  void mark() throws IOException {
    before = now(new TreeMap<>());
  }

  /** Since the last mark: the collections, and the calls that took most of its time. */
  String since() throws IOException {
    Map<String, Double> means = new TreeMap<>();
    Map<String, Long> after = now(means);
    Map<String, Long> done = new TreeMap<>();
    after.forEach((name, count) -> done.put(name, count - before.getOrDefault(name, 0L)));
    String calls =
        means.entrySet().stream()
            .filter(call -> done.getOrDefault(call.getKey(), 0L) > 0)
            .sorted(Comparator.comparingDouble(call -> -call.getValue() * done.get(call.getKey())))
            .limit(6)
            .map(c -> line(c.getKey(), done.get(c.getKey()), c.getValue()))
            .collect(Collectors.joining(", "));
    return String.format(
        Locale.ROOT,
        "%d collections of %d ms together; %s",
        done.getOrDefault("GcCount", 0L),
        done.getOrDefault("GcTimeMillis", 0L),
        calls);
  }

  private static String line(String call, long count, double millis) {
    return String.format(Locale.ROOT, "%d %s of %.2f ms", count, call, millis);
  }

  private Map<String, Long> now(Map<String, Double> means) throws IOException {
    Map<String, Long> counts = new TreeMap<>();
    for (String query : new String[] {"RpcDetailedActivity*", "JvmMetrics"}) {
      for (Map<String, Object> bean : jmx.query("Hadoop:service=NameNode,name=" + query)) {
        bean.forEach(
            (name, value) -> {
              if (name.endsWith(CALLS)) {
                counts.put(
                    name.substring(0, name.length() - CALLS.length()),
                    ((Number) value).longValue());
              } else if (name.endsWith(MEAN)) {
                means.put(
                    name.substring(0, name.length() - MEAN.length()),
                    ((Number) value).doubleValue());
              } else if (name.equals("GcCount") || name.equals("GcTimeMillis")) {
                counts.put(name, ((Number) value).longValue());
              }
            });
      }
    }
    return counts;
  }
}
