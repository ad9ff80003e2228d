package io.evenkeel.bench.tera;

import io.evenkeel.bench.embedded.SuiteLog;
import io.evenkeel.bench.runtime.Layout.Vm;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Where one validation read from.
 *
 * @param remote bytes the DataNodes sent to another host, checksums included
 * @param local bytes they sent to their own
 * @param predicted bytes of blocks without a replica on their task's host, by block locations
 * @param bytes bytes of the input
 * @param largestTask bytes of the largest task
 * @param tasks how many there were
 * @param byHost bytes the DataNodes sent to each host
 */
record LocalityTally(
    long remote,
    long local,
    long predicted,
    long bytes,
    long largestTask,
    int tasks,
    Map<String, Long> byHost) {

  /** Adds up the DataNodes' own trace; {@code byAddress} are the hosts. */
  static LocalityTally of(
      List<SuiteLog.ClientRead> reads, Map<String, Vm> byAddress, LocalityTally planned) {
    long remote = 0;
    long local = 0;
    Map<String, Long> byHost = new HashMap<>();
    byAddress.values().forEach(vm -> byHost.put(vm.name(), 0L));
    for (SuiteLog.ClientRead read : reads) {
      Vm client = byAddress.get(read.client());
      if (client == null) {
        throw new IllegalStateException("a read from " + read.client() + ", which is no host");
      }
      boolean here = read.server().equals(read.client());
      local += here ? read.bytes() : 0;
      remote += here ? 0 : read.bytes();
      byHost.merge(client.name(), read.bytes(), Long::sum);
    }
    return new LocalityTally(
        remote,
        local,
        planned.predicted,
        planned.bytes,
        planned.largestTask,
        planned.tasks,
        byHost);
  }

  double remoteFraction() {
    return (double) remote / (remote + local);
  }

  double predictedFraction() {
    return (double) predicted / bytes;
  }

  /** What was sent over what was asked for: 1.008, for the checksums, when nothing went astray. */
  double wireOverInput() {
    return (double) (remote + local) / bytes;
  }

  double largestOverMean() {
    return (double) largestTask * tasks / bytes;
  }

  double hostMaxOverMean() {
    long most = byHost.values().stream().mapToLong(Long::longValue).max().orElse(0);
    return (double) most * byHost.size() / (remote + local);
  }
}
