package io.evenkeel.terasort.core.report;

import io.evenkeel.terasort.core.locality.HostMap;
import io.evenkeel.terasort.core.locality.Locality;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** One map task as it described itself. Immutable. */
public final class TaskFacts {
  final String host;
  final long started;
  final long ended;
  final long cpuNanos;
  final long bytesHere;
  private final List<Map<?, ?>> elsewhere = new ArrayList<>();

  private TaskFacts(Map<?, ?> line) {
    host = (String) line.get("host");
    started = (Long) line.get("started");
    ended = (Long) line.get("ended");
    cpuNanos = (Long) line.get("cpuNanos");
    bytesHere = (Long) line.get("bytesHere");
    for (Object item : (List<?>) line.get("bytesElsewhere")) {
      elsewhere.add((Map<?, ?>) item);
    }
  }

  /** Made of a parsed line of {@code _tasks}. */
  public static TaskFacts of(Map<?, ?> line) {
    return new TaskFacts(line);
  }

  /** The host the task ran on, as YARN calls it. */
  public String host() {
    return host;
  }

  long millis() {
    return ended - started;
  }

  long bytes() {
    long bytes = bytesHere;
    for (Map<?, ?> item : elsewhere) {
      bytes += (Long) item.get("bytes");
    }
    return bytes;
  }

  /** Adds the task's bytes to where they came from. */
  void addTo(Map<Locality, Long> bytes, HostMap hosts) {
    bytes.merge(Locality.SAME_VM, bytesHere, Long::sum);
    for (Map<?, ?> item : elsewhere) {
      List<String> replicas = new ArrayList<>();
      ((List<?>) item.get("hosts")).forEach(replica -> replicas.add((String) replica));
      bytes.merge(hosts.classify(host, replicas), (Long) item.get("bytes"), Long::sum);
    }
  }
}
