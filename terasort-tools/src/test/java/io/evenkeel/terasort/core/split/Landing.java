package io.evenkeel.terasort.core.split;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;

/**
 * Where the tasks of a job land, as YARN's CapacityScheduler decides with a delay of one round of
 * heartbeats: a container goes to a host that is named, or, when as many heartbeats came from
 * others as there are hosts, to whichever is next. A host that is full is not asked.
 */
final class Landing {
  private static final int RUNNING = 2;

  private final List<String> hosts;
  private final Set<String> full;
  private final Random random;

  /**
   * Creates it.
   *
   * @param full hosts that have no room as long as the job runs, as that of an application master
   */
  Landing(List<String> hosts, Set<String> full, long seed) {
    this.hosts = hosts;
    this.full = full;
    this.random = new Random(seed);
  }

  /** Bytes that tasks read from a host other than the one they run on. */
  long remoteBytes(List<PackedSplit> splits) {
    List<PackedSplit> asked = new ArrayList<>(splits);
    List<String> busy = new ArrayList<>();
    long remote = 0;
    int missed = 0;
    while (!asked.isEmpty()) {
      String host = hosts.get(random.nextInt(hosts.size()));
      if (busy.size() == RUNNING) {
        busy.remove(random.nextInt(RUNNING));
      }
      if (full.contains(host) || busy.contains(host)) {
        continue;
      }
      missed++;
      PackedSplit task = forHost(asked, host);
      if (task == null && missed > hosts.size()) {
        task = asked.get(0);
      }
      if (task != null) {
        missed = 0;
        asked.remove(task);
        busy.add(host);
        remote += elsewhere(task, host);
      }
    }
    return remote;
  }

  private static PackedSplit forHost(List<PackedSplit> asked, String host) {
    return asked.stream().filter(split -> split.hosts().contains(host)).findFirst().orElse(null);
  }

  private static long elsewhere(PackedSplit split, String host) {
    return split.ranges().stream()
        .filter(range -> !range.hosts().contains(host))
        .mapToLong(Range::length)
        .sum();
  }
}
