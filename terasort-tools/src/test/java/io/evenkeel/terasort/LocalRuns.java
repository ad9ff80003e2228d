package io.evenkeel.terasort;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.examples.terasort.TeraValidate;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;

/** Runs stock's validator and ours in this JVM on the local file system. */
final class LocalRuns {
  private final Path base;
  private int runs;

  /** What a run ended with. */
  record Outcome(int code, List<String> report, String out, String err, Path directory) {
    /** The texts of the errors; the lines of one stand together. */
    List<String> errors() {
      List<String> errors = new ArrayList<>();
      for (String line : report) {
        if (line.startsWith("error\t")) {
          errors.add(line.substring(line.indexOf('\t') + 1));
        } else if (line.startsWith("  file ")) {
          errors.set(errors.size() - 1, errors.get(errors.size() - 1) + "\n" + line);
        }
      }
      return errors;
    }

    /** The errors in stock's words, without those only we tell. */
    List<String> stockErrors() {
      return errors().stream()
          .filter(text -> text.startsWith("misorder") || text.startsWith("bad key"))
          .toList();
    }

    /** Hex digits, or null when no record was seen. */
    String checksum() {
      return report.stream()
          .filter(line -> line.startsWith("checksum\t"))
          .map(line -> line.substring("checksum\t".length()))
          .findFirst()
          .orElse(null);
    }
  }

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
    conf.setClass("fs.file.impl", ForklessFileSystem.class, LocalFileSystem.class);
    conf.setBoolean("mapreduce.terasort.use.terascheduler", false);
    conf.setInt("mapreduce.client.progressmonitor.pollinterval", 10);
    conf.setInt("mapreduce.client.completion.pollinterval", 10);
    conf.setInt("mapreduce.task.io.sort.mb", 1);
    return conf;
  }

  /** Stock's; the report directory is the last argument and is added here. */
  Outcome stock(Object... args) throws Exception {
    return stock(new TeraValidate(), args);
  }

  /** Another tool of stock's that takes the report directory last. */
  Outcome stock(Tool tool, Object... args) throws Exception {
    return stock(conf(32 << 20), tool, args);
  }

  private Outcome stock(Configuration conf, Tool tool, Object... args) throws Exception {
    Path report = base.resolve("stock-" + runs++);
    List<String> all = new ArrayList<>();
    Arrays.stream(args).map(Object::toString).forEach(all::add);
    all.add(report.toString());
    int code = ToolRunner.run(conf, tool, all.toArray(new String[0]));
    return new Outcome(code, lines(report), "", "", report);
  }

  /** Ours; the report directory is the last argument and is added here. */
  Outcome ours(Configuration conf, String... args) throws Exception {
    Path report = nextReport();
    runs++;
    return oursTo(report, conf, args);
  }

  /** Where the next report of ours goes. */
  Path nextReport() {
    return base.resolve("ours-" + runs);
  }

  /** Ours with a working directory, to which relative paths are resolved. */
  Outcome oursIn(Configuration conf, Path directory, String... args) throws Exception {
    conf.setBoolean("fs.file.impl.disable.cache", true);
    conf.setClass("fs.file.impl", ElsewhereFileSystem.class, LocalFileSystem.class);
    conf.set(ElsewhereFileSystem.DIRECTORY, directory.toString());
    return ours(conf, args);
  }

  /** The local file system with another working directory. */
  public static final class ElsewhereFileSystem extends LocalFileSystem {
    private static final String DIRECTORY = "test.working-directory";

    @Override
    public void initialize(URI name, Configuration conf) throws IOException {
      super.initialize(name, conf);
      setWorkingDirectory(new org.apache.hadoop.fs.Path(conf.get(DIRECTORY)));
    }
  }

  Outcome oursTo(Path report, Configuration conf, String... args) throws Exception {
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
        err.toString(StandardCharsets.UTF_8),
        report);
  }

  static void delete(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  private static List<String> lines(Path report) throws IOException {
    Path file = report.resolve("part-r-00000");
    return Files.exists(file) ? Files.readAllLines(file, StandardCharsets.ISO_8859_1) : List.of();
  }
}
