package io.evenkeel.terasort;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.util.ToolRunner;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How a run ends: the exit code, what is said, and what is left behind. */
class ExitCodesTest {
  private static final int RECORDS = 30;

  @TempDir private Path dir;
  private Path input;
  private LocalRuns runs;

  @BeforeEach
  void writeInput() throws IOException {
    input = dir.resolve("in");
    DataSets.write(input, DataSets.sorted(RECORDS, 4), 3);
    runs = new LocalRuns(dir);
  }

  private LocalRuns.Outcome run(Object... args) throws Exception {
    return run(runs.conf(256), args);
  }

  private LocalRuns.Outcome run(Configuration conf, Object... args) throws Exception {
    return runs.ours(conf, Arrays.stream(args).map(Object::toString).toArray(String[]::new));
  }

  private void exchangeFiles() throws IOException {
    Files.move(input.resolve("part-r-00000"), dir.resolve("moved"));
    Files.move(input.resolve("part-r-00002"), input.resolve("part-r-00000"));
    Files.move(dir.resolve("moved"), input.resolve("part-r-00002"));
  }

  private static void assertCouldNotRun(LocalRuns.Outcome outcome, String... reasons) {
    assertThat(outcome.code()).as(outcome.out()).isEqualTo(1);
    assertThat(outcome.err()).startsWith("teravalidate: ").contains(reasons);
    assertThat(outcome.out()).isEmpty();
    assertThat(outcome.directory()).doesNotExist();
  }

  @Test
  void run_missingInput_couldNotRun() throws Exception {
    assertCouldNotRun(run(dir.resolve("nowhere")), "nowhere", "no such file");
    assertCouldNotRun(run(input, dir.resolve("nowhere*")), "nowhere*", "no such file");
  }

  @Test
  void run_emptyDirectory_couldNotRun() throws Exception {
    Path empty = Files.createDirectories(dir.resolve("empty"));
    assertCouldNotRun(run(empty), "nothing to validate: no file in " + empty + "\n");
  }

  @Test
  void run_fileInTheWayOfTheReport_couldNotRun() throws Exception {
    Path report = Files.writeString(dir.resolve("file"), "x").resolve("report");
    ByteArrayOutputStream told = new ByteArrayOutputStream();
    PrintStream both = new PrintStream(told, true, StandardCharsets.UTF_8);
    BlockTeraValidate tool = new BlockTeraValidate(both, both);
    String[] paths = {input.toString(), report.toString()};
    assertThat(ToolRunner.run(runs.conf(256), tool, paths)).isEqualTo(1);
    assertThat(told.toString(StandardCharsets.UTF_8))
        .isEqualTo("teravalidate: " + report + " cannot be made: a file is in the way\n");
  }

  @Test
  void run_reportExists_couldNotRunAndLeavesIt() throws Exception {
    Path report = runs.nextReport();
    Files.createDirectories(report);
    Files.writeString(report.resolve("part-r-00000"), "mine");
    // Before the records of the expectation are added up, too.
    LocalRuns.Outcome outcome = run("--expect", input, input);
    assertThat(outcome.code()).isEqualTo(1);
    assertThat(outcome.err()).contains("exists");
    assertThat(report.resolve("part-r-00000")).hasContent("mine");
    assertThat(report).isDirectoryContaining(file -> file.endsWith("part-r-00000"));
  }

  @ParameterizedTest
  @CsvSource({"--no-such-option,x", "--expect,", "--stock-order,"})
  void run_wrongArguments_usage(String option, String value) throws Exception {
    LocalRuns.Outcome outcome = value == null ? run(option) : run(option, value, input);
    assertThat(outcome.code()).isEqualTo(64);
    assertThat(outcome.err()).startsWith("teravalidate: ");
  }

  @Test
  void run_optionsWithoutPaths_usage() throws Exception {
    ByteArrayOutputStream told = new ByteArrayOutputStream();
    PrintStream both = new PrintStream(told, true, StandardCharsets.UTF_8);
    BlockTeraValidate tool = new BlockTeraValidate(both, both);
    assertThat(ToolRunner.run(runs.conf(256), tool, new String[] {"--version"}))
        .as(told.toString(StandardCharsets.UTF_8))
        .isEqualTo(64);
    assertThat(run("--help", input).out()).contains("--expect");
  }

  @Test
  void run_emptyPath_usage() throws Exception {
    assertThat(run("").code()).isEqualTo(64);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "xyz", "counter:", "counter:1x", "ff:-1", "ff:", ":3", "no/such/dir"})
  void run_expectationOfNoKind_usage(String text) throws Exception {
    LocalRuns.Outcome outcome = run("--expect", text, input);
    assertThat(outcome.code()).as(outcome.out()).isEqualTo(64);
    assertThat(outcome.err()).contains("--expect");
  }

  @Test
  void run_unknownKey_couldNotRun() throws Exception {
    assertCouldNotRun(run("-D", "evenkeel.terasort.spilt.bytes=1", input), "spilt");
  }

  @Test
  void run_compressedName_refusedWithReason() throws Exception {
    Files.move(input.resolve("part-r-00002"), input.resolve("part-r-00002.bz2"));
    assertCouldNotRun(run(input), "part-r-00002.bz2", "compressed");
  }

  @Test
  void run_directoryInside_refusedUnlessRecursive() throws Exception {
    Path sub = Files.createDirectories(input.resolve("sub"));
    Files.move(input.resolve("part-r-00002"), sub.resolve("part-r-00002"));
    assertCouldNotRun(run(input), "sub", "recursive=true");
    LocalRuns.Outcome outcome =
        run("-D", "mapreduce.input.fileinputformat.input.dir.recursive=true", input);
    assertThat(outcome.code()).as(outcome.err()).isZero();
    assertThat(outcome.out()).contains("30 records in 3 files");
  }

  @Test
  void run_severalInputs_eachFileOnce() throws Exception {
    LocalRuns.Outcome twice = run(input, input + "/part-r-0000[0-2]", input + "/", dir + "/i*");
    assertThat(twice.code()).as(twice.out() + twice.err()).isZero();
    assertThat(twice.out()).contains("30 records in 3 files");
    Path other = Files.createDirectories(dir.resolve("other"));
    Files.move(input.resolve("part-r-00001"), other.resolve("part-r-00001"));
    assertThat(run(input).code()).isEqualTo(2);
    assertThat(run(input, other).code()).isZero();
    assertThat(run(other, input).code()).isZero();
  }

  @Test
  void run_filesByName_firstPartitionNotMissed() throws Exception {
    assertThat(run(input + "/part-r-0000[12]").code()).isZero();
    assertThat(run(input + "/part-r-00001", input.resolve("part-r-00002")).code()).isZero();
    LocalRuns.Outcome gap = run(input + "/part-r-0000[02]");
    assertThat(gap.errors()).containsExactly("missing partition 1");
    Path relative = Path.of("").toAbsolutePath().relativize(input.toAbsolutePath());
    assertThat(run(relative).code()).isZero();
    // A file's name that has no directory in front of it.
    Configuration conf = runs.conf(256);
    LocalRuns.Outcome bare = runs.oursIn(conf, input, "part-r-00001", "part-r-00002");
    assertThat(bare.code()).as(bare.out() + bare.err()).isZero();
    Files.delete(input.resolve("part-r-00000"));
    assertThat(run(dir + "/i*").errors()).containsExactly("missing partition 0");
  }

  @Test
  void run_reportInsideInput_isNoInput() throws Exception {
    Configuration conf = runs.conf(256);
    for (String recursive : List.of("false", "true")) {
      LocalRuns.Outcome outcome =
          runs.oursTo(
              input.resolve("report-" + recursive),
              conf,
              "-D",
              "mapreduce.input.fileinputformat.input.dir.recursive=" + recursive,
              input.toString());
      assertThat(outcome.code()).as(outcome.err()).isZero();
      assertThat(outcome.out()).contains("30 records in 3 files");
      LocalRuns.delete(outcome.directory());
    }
    LocalRuns.Outcome glob = runs.oursTo(input.resolve("report"), conf, input.toString() + "/*");
    assertThat(glob.code()).as(glob.err()).isZero();
  }

  @Test
  void run_stockExitCode_zeroForFindingsOnly() throws Exception {
    exchangeFiles();
    LocalRuns.Outcome outcome = run("--stock-exit-code", input);
    assertThat(outcome.code()).isZero();
    assertThat(outcome.out()).startsWith("INVALID");
    assertThat(run(input).code()).isEqualTo(2);
    assertThat(run("--stock-exit-code", dir.resolve("nowhere")).code()).isEqualTo(1);
    assertThat(run("--stock-exit-code").code()).isEqualTo(64);
  }

  @Test
  void run_withoutExpectation_saysWhatCannotBeSeen() throws Exception {
    assertThat(run(input).out()).contains("cannot be seen without --expect");
  }

  @Test
  void run_inputAppendedMeanwhile_couldNotRun() throws Exception {
    Configuration conf = once(path -> append(local(path), new byte[100]));
    assertCouldNotRun(run(conf, input), "the input changed", "part-r-0000");
  }

  @Test
  void run_inputReplacedMeanwhile_couldNotRun() throws Exception {
    Path file = input.resolve("part-r-00001");
    Configuration conf =
        once(
            path -> {
              Files.write(file, Files.readAllBytes(file));
              Files.setLastModifiedTime(file, FileTime.fromMillis(1_000_000));
            });
    assertCouldNotRun(run(conf, input), "the input changed", "part-r-00001");
  }

  @Test
  void run_inputCutMeanwhile_couldNotRun() throws Exception {
    Configuration conf = once(path -> Files.write(local(path), new byte[0]));
    assertCouldNotRun(run(conf, input), "no verdict");
  }

  @Test
  void run_fileAddedMeanwhile_couldNotRun() throws Exception {
    Configuration conf = once(path -> Files.write(input.resolve("part-r-00003"), new byte[0]));
    assertCouldNotRun(run(conf, input), "the input changed", "part-r-00003");
  }

  @Test
  void run_fileDeletedMeanwhile_couldNotRun() throws Exception {
    Configuration conf = once(path -> Files.delete(local(path)));
    assertCouldNotRun(run(conf, input), "no verdict");
  }

  @Test
  void run_fileUnreadable_couldNotRun() throws Exception {
    Configuration conf =
        once(
            path -> {
              throw new IOException("permission denied: " + path);
            });
    assertCouldNotRun(run(conf, input), "no verdict");
  }

  @Test
  void run_reportMadeByAnotherRunMeanwhile_leavesIt() throws Exception {
    Path report = runs.nextReport();
    Configuration conf =
        once(
            path -> {
              Files.createDirectories(report);
              Files.writeString(report.resolve("_listing"), "another's");
            });
    // Acts while the expectation is added up: behind the first look at the report directory.
    LocalRuns.Outcome outcome = run(conf, "--expect", input, input);
    assertThat(outcome.code()).as(outcome.out()).isEqualTo(1);
    assertThat(report.resolve("_listing")).hasContent("another's");
  }

  private static Path local(org.apache.hadoop.fs.Path path) {
    return Path.of(path.toUri().getPath());
  }

  private static void append(Path file, byte[] bytes) throws IOException {
    Files.write(file, bytes, StandardOpenOption.APPEND);
  }

  /** Acts when the first file is opened. */
  private Configuration once(SlyFileSystem.Action action) {
    Configuration conf = runs.conf(256);
    AtomicBoolean done = new AtomicBoolean();
    SlyFileSystem.install(
        conf,
        path -> {
          if (done.compareAndSet(false, true)) {
            action.before(path);
          }
        });
    return conf;
  }

  @Test
  void split_anySizeAndPacking_sameReport() throws Exception {
    List<byte[]> records = DataSets.sorted(RECORDS, 4);
    Collections.swap(records, 9, 21);
    DataSets.write(input, records, 3);
    List<List<String>> reports = new ArrayList<>();
    for (String bytes : List.of("0", "300", "1g")) {
      LocalRuns.Outcome outcome = run("-D", "evenkeel.terasort.split.bytes=" + bytes, input);
      assertThat(outcome.code()).isEqualTo(2);
      reports.add(outcome.report());
    }
    assertThat(reports).allMatch(reports.get(0)::equals);
  }
}
