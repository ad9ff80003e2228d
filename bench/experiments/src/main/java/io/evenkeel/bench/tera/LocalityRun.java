package io.evenkeel.bench.tera;

import io.evenkeel.bench.embedded.SuiteLog;
import io.evenkeel.bench.embedded.SuiteLog.ClientRead;
import io.evenkeel.bench.runtime.Layout.Vm;
import io.evenkeel.terasort.mapreduce.BlockSplit;
import java.io.IOException;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.lib.input.FileSplit;

/**
 * Runs the tasks of one validation, each on a host its split names: the least loaded one. That is
 * the best a scheduler can do, not what YARN does under load. Apart from {@link
 * LocalityExperiment}, which says of which data sets and compares. Confined to one thread.
 */
final class LocalityRun {
  private static final long TRACE_LIMIT_NANOS = 30_000_000_000L;

  private static final int CHUNK = 512; // bytes that have a checksum
  private static final int CHECKSUM = 4;

  private final TeraCluster cluster;
  private final SuiteLog log;
  private final Map<Vm, Configuration> clients = new HashMap<>();

  /**
   * Where one validation read from.
   *
   * @param bytes of the input
   * @param predicted bytes of blocks without a replica on their task's host, by block locations
   * @param largestTask bytes of the largest task
   * @param tasks how many there were
   * @param remote bytes the DataNodes sent to another host, checksums included
   * @param byHost bytes the DataNodes sent to each host
   */
  record Tally(
      long bytes,
      long predicted,
      long largestTask,
      int tasks,
      long remote,
      Map<String, Long> byHost) {

    private double sent() {
      return byHost.values().stream().mapToLong(Long::longValue).sum();
    }

    double remoteFraction() {
      return remote / sent();
    }

    double predictedFraction() {
      return (double) predicted / bytes;
    }

    /** What was sent over what was asked for: 1.008, for the checksums, when nothing is missing. */
    double wireOverInput() {
      return sent() / bytes;
    }

    double largestOverMean() {
      return (double) largestTask * tasks / bytes;
    }

    double hostMaxOverMean() {
      long most = byHost.values().stream().mapToLong(Long::longValue).max().orElse(0);
      return most * byHost.size() / sent();
    }
  }

  LocalityRun(TeraCluster cluster, SuiteLog log) {
    this.cluster = cluster;
    this.log = log;
    cluster.plan().vms().forEach(vm -> clients.put(vm, cluster.clientOn(vm)));
  }

  /** Validates {@code input} by one validator's tasks. */
  Tally run(Validator validator, Configuration job, Path input, Path scratch)
      throws IOException, InterruptedException {
    List<InputSplit> splits = validator.splits(job, input, scratch);
    Map<Vm, Long> load = new HashMap<>();
    long predicted = 0;
    long bytes = 0;
    long largest = 0;
    log.nextJob();
    for (int i = 0; i < splits.size(); i++) {
      InputSplit split = splits.get(i);
      Vm host = host(split, load);
      load.merge(host, split.getLength(), Long::sum);
      predicted +=
          split instanceof BlockSplit ours
              ? ours.bytesElsewhereThan(host.name())
              : remoteBytes((FileSplit) split, host);
      bytes += split.getLength();
      largest = Math.max(largest, split.getLength());
      validator.map(split, clients.get(host), i);
    }
    long remote = 0;
    Map<String, Long> byHost = new HashMap<>();
    cluster.plan().vms().forEach(vm -> byHost.put(vm.name(), 0L));
    for (ClientRead read : traced(bytes)) {
      Vm client = cluster.plan().byAddress().get(read.client());
      if (client == null) {
        throw new IllegalStateException("a read from " + read.client() + ", which is no host");
      }
      remote += read.server().equals(read.client()) ? 0 : read.bytes();
      byHost.merge(client.name(), read.bytes(), Long::sum);
    }
    return new Tally(bytes, predicted, largest, splits.size(), remote, byHost);
  }

  private Vm host(InputSplit split, Map<Vm, Long> load) throws IOException, InterruptedException {
    Map<String, Vm> byName = cluster.plan().byName();
    return Arrays.stream(split.getLocations())
        .map(byName::get)
        .min(Comparator.comparingLong(vm -> load.getOrDefault(vm, 0L)))
        .orElseThrow(() -> new IOException(split + " names no host"));
  }

  private long remoteBytes(FileSplit split, Vm host) throws IOException {
    long remote = 0;
    try (FileSystem fs = cluster.fileSystem()) {
      FileStatus status = fs.getFileStatus(split.getPath());
      for (BlockLocation block :
          fs.getFileBlockLocations(status, split.getStart(), split.getLength())) {
        boolean here = Arrays.asList(block.getHosts()).contains(host.name());
        remote += here ? 0 : block.getLength();
      }
    }
    return remote;
  }

  /**
   * A DataNode logs a read when it has sent the last of it, which may be after the client is done.
   */
  private List<ClientRead> traced(long bytes) throws IOException, InterruptedException {
    long sent = bytes + bytes / CHUNK * CHECKSUM;
    long deadline = System.nanoTime() + TRACE_LIMIT_NANOS;
    while (log.reads().stream().mapToLong(ClientRead::bytes).sum() < sent) {
      if (System.nanoTime() > deadline) {
        throw new IOException("the DataNodes' trace does not have all reads");
      }
      Thread.sleep(50);
    }
    return log.reads();
  }
}
