package io.evenkeel.terasort;

import io.evenkeel.terasort.mapreduce.ReportFiles;
import io.evenkeel.terasort.mapreduce.ValidationResult;
import java.io.PrintStream;
import org.apache.hadoop.fs.Path;

/** Says the verdict in a few lines. Stateless. */
final class VerdictPrinter {
  private VerdictPrinter() {}

  static void print(ValidationResult result, ValidateOptions options, PrintStream out) {
    out.printf(
        "%s: %,d records in %,d files (%,d bytes, %,d blocks), checksum %s%n",
        result.valid() ? "valid" : "INVALID",
        result.records(),
        result.files(),
        result.bytes(),
        result.blocks(),
        result.checksum());
    result
        .violations()
        .forEach(
            (kind, count) -> {
              if ((Long) count > 0) {
                out.printf("  %s: %,d%n", kind, (Long) count);
              }
            });
    if (options.expect == null) {
      out.println(
          "  lost, repeated or altered records cannot be seen without --expect"
              + " (the checksum TeraGen or TeraChecksum printed)");
    }
    out.println("  report: " + new Path(result.report(), ReportFiles.REPORT));
  }
}
