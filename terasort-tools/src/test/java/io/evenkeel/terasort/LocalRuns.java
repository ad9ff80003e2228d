package io.evenkeel.terasort;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.examples.terasort.TeraValidate;
import org.apache.hadoop.util.ToolRunner;

/** Runs stock's validator and ours in this JVM on the local file system. */
final class LocalRuns {
  private final Path base;
  private int runs;

  /** What a run ended with. */
  record Outcome(int code, List<String> report, String out, String err) {}

  LocalRuns(Path base) {
    this.base = base;
  }

  /** Local jobs whose blocks have {@code blockSize} bytes. */
  Configuration conf(long blockSize) {
    Configuration conf = new Configuration();
    conf.set("mapreduce.framework.name", "local");
    conf.set("fs.defaultFS", "file:///");
    conf.set("hadoop.tmp.dir", base.resolve("tmp").toString());
    conf.setLong("fs.local.block.size", blockSize);
    conf.setBoolean("mapreduce.terasort.use.terascheduler", false);
    return conf;
  }

  Outcome stock(Path input) throws Exception {
    Path report = base.resolve("stock-" + runs++);
    int code =
        ToolRunner.run(
            conf(32 << 20), new TeraValidate(), new String[] {input.toString(), report.toString()});
    return new Outcome(code, lines(report), "", "");
  }

  /** Ours; the report directory is the last argument and is added here. */
  Outcome ours(Configuration conf, String... args) throws Exception {
    Path report = base.resolve("ours-" + runs++);
    List<String> all = new ArrayList<>(Arrays.asList(args));
    all.add(report.toString());
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    BlockTeraValidate tool =
        new BlockTeraValidate(
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8));
    int code = ToolRunner.run(conf, tool, all.toArray(new String[0]));
    return new Outcome(
        code,
        lines(report),
        out.toString(StandardCharsets.UTF_8),
        err.toString(StandardCharsets.UTF_8));
  }

  private static List<String> lines(Path report) throws IOException {
    Path file = report.resolve("part-r-00000");
    return Files.exists(file) ? Files.readAllLines(file, StandardCharsets.ISO_8859_1) : List.of();
  }
}
