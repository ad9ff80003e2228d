package io.evenkeel.terasort.mapreduce;

import io.evenkeel.common.config.Settings;
import io.evenkeel.common.json.Json;
import io.evenkeel.terasort.config.TerasortKeys;
import io.evenkeel.terasort.core.dataset.Expectation;
import io.evenkeel.terasort.core.locality.HostMap;
import io.evenkeel.terasort.core.record.Sum128;
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
import org.apache.hadoop.mapreduce.Job;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The verdict on a data set and where the details stand. Immutable but for the job it names. */
public final class ValidationResult {
  private static final Logger LOG = LoggerFactory.getLogger(ValidationResult.class);
  private static final int MOST_ERROR_LINES = 100;

  private final ValidationRequest request;
  private final Listing listing;
  private final Map<?, ?> summary;
  private final Job job;

  ValidationResult(ValidationRequest request, Listing listing, Map<?, ?> summary, Job job) {
    this.request = request;
    this.listing = listing;
    this.summary = summary;
    this.job = job;
  }

  /** Whether nothing was found wrong. */
  public boolean valid() {
    return (Boolean) summary.get("valid");
  }

  /** What was asked. */
  public ValidationRequest request() {
    return request;
  }

  /** Files of the data set. */
  public int files() {
    return listing.files().size();
  }

  /** Blocks (or byte ranges) they stand in. */
  public int blocks() {
    return listing.ranges().size();
  }

  /** Network location of the hosts that have replicas, as the NameNode told it. */
  public Map<String, String> locations() {
    return listing.locations();
  }

  /** Bytes of all files. */
  public long bytes() {
    return (Long) summary.get("bytes");
  }

  /** Whole records. */
  public long records() {
    return (Long) summary.get("records");
  }

  /** Sum of their CRC32. */
  public Sum128 checksum() {
    return Sum128.parse((String) summary.get("checksum"));
  }

  /** Number of violations by the name of their kind, in a fixed order. */
  public Map<?, ?> violations() {
    return (Map<?, ?>) summary.get("violations");
  }

  /** All figures as they stand in {@link ReportFiles#SUMMARY}. */
  public Map<?, ?> summary() {
    return summary;
  }

  /** The report directory. */
  public Path report() {
    return request.report();
  }

  /** The job that ran; asks the cluster when it is asked. */
  public Job job() {
    return job;
  }

  /** Reads all that is shown of the run from the files of the report directory. */
  public ValidationReport readReport(Configuration conf) throws IOException {
    FileSystem fs = report().getFileSystem(conf);
    List<String> errors = new ArrayList<>();
    eachLine(
        fs,
        new Path(report(), ReportFiles.REPORT),
        line -> {
          boolean error = !line.startsWith("checksum\t") && !line.startsWith(Unlisted.KEY + "\t");
          if (error && errors.size() < MOST_ERROR_LINES) {
            errors.add(line);
          }
        });
    List<PartitionFacts> partitions = new ArrayList<>();
    eachLine(
        fs,
        new Path(report(), ReportFiles.PARTITIONS),
        line -> partitions.add(PartitionFacts.of((Map<?, ?>) Json.parse(line))));
    List<TaskFacts> tasks = new ArrayList<>();
    eachLine(
        fs,
        new Path(report(), ReportFiles.TASKS),
        line -> tasks.add(TaskFacts.of((Map<?, ?>) Json.parse(line))));
    Settings settings = TerasortKeys.TABLE.readOrWarn(conf, conf::get, LOG::warn);
    String layers = settings.get(TerasortKeys.LOCALITY_LAYERS).toUpperCase(Locale.ROOT);
    HostMap hosts = new HostMap(locations(), HostMap.Layers.valueOf(layers));
    return new ValidationReport(verdict(errors), partitions, tasks, hosts);
  }

  private Verdict verdict(List<String> errors) {
    List<String> asked = new ArrayList<>(request.inputs());
    asked.add(report().toString());
    Expectation expectation = request.expectation();
    return new Verdict(summary, asked, expectation == null ? null : expectation.toString(), errors);
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
