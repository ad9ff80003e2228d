package io.evenkeel.bench.demo;

import io.evenkeel.bench.runtime.Layout.Vm;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.FsVolumeImpl;

/**
 * Samples, for every volume of every DataNode, the bytes of replicas in flight: space reserved for
 * replicas being written that has not arrived yet. Samples are folded into windows, because with
 * two writers a single instant always looks unbalanced.
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
  private final Map<String, double[]> volumes = new LinkedHashMap<>();
  private final Map<String, Double> nodeSum = new LinkedHashMap<>();
  private final Map<String, Double> typeSum = new TreeMap<>();
  private int inWindow;
  private long samples;

  /**
   * Starts sampling.
   *
   * @param blockSize bytes; a window with less than half a block in flight is the tail of a phase
   *     and says nothing about balance
   */
  InFlightSampler(EmbeddedHdfs hdfs, long blockSize) {
    this.hdfs = hdfs;
    this.quietBelow = blockSize / 2.0;
    EmbeddedHdfs.STORAGES.forEach(type -> windowByType.put(type, new ArrayList<>()));
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
          double[] stat = volumes.computeIfAbsent(name + "/" + index++, k -> new double[2]);
          stat[0] += bytes;
          stat[1] = Math.max(stat[1], bytes);
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
            .filter(v -> v != null)
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

  /** Mean and largest bytes in flight of a volume, by DataNode name and volume index. */
  double[] ofVolume(String dataNode, int index) {
    double[] stat = volumes.getOrDefault(dataNode + "/" + index, new double[2]);
    return new double[] {samples == 0 ? 0 : stat[0] / samples, stat[1]};
  }

  @Override
  public void close() throws InterruptedException {
    running = false;
    thread.interrupt();
    thread.join(5_000);
  }
}
