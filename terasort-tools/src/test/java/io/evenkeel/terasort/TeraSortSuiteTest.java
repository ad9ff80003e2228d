package io.evenkeel.terasort;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.common.json.Json;
import io.evenkeel.terasort.suite.Validator;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.examples.terasort.TeraValidate;
import org.apache.hadoop.util.ToolRunner;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The whole suite with the real TeraGen and TeraSort in this JVM. */
@Timeout(300)
class TeraSortSuiteTest {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private final List<List<String>> validated = new ArrayList<>();
  private int verdict;

  @TempDir private Path dir;

  /** Stock's validator; the verdict is that of the test. */
  private int validate(Configuration conf, String... args) throws Exception {
    validated.add(List.of(args));
    String[] paths = Arrays.copyOfRange(args, args.length - 2, args.length);
    int ran = ToolRunner.run(conf, new TeraValidate(), paths);
    return ran == 0 ? verdict : ran;
  }

  private int run(Validator validator, String... args) throws Exception {
    Configuration conf = new Configuration();
    conf.set("hadoop.tmp.dir", dir.resolve("tmp").toString());
    conf.setInt("mapreduce.client.progressmonitor.pollinterval", 10);
    conf.setInt("mapreduce.client.completion.pollinterval", 10);
    conf.setInt("mapreduce.task.io.sort.mb", 1); // else each task clears 100 MB
    TeraSortSuite suite =
        new TeraSortSuite(
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8),
            validator);
    return ToolRunner.run(conf, suite, args);
  }

  private int suite(String... more) throws Exception {
    List<String> args = new ArrayList<>(List.of("-Dmapreduce.job.maps=2"));
    args.addAll(List.of("--rows", "3k", "--dir", work().toUri().toString()));
    args.addAll(List.of(more));
    if (!args.contains("--reducers")) {
      args.addAll(List.of("--reducers", "3"));
    }
    return run(this::validate, args.toArray(new String[0]));
  }

  private Path work() {
    return dir.resolve("work");
  }

  private String out() {
    return out.toString(StandardCharsets.UTF_8);
  }

  private String err() {
    return err.toString(StandardCharsets.UTF_8);
  }

  private Map<?, ?> json() {
    return (Map<?, ?>) Json.parse(out());
  }

  @Test
  void run_twice_measuresAndLeavesNothing() throws Exception {
    assertThat(suite("--repeat", "2", "--json")).isZero();
    Map<?, ?> json = json(); // stock's own output did not get into it
    List<?> phases = (List<?>) json.get("phases");
    assertThat(phases).hasSize(6);
    assertThat((Map<?, ?>) phases.get(4)).extracting("phase").isEqualTo("TeraSort");
    assertThat((Map<?, ?>) phases.get(4)).extracting("remoteBytes").isNull();
    assertThat((List<?>) json.get("largestOverMeanPartition")).hasSize(2);
    assertThat(work()).doesNotExist();
    // without counters the generated rows are what is expected
    assertThat(validated).hasSize(2);
    assertThat(validated.get(0).subList(0, 2))
        .containsExactly("--expect", "file:" + work().resolve("gen"));
  }

  @Test
  void run_kept_leavesSortedPartitionsAsManyAsReducers() throws Exception {
    assertThat(suite("--keep")).isZero();
    assertThat(work().resolve("sort/part-r-00002")).exists();
    assertThat(work().resolve("sort/part-r-00003")).doesNotExist();
    // jobs in this JVM have one map, whatever is asked for
    assertThat(Files.size(work().resolve("gen/part-m-00000"))).isEqualTo(300_000);
    assertThat(out())
        .contains("rows: 3000", "sorted replication: 1\n", "TeraValidate", "not known");

    assertThat(suite()).isEqualTo(1);
    assertThat(err()).contains("was left by an earlier run; --overwrite removes it");
    assertThat(suite("--overwrite")).isZero();
    assertThat(work().resolve("gen")).doesNotExist();
  }

  @Test
  void run_directoryOfSomebodyElse_isNeverRemoved() throws Exception {
    Path precious = Files.createDirectories(work().resolve("sort")).resolve("precious");
    Files.writeString(precious, "x");
    assertThat(suite("--overwrite")).isEqualTo(1);
    assertThat(err()).contains("was not made by this command");
    assertThat(precious).exists();
  }

  @Test
  void run_otherFilesInTheDirectory_stay() throws Exception {
    Path other = Files.createDirectories(work()).resolve("other");
    Files.writeString(other, "x");
    assertThat(suite()).isZero();
    assertThat(work().toFile().list()).containsExactly("other");
  }

  @Test
  void run_invalid_is2AndKeepsWhatIsWrong() throws Exception {
    verdict = 2;
    assertThat(suite("--repeat", "3")).isEqualTo(2);
    assertThat(validated).hasSize(1);
    assertThat(out()).contains("not complete: run 1 is invalid");
    assertThat(work().resolve("sort/part-r-00000")).exists();
  }

  @Test
  void run_phaseFails_is1AndPrintsWhatWasMeasured() throws Exception {
    verdict = 64;
    assertThat(suite("--json")).isEqualTo(1);
    assertThat(err()).contains("TeraValidate of run 1 failed: it ended with 64");
    assertThat((List<?>) json().get("phases")).hasSize(2);
    assertThat(json().get("failure").toString()).contains("TeraValidate of run 1 failed");
  }

  @Test
  void run_tooFewSamples_is1BeforeAnythingIsWritten() throws Exception {
    assertThat(suite("-D", "unused=1")).isEqualTo(64); // Hadoop's own options come first
    assertThat(suite("--samples", "2")).isEqualTo(1);
    assertThat(err()).contains("2 sampled keys cannot be cut into 3 partitions");
    assertThat(work()).doesNotExist();
  }

  @Test
  void run_directoryIsAFile_is1AndSaysSo() throws Exception {
    Files.writeString(work(), "x");
    assertThat(suite()).isEqualTo(1);
    assertThat(err()).contains("work is a file; name a directory with --dir\n");
  }

  @Test
  void run_noExamplesJar_isAFailureInJsonToo() throws Exception {
    assertThat(suite("--json", "--examples", dir.resolve("none.jar").toString())).isEqualTo(4);
    assertThat(json().get("schema")).isEqualTo("evenkeel.terasort-suite/2");
    assertThat(json().get("exitCode")).isEqualTo(4L);
    assertThat(err()).isEqualTo("terasort: " + json().get("failure") + "\n");
  }

  @Test
  void forecast_noInput_isAFailureInJsonToo() throws Exception {
    String none = dir.resolve("none").toString();
    assertThat(run(this::validate, "--forecast", "--json", "--input", none)).isEqualTo(4);
    assertThat(json().get("schema")).isEqualTo("evenkeel.terasort-forecast/1");
    assertThat(json().get("failure")).isEqualTo("no such directory: " + none);
  }

  @Test
  void run_validatorThrows_isAFailureWithItsText() throws Exception {
    int code =
        run(
            (conf, args) -> {
              throw new IOException("no space");
            },
            "--rows",
            "100",
            "--dir",
            work().toString());
    assertThat(code).isEqualTo(1);
    assertThat(err()).contains("TeraValidate of run 1 failed: java.io.IOException: no space");
  }

  @Test
  void run_interrupted_is130() throws Exception {
    int code =
        run(
            (conf, args) -> {
              throw new InterruptedException();
            },
            "--rows",
            "100",
            "--dir",
            work().toString());
    assertThat(Thread.interrupted()).isTrue();
    assertThat(code).isEqualTo(130);
    assertThat(out()).contains("not complete: interrupted");
  }

  @Test
  void run_misuse_is64() throws Exception {
    assertThat(run(this::validate, "--rows", "many")).isEqualTo(64);
    assertThat(err()).contains("--rows: 'many'").contains("Try 'terasort --help'");
  }

  @Test
  void run_emptyText_is64() throws Exception {
    assertThat(run(this::validate, "--forecast", "--input", "")).isEqualTo(64);
    assertThat(run(this::validate, "--rows", "1k", "--examples", "")).isEqualTo(64);
    assertThat(err()).contains("--input is empty").contains("--examples is empty");
  }

  @Test
  void help_printsTheOptions() throws Exception {
    assertThat(run(this::validate, "--help")).isZero();
    assertThat(out()).contains("--repeat").contains("130 interrupted");
  }

  @Test
  void forecast_rows_runsNothing() throws Exception {
    assertThat(suite("--forecast", "--json", "--samples", "1000")).isZero();
    assertThat(json().get("sampledKeys")).isEqualTo(1000L);
    assertThat((Double) json().get("largestOverMeanWith95Percent")).isBetween(1.0, 1.2);
    assertThat(json().get("exitCode")).isEqualTo(0L);
    assertThat(work()).doesNotExist();
    out.reset();
    assertThat(suite("--forecast", "--samples", "1000")).isZero();
    assertThat(out().lines().map(line -> line.replaceAll(":.*", "")))
        .containsExactly(
            "rows",
            "reducers",
            "sampled keys",
            "typical largest / mean",
            "largest / mean with 95 percent",
            "enough");
  }

  @Test
  void forecast_generatedInput_intervalHoldsWhatTeraSortMade() throws Exception {
    assertThat(suite("--keep", "--samples", "150", "--reducers", "5", "--json")).isZero();
    double made = (Double) ((List<?>) json().get("largestOverMeanPartition")).get(0);
    out.reset();
    String input = work().resolve("gen").toUri().toString();
    assertThat(
            run(
                this::validate,
                "--forecast",
                "--input",
                input,
                "--reducers",
                "5",
                "--samples",
                "150",
                "--json"))
        .isZero();
    assertThat(json().get("rows")).isEqualTo(3000L);
    assertThat((Double) json().get("estimatedLow")).isLessThanOrEqualTo(made);
    assertThat((Double) json().get("estimatedHigh")).isGreaterThanOrEqualTo(made);
    assertThat((Double) json().get("estimatedLargestOverMean")).isBetween(made - 0.1, made + 0.1);
  }
}
