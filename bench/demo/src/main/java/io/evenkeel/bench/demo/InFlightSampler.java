package io.evenkeel.bench.demo;

import io.evenkeel.bench.embedded.EmbeddedHdfs;
import io.evenkeel.bench.runtime.Layout.Vm;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.FsVolumeImpl;

/**
 * Samples, for every volume of every DataNode, the bytes of replicas in flight: space reserved for
 * replicas being written that has not arrived yet. Samples are folded into windows, because with
 * two writers a single instant always looks unbalanced. Also counts what is on the volumes: apart
 * from {@link TeraSuite}, all that looks into DataNodes while it runs.
 *
 * <p>One daemon thread writes, {@link #close} stops it, and the result is read after that.
 */
final class InFlightSampler implements AutoCloseable {
  private static final long PERIOD_MILLIS = 50;
  private static final int SAMPLES_PER_WINDOW = 40;

  private final EmbeddedHdfs hdfs;
  private final double quietBelow;
  private final Thread thread;
  private final long start = System.nanoTime();
  private volatile boolean running = true;

  // Written by the sampling thread only, read after it has ended.
  private final List<Double> windowSeconds = new ArrayList<>();
  private final List<Double> windowMaxOverMean = new ArrayList<>();
  private final List<Double> windowTotal = new ArrayList<>();
  private final Map<String, List<Double>> windowByType = new TreeMap<>();
  private final Map<String, Queue> queues = new HashMap<>();
  private final Map<String, Double> nodeSum = new LinkedHashMap<>();
  private final Map<String, Double> typeSum = new TreeMap<>();
  private int inWindow;
  private long samples;

  /** Bytes in flight of one volume. */
  private static final class Queue {
    private double sum;
    private double most;

    void add(double bytes) {
      sum += bytes;
      most = Math.max(most, bytes);
    }
  }

  /** What is on one volume. */
  record Content(long blocks, long bytes) {}

  /**
   * Starts sampling.
   *
   * @param blockSize bytes; a window with less than half a block in flight is the tail of a phase
   *     and says nothing about balance
   */
  InFlightSampler(EmbeddedHdfs hdfs, long blockSize) {
    this.hdfs = hdfs;
    this.quietBelow = blockSize / 2.0;
    DemoSettings.STORAGES.forEach(type -> windowByType.put(type, new ArrayList<>()));
    thread = new Thread(this::run, "in-flight-sampler");
    thread.setDaemon(true);
    thread.start();
  }

  private void run() {
    try {
      while (running) {
        sample();
        Thread.sleep(PERIOD_MILLIS);
      }
    } catch (InterruptedException | IOException e) {
      running = false; // closed, or the cluster is stopping: what was sampled so far stands
    }
  }

  private void sample() throws IOException {
    for (Map.Entry<Vm, DataNode> entry : hdfs.dataNodes().entrySet()) {
      String name = entry.getKey().name();
      nodeSum.putIfAbsent(name, 0.0);
      FsDatasetSpi<?> dataset = entry.getValue().getFSDataset();
      if (dataset == null) {
        continue;
      }
      try (FsDatasetSpi.FsVolumeReferences references = dataset.getFsVolumeReferences()) {
        int index = 0;
        for (FsVolumeSpi volume : references) {
          double bytes =
              volume instanceof FsVolumeImpl ? ((FsVolumeImpl) volume).getReservedForReplicas() : 0;
          String type = volume.getStorageType().name();
          nodeSum.merge(name, bytes, Double::sum);
          typeSum.merge(type, bytes, Double::sum);
          queues.computeIfAbsent(name + "/" + index++, k -> new Queue()).add(bytes);
        }
      }
    }
    samples++;
    if (++inWindow == SAMPLES_PER_WINDOW) {
      closeWindow();
    }
  }

  private void closeWindow() {
    double total = nodeSum.values().stream().mapToDouble(Double::doubleValue).sum();
    double max = nodeSum.values().stream().mapToDouble(Double::doubleValue).max().orElse(0);
    windowSeconds.add((System.nanoTime() - start) / 1e9);
    windowTotal.add(total / inWindow);
    boolean quiet = total / inWindow < quietBelow;
    windowMaxOverMean.add(quiet ? null : max * nodeSum.size() / total);
    windowByType.forEach(
        (type, series) -> series.add(typeSum.getOrDefault(type, 0.0) / SAMPLES_PER_WINDOW));
    nodeSum.replaceAll((name, sum) -> 0.0);
    typeSum.clear();
    inWindow = 0;
  }

  /**
   * Imbalance of bytes in flight over the DataNodes, per window; null where nothing was written.
   */
  Map<String, Object> inFlight() {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("seconds", windowSeconds);
    map.put("maxOverMean", windowMaxOverMean);
    map.put("total", windowTotal);
    map.put(
        "averageMaxOverMean",
        windowMaxOverMean.stream()
            .filter(Objects::nonNull)
            .mapToDouble(Double::doubleValue)
            .average()
            .orElse(0));
    map.put("windowSeconds", PERIOD_MILLIS * SAMPLES_PER_WINDOW / 1e3);
    map.put("samples", samples);
    return map;
  }

  /** Bytes in flight per storage type and window. */
  Map<String, Object> volumeQueue() {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("seconds", windowSeconds);
    map.put("byType", windowByType);
    return map;
  }

  /**
   * One row per volume: finalized blocks and bytes, counted from the files themselves, its share of
   * the blocks of its storage type on that DataNode, and mean and largest bytes in flight.
   */
  List<Map<String, Object>> volumes() throws IOException {
    List<Map<String, Object>> rows = new ArrayList<>();
    for (Vm vm : hdfs.plan().vms()) {
      List<Content> contents = new ArrayList<>();
      Map<String, Long> blocksOfType = new HashMap<>();
      for (int i = 0; i < DemoSettings.STORAGES.size(); i++) {
        Content content = content(hdfs.volumeDir(vm, i));
        contents.add(content);
        blocksOfType.merge(DemoSettings.STORAGES.get(i), content.blocks, Long::sum);
      }
      for (int i = 0; i < contents.size(); i++) {
        String type = DemoSettings.STORAGES.get(i);
        Content content = contents.get(i);
        Queue queue = queues.getOrDefault(vm.name() + "/" + i, new Queue());
        long ofType = blocksOfType.get(type);
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("dataNode", vm.name());
        row.put("volume", type + "-" + i);
        row.put("storageType", type);
        row.put("blocks", content.blocks);
        row.put("bytes", content.bytes);
        row.put("meanInFlightBytes", samples == 0 ? 0.0 : queue.sum / samples);
        row.put("maxInFlightBytes", queue.most);
        row.put("shareOfType", ofType == 0 ? 0.0 : (double) content.blocks / ofType);
        rows.add(row);
      }
    }
    return rows;
  }

  /** Number and bytes of block files (not their .meta) below a volume's directory. */
  static Content content(Path volume) throws IOException {
    try (Stream<Path> files = Files.walk(volume)) {
      LongSummaryStatistics sizes =
          files
              .filter(f -> f.getFileName().toString().startsWith("blk_"))
              .filter(f -> !f.getFileName().toString().endsWith(".meta"))
              .mapToLong(f -> f.toFile().length())
              .summaryStatistics();
      return new Content(sizes.getCount(), sizes.getSum());
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  @Override
  public void close() throws InterruptedException {
    running = false;
    thread.interrupt();
    thread.join(5_000);
  }
}
