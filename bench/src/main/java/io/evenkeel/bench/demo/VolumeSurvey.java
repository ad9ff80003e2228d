package io.evenkeel.bench.demo;

import io.evenkeel.bench.runtime.Layout.Vm;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Counts the finalized replicas and bytes of every volume from the files themselves. Stateless but
 * for the cluster it looks at.
 */
final class VolumeSurvey {
  private final EmbeddedHdfs hdfs;

  VolumeSurvey(EmbeddedHdfs hdfs) {
    this.hdfs = hdfs;
  }

  /** One row per volume: blocks, bytes, its share of its storage type on that DataNode. */
  List<Map<String, Object>> rows(InFlightSampler inFlight) throws IOException {
    List<Map<String, Object>> rows = new ArrayList<>();
    for (Vm vm : hdfs.plan().vms()) {
      List<Map<String, Object>> own = new ArrayList<>();
      Map<String, Long> blocksOfType = new HashMap<>();
      for (int i = 0; i < EmbeddedHdfs.STORAGES.size(); i++) {
        Map<String, Object> row = row(vm, i, inFlight);
        blocksOfType.merge(EmbeddedHdfs.STORAGES.get(i), (Long) row.get("blocks"), Long::sum);
        own.add(row);
      }
      for (Map<String, Object> row : own) {
        long ofType = blocksOfType.get(row.get("storageType"));
        row.put("shareOfType", ofType == 0 ? 0.0 : (double) (Long) row.get("blocks") / ofType);
      }
      rows.addAll(own);
    }
    return rows;
  }

  private Map<String, Object> row(Vm vm, int index, InFlightSampler inFlight) throws IOException {
    long[] found = count(hdfs.volumeDir(vm, index));
    double[] queue = inFlight.ofVolume(vm.name(), index);
    Map<String, Object> row = new LinkedHashMap<>();
    row.put("dataNode", vm.name());
    row.put("volume", EmbeddedHdfs.STORAGES.get(index) + "-" + index);
    row.put("storageType", EmbeddedHdfs.STORAGES.get(index));
    row.put("blocks", found[0]);
    row.put("bytes", found[1]);
    row.put("meanInFlightBytes", queue[0]);
    row.put("maxInFlightBytes", queue[1]);
    return row;
  }

  /** Number and bytes of block files (not their .meta) below a volume's directory. */
  static long[] count(Path volume) throws IOException {
    long[] found = new long[2];
    try (Stream<Path> files = Files.walk(volume)) {
      files
          .filter(f -> f.getFileName().toString().startsWith("blk_"))
          .filter(f -> !f.getFileName().toString().endsWith(".meta"))
          .forEach(
              f -> {
                found[0]++;
                found[1] += f.toFile().length();
              });
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
    return found;
  }
}
