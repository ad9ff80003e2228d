package io.evenkeel.terasort.core.report;

import io.evenkeel.terasort.core.locality.HostMap;
import io.evenkeel.terasort.core.locality.Locality;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Times, balance and locality of all map tasks. Immutable. */
final class TaskFigures {
  private static final int BUCKETS = 100;

  private final List<TaskFacts> tasks;
  private final Map<Locality, Long> locality = new EnumMap<>(Locality.class);
  private final Map<String, HostFigures> hosts = new TreeMap<>();

  /** Sums over the tasks that ran on one host. */
  static final class HostFigures {
    private long tasks;
    private long millis;
    private long bytes;

    private void add(TaskFacts task) {
      tasks++;
      millis += task.millis();
      bytes += task.bytes();
    }

    long tasks() {
      return tasks;
    }

    long millis() {
      return millis;
    }

    long bytes() {
      return bytes;
    }
  }

  /** A rate over time: the n-th of each belong together. */
  static final class Throughput {
    /** Seconds since the first task started. */
    final double[] seconds = new double[BUCKETS];

    /** Bytes per second in the stretch around that moment. */
    final double[] rates = new double[BUCKETS];
  }

  TaskFigures(List<TaskFacts> tasks, HostMap topology) {
    this.tasks = tasks;
    for (Locality kind : Locality.values()) {
      locality.put(kind, 0L);
    }
    for (TaskFacts task : tasks) {
      task.addTo(locality, topology);
      hosts.computeIfAbsent(task.host, h -> new HostFigures()).add(task);
    }
  }

  int count() {
    return tasks.size();
  }

  /** Bytes by where they came from; every kind is there. */
  Map<Locality, Long> locality() {
    return locality;
  }

  /** By the host's name. */
  Map<String, HostFigures> hosts() {
    return hosts;
  }

  double meanMillis() {
    return tasks.stream().mapToLong(TaskFacts::millis).average().orElse(Double.NaN);
  }

  /** The task that took longest; null when there was none. */
  TaskFacts longest() {
    return tasks.stream().max((a, b) -> Long.compare(a.millis(), b.millis())).orElse(null);
  }

  double largestOverMean() {
    double mean = tasks.stream().mapToLong(TaskFacts::bytes).average().orElse(Double.NaN);
    return tasks.stream().mapToLong(TaskFacts::bytes).max().orElse(0) / mean;
  }

  double hostBytesOverMean() {
    double mean =
        hosts.values().stream().mapToLong(HostFigures::bytes).average().orElse(Double.NaN);
    return hosts.values().stream().mapToLong(HostFigures::bytes).max().orElse(0) / mean;
  }

  /** CPU seconds of the threads that read and checked; NaN when one of them is not known. */
  double cpuSeconds() {
    double nanos = 0;
    for (TaskFacts task : tasks) {
      nanos += task.cpuNanos < 0 ? Double.NaN : task.cpuNanos;
    }
    return nanos / 1e9;
  }

  private long begin() {
    return tasks.stream().mapToLong(task -> task.started).min().orElse(0);
  }

  /** From the start of the first task to the end of the last, in seconds. */
  double seconds() {
    return (tasks.stream().mapToLong(task -> task.ended).max().orElse(0) - begin()) / 1e3;
  }

  /** Bytes per second over the run, each task's bytes spread evenly over its time. */
  Throughput throughput() {
    double step = Math.max(0.001, seconds() / BUCKETS);
    Throughput throughput = new Throughput();
    for (int i = 0; i < BUCKETS; i++) {
      throughput.seconds[i] = (i + 0.5) * step;
    }
    for (TaskFacts task : tasks) {
      double from = (task.started - begin()) / 1e3;
      double to = Math.max(from + 0.001, (task.ended - begin()) / 1e3);
      double rate = task.bytes() / (to - from);
      for (int i = (int) (from / step); i < BUCKETS && i * step < to; i++) {
        double within = Math.min(to, (i + 1) * step) - Math.max(from, i * step);
        throughput.rates[i] += rate * Math.max(0, within) / step;
      }
    }
    return throughput;
  }
}
