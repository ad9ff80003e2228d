package io.evenkeel.terasort.mapreduce;

import io.evenkeel.common.config.Settings;
import io.evenkeel.common.json.Json;
import io.evenkeel.terasort.config.TerasortKeys;
import io.evenkeel.terasort.core.dataset.Expectation;
import io.evenkeel.terasort.core.locality.HostMap;
import io.evenkeel.terasort.core.report.PartitionFacts;
import io.evenkeel.terasort.core.report.TaskFacts;
import io.evenkeel.terasort.core.report.ValidationReport;
import io.evenkeel.terasort.core.report.Verdict;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads the files of a finished validation's report directory. Stateless. */
public final class ReportReader {
  private static final Logger LOG = LoggerFactory.getLogger(ReportReader.class);
  private static final int MOST_ERROR_LINES = 100;

  private ReportReader() {}

  /** All that is shown of the run. */
  public static ValidationReport read(ValidationResult result, Configuration conf)
      throws IOException {
    FileSystem fs = result.report().getFileSystem(conf);
    List<String> errors = new ArrayList<>();
    eachLine(
        fs,
        new Path(result.report(), ReportFiles.REPORT),
        line -> {
          if (!line.startsWith("checksum\t") && errors.size() < MOST_ERROR_LINES) {
            errors.add(line);
          }
        });
    List<PartitionFacts> partitions = new ArrayList<>();
    eachLine(
        fs,
        new Path(result.report(), ReportFiles.PARTITIONS),
        line -> partitions.add(PartitionFacts.of((Map<?, ?>) Json.parse(line))));
    List<TaskFacts> tasks = new ArrayList<>();
    eachLine(
        fs,
        new Path(result.report(), ReportFiles.TASKS),
        line -> tasks.add(TaskFacts.of((Map<?, ?>) Json.parse(line))));
    Settings settings = TerasortKeys.TABLE.readLeniently(conf, conf::get, LOG::warn);
    String layers = settings.get(TerasortKeys.LOCALITY_LAYERS).toUpperCase(Locale.ROOT);
    HostMap hosts = new HostMap(result.locations(), HostMap.Layers.valueOf(layers));
    return new ValidationReport(verdict(result, errors), partitions, tasks, hosts);
  }

  private static Verdict verdict(ValidationResult result, List<String> errors) {
    List<String> asked = new ArrayList<>(result.request().inputs());
    asked.add(result.report().toString());
    Expectation expectation = result.request().expectation();
    return new Verdict(
        result.summary(), asked, expectation == null ? null : expectation.toString(), errors);
  }

  private static void eachLine(FileSystem fs, Path path, Consumer<String> lines)
      throws IOException {
    try (BufferedReader in =
        new BufferedReader(new InputStreamReader(fs.open(path), StandardCharsets.UTF_8))) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        lines.accept(line);
      }
    }
  }
}
