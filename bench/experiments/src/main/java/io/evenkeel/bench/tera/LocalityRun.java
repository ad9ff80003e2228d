package io.evenkeel.bench.tera;

import io.evenkeel.bench.embedded.SuiteLog;
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
 * the best a scheduler can do, not what YARN does under load. Confined to one thread.
 */
final class LocalityRun {
  private static final long TRACE_LIMIT_NANOS = 30_000_000_000L;

  private static final int CHUNK = 512; // bytes that have a checksum
  private static final int CHECKSUM = 4;

  private final TeraRig rig;
  private final SuiteLog log;
  private final Map<Vm, Configuration> clients = new HashMap<>();

  LocalityRun(TeraRig rig, SuiteLog log) {
    this.rig = rig;
    this.log = log;
    rig.plan().vms().forEach(vm -> clients.put(vm, rig.clientOn(vm)));
  }

  /** Validates {@code input} by one side's tasks. */
  LocalityTally run(Side side, Configuration job, Path input, Path scratch)
      throws IOException, InterruptedException {
    List<InputSplit> splits = side.splits(job, input, scratch);
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
      side.map(split, clients.get(host), i);
    }
    LocalityTally planned =
        new LocalityTally(0, 0, predicted, bytes, largest, splits.size(), Map.of());
    return LocalityTally.of(traced(bytes), rig.plan().byAddress(), planned);
  }

  private Vm host(InputSplit split, Map<Vm, Long> load) throws IOException, InterruptedException {
    Map<String, Vm> byName = rig.plan().byName();
    return Arrays.stream(split.getLocations())
        .map(byName::get)
        .min(Comparator.comparingLong(vm -> load.getOrDefault(vm, 0L)))
        .orElseThrow(() -> new IOException(split + " names no host"));
  }

  private long remoteBytes(FileSplit split, Vm host) throws IOException {
    long remote = 0;
    try (FileSystem fs = rig.fileSystem()) {
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
  private List<SuiteLog.ClientRead> traced(long bytes) throws IOException, InterruptedException {
    long sent = bytes + bytes / CHUNK * CHECKSUM;
    long deadline = System.nanoTime() + TRACE_LIMIT_NANOS;
    while (log.reads().stream().mapToLong(SuiteLog.ClientRead::bytes).sum() < sent) {
      if (System.nanoTime() > deadline) {
        throw new IOException("the DataNodes' trace does not have all reads");
      }
      Thread.sleep(50);
    }
    return log.reads();
  }
}
