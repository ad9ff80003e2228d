package io.evenkeel.terasort;

import io.evenkeel.common.cli.ExitCode;
import io.evenkeel.common.json.Json;
import io.evenkeel.terasort.core.dataset.Violation;
import io.evenkeel.terasort.core.report.ReportPage;
import io.evenkeel.terasort.core.report.ValidationReport;
import io.evenkeel.terasort.mapreduce.ReportFiles;
import io.evenkeel.terasort.mapreduce.ReportReader;
import io.evenkeel.terasort.mapreduce.ValidationResult;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;

/** Says the verdict in a few lines. Stateless. */
final class VerdictPrinter {
  private VerdictPrinter() {}

  /** Prints the verdict and writes the page, if one was asked for. */
  static void print(
      ValidationResult result, ValidateOptions options, Configuration conf, PrintStream out)
      throws IOException {
    ValidationReport report =
        options.json || options.html != null ? ReportReader.read(result, conf) : null;
    if (options.json) {
      boolean found = !result.valid() && !options.stockExitCode;
      out.println(
          Json.pretty(report.json(version(), (found ? ExitCode.FINDING : ExitCode.OK).code())));
    } else {
      text(result, options, out);
    }
    if (options.html != null) {
      Files.write(
          Paths.get(options.html), ReportPage.html(report).getBytes(StandardCharsets.UTF_8));
    }
  }

  private static String version() {
    return BlockTeraValidate.class.getPackage().getImplementationVersion();
  }

  /** Says in JSON that there is none, and why. */
  static void noVerdict(String failure, ExitCode code, PrintStream out) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("schema", ValidationReport.SCHEMA);
    json.put("evenkeel", version());
    json.put("exitCode", code.code());
    json.put("failure", failure);
    out.println(Json.pretty(json));
  }

  private static void text(ValidationResult result, ValidateOptions options, PrintStream out) {
    out.printf(
        Locale.ROOT,
        "%s: %,d records in %,d files (%,d bytes, %,d blocks), checksum %s%n",
        result.valid() ? "valid" : "INVALID",
        result.records(),
        result.files(),
        result.bytes(),
        result.blocks(),
        result.checksum());
    for (Violation.Kind kind : Violation.Kind.values()) {
      long count = (Long) result.violations().get(kind.label());
      if (count > 0) {
        out.printf(Locale.ROOT, "  %s: %,d%n", kind.meaning(), count);
      }
    }
    if (options.expect == null) {
      out.println(
          "  lost, repeated or altered records cannot be seen without --expect"
              + " (the checksum TeraGen or TeraChecksum printed)");
    }
    out.println("  report: " + new Path(result.report(), ReportFiles.REPORT));
    if (options.html != null) {
      out.println("  page: " + options.html);
    }
  }
}
