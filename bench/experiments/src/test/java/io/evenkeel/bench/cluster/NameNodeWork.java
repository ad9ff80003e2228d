package io.evenkeel.bench.cluster;

import io.evenkeel.common.jmx.JmxClient;
import java.io.IOException;
import java.net.URI;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What a NameNode did between two looks: calls by name, its garbage collections, and how long by
 * its own account calls waited for it and were worked on.
 */
final class NameNodeWork {
  /** Seconds of which the NameNode keeps percentiles. */
  static final int WINDOW_SECONDS = 3;

  /** Settings that let it keep them; microseconds from Hadoop 3.4 on, before that milliseconds. */
  static final List<String> CONF =
      List.of(
          "rpc.metrics.quantile.enable=true",
          "rpc.metrics.percentiles.intervals=" + WINDOW_SECONDS,
          "rpc.metrics.timeunit=MICROSECONDS");

  private static final String P99 = WINDOW_SECONDS + "s99thPercentileLatency";
  private static final String CALLS = "NumOps";
  private static final String MEAN = "AvgTime";
  private final JmxClient jmx;
  private Map<String, Long> before = Map.of();

  NameNodeWork(String http) {
    jmx = new JmxClient(URI.create(http), 10_000);
  }

  /** The 99th percentiles of the latest window, in microseconds: calls that waited, and work. */
  record Window(long queue, long processing) {}

  /** Looks at the port of all calls, clients' and DataNodes'. */
  Window window() throws IOException {
    for (Map<String, Object> bean : jmx.query("Hadoop:service=NameNode,name=RpcActivity*")) {
      if (bean.get("RpcQueueTime" + P99) instanceof Number queue
          && bean.get("RpcProcessingTime" + P99) instanceof Number processing) {
        return new Window(queue.longValue(), processing.longValue());
      }
    }
    throw new IOException("the NameNode keeps no percentiles");
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
            .filter(call -> !call.getKey().startsWith("Overall")) // the same calls, with their wait
            .sorted(Comparator.comparingDouble(call -> -call.getValue() * done.get(call.getKey())))
            .limit(10)
            .map(c -> line(c.getKey(), done.get(c.getKey()), c.getValue()))
            .collect(Collectors.joining(", "));
    return String.format(
        Locale.ROOT,
        "%d collections of %d ms together; %s",
        done.getOrDefault("GcCount", 0L),
        done.getOrDefault("GcTimeMillis", 0L),
        calls);
  }

  private static String line(String call, long count, double micros) {
    return String.format(Locale.ROOT, "%d %s of %.2f ms", count, call, micros / 1e3);
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
