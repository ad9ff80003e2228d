package io.evenkeel.terasort.mapreduce;

import io.evenkeel.common.cli.CommandException;
import io.evenkeel.common.cli.ExitCode;
import io.evenkeel.common.json.Json;
import io.evenkeel.terasort.core.dataset.Expectation;
import io.evenkeel.terasort.core.dataset.Violation;
import io.evenkeel.terasort.core.record.Sum128;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * Finds out what {@code --expect} means: a checksum, a report that holds one, or records to add up,
 * which takes a job of its own before that of the tool. Apart from the tool, which only has to know
 * what to expect. Used once.
 */
public final class ExpectedSum {
  /** TeraChecksum prints the sum alone, TeraValidate with its name. */
  private static final Pattern SUM = Pattern.compile("(?:checksum\t)?([0-9a-f]{1,32})");

  private static final int LONGEST_LINE = 64;

  private final Configuration conf;
  private final String text;
  private final Path report;
  private final ValidationJob job;

  /**
   * Prepares to resolve {@code text}.
   *
   * @param report the coming validation's report directory; records are added up beside it
   */
  public ExpectedSum(Configuration conf, String text, Path report) {
    this.conf = conf;
    this.text = text;
    this.report = new Path(report.getParent(), "_expected-" + report.getName());
    this.job = new ValidationJob(conf, ValidationRequest.sum(text, this.report));
  }

  /** The job that adds up records, should one be needed. */
  public ValidationJob job() {
    return job;
  }

  /**
   * The expectation.
   *
   * @throws CommandException when the text names nothing of the kind
   */
  public Expectation resolve() throws IOException, InterruptedException {
    Path path = pathOf();
    if (path == null) {
      try {
        return Expectation.parse(text);
      } catch (IllegalArgumentException e) {
        throw new CommandException(
            ExitCode.USAGE, "--expect: " + e.getMessage() + ", and no such path exists", e);
      }
    }
    FileSystem fs = path.getFileSystem(conf);
    boolean directory = fs.getFileStatus(path).isDirectory();
    Path summary = new Path(path, ReportFiles.SUMMARY);
    if (directory && fs.exists(summary)) {
      return ofReport(path, (Map<?, ?>) Json.parse(firstLine(fs, summary)));
    }
    Path stock = directory ? new Path(path, ReportFiles.REPORT) : path;
    Matcher matcher = SUM.matcher(fs.exists(stock) ? firstLine(fs, stock) : "");
    if (matcher.matches()) {
      return Expectation.of(Sum128.parse(matcher.group(1)), -1);
    }
    return added();
  }

  /** A data set that is not in order may well be what is expected; one that is cut short is not. */
  private static Expectation ofReport(Path path, Map<?, ?> json) {
    Object violations = json.get("violations");
    if (!(violations instanceof Map)
        || !(json.get("checksum") instanceof String)
        || !(json.get("records") instanceof Long)) {
      throw new CommandException(
          ExitCode.COULD_NOT_RUN,
          "--expect: " + new Path(path, ReportFiles.SUMMARY) + " is not one of this tool");
    }
    Object truncated = ((Map<?, ?>) violations).get(Violation.Kind.TRUNCATED.label());
    if (!Long.valueOf(0).equals(truncated)) {
      throw new CommandException(
          ExitCode.COULD_NOT_RUN, "--expect: " + path + " is the report on truncated files");
    }
    return Expectation.of(Sum128.parse((String) json.get("checksum")), (Long) json.get("records"));
  }

  private Path pathOf() throws IOException {
    if (text.isEmpty() || text.startsWith("counter:")) {
      return null;
    }
    try {
      Path path = new Path(text);
      return path.getFileSystem(conf).exists(path) ? path : null;
    } catch (IllegalArgumentException e) {
      return null; // such as <hex>:<records>, which is no path
    }
  }

  private Expectation added() throws IOException, InterruptedException {
    if (report.getFileSystem(conf).exists(report)) {
      throw new CommandException(
          ExitCode.COULD_NOT_RUN,
          "--expect: " + report + " is left over from a run that was killed; remove it");
    }
    ValidationResult result = job.run();
    report.getFileSystem(conf).delete(report, true);
    if (!result.valid()) {
      throw new CommandException(
          ExitCode.COULD_NOT_RUN,
          "--expect: " + text + " itself is broken: " + found(result.violations()));
    }
    return Expectation.of(result.checksum(), result.records());
  }

  /** Kinds of violations with their numbers. */
  private static String found(Map<?, ?> violations) {
    return violations.entrySet().stream()
        .filter(kind -> !Long.valueOf(0).equals(kind.getValue()))
        .map(kind -> kind.getValue() + " " + kind.getKey())
        .collect(Collectors.joining(", "));
  }

  /** The first line, or its beginning: a file of records may not have one. */
  private static String firstLine(FileSystem fs, Path path) throws IOException {
    boolean json = path.getName().equals(ReportFiles.SUMMARY);
    try (BufferedReader in =
        new BufferedReader(new InputStreamReader(fs.open(path), StandardCharsets.ISO_8859_1))) {
      if (json) {
        return in.readLine();
      }
      char[] start = new char[LONGEST_LINE];
      int length = Math.max(0, in.read(start));
      return new String(start, 0, length).split("\n", 2)[0];
    }
  }
}
