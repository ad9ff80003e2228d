package io.evenkeel.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.bench.BenchMain.Request;
import io.evenkeel.bench.BenchReport.Result;
import io.evenkeel.bench.experiment.Comparison;
import io.evenkeel.bench.experiment.Experiment;
import io.evenkeel.bench.experiment.Problem.Summary;
import io.evenkeel.bench.experiment.RunSettings;
import io.evenkeel.common.cli.CommandException;
import io.evenkeel.common.json.Json;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BenchMainTest {
  /** What a record says before its results. */
  static final List<String> HEAD =
      List.of(
          "schema", "date", "hadoop", "jdk", "cores", "memoryGiB", "quick", "seed", "experiments");

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  private void run(String... args) {
    BenchMain.run(Request.parse(List.of(args)), new PrintStream(out), new PrintStream(err));
  }

  private String out() {
    return out.toString(StandardCharsets.UTF_8);
  }

  @Test
  void list_everyExperiment_hasItsOwnName() {
    List<String> names = Experiments.all().stream().map(Experiment::name).toList();
    assertThat(names)
        .doesNotHaveDuplicates()
        .contains("volume.share", "volume.disks", "volume.random", "volume.chooser");
    assertThat(BenchMain.list(null, false).lines()).hasSameSizeAs(names);
    assertThat((List<?>) Json.parse(BenchMain.list(null, true))).hasSameSizeAs(names);
  }

  @Test
  void list_oneName_isThatOneOnly() {
    assertThat(BenchMain.list("volume.share", false).lines())
        .singleElement()
        .asString()
        .startsWith("volume.share ");
    assertThat((List<?>) Json.parse(BenchMain.list("volume.share", true))).hasSize(1);
  }

  @Test
  void checkName_noBenchmarkIsLikeIt_suggestsNone() {
    assertThatThrownBy(() -> BenchMain.checkName("foo"))
        .hasMessage("there is no benchmark 'foo'; --list shows all");
  }

  @Test
  void run_jsonToStandardOutput_isNothingButJson() {
    run("--quick", "--only", "volume.share", "--json", "-", "--seed", "7");
    Map<?, ?> json = (Map<?, ?>) Json.parse(out());
    assertThat(json.get("seed")).isEqualTo(7L);
    assertThat(json.get("quick")).isEqualTo(true);
    assertThat(json.get("hadoop")).isEqualTo(System.getProperty("evenkeel.hadoop.version"));
    Map<?, ?> experiment = (Map<?, ?>) ((List<?>) json.get("experiments")).get(0);
    assertThat(experiment.get("name")).isEqualTo("volume.share");
    assertThat((List<?>) experiment.get("results")).hasSize(10);
    Map<?, ?> summary = (Map<?, ?>) ((List<?>) experiment.get("summary")).get(0);
    assertThat(summary.get("problem")).asString().startsWith("Cases with an unused volume");
  }

  @Test
  void run_jsonToFile_printsTheTableAsWell(@TempDir Path dir) throws Exception {
    Path file = dir.resolve("out.json");
    run("--quick", "--only", "volume.share", "--json", file.toString());
    assertThat(out()).contains("volume.share", "volumes never used");
    assertThat(Json.parse(Files.readString(file))).isInstanceOf(Map.class);
    assertThat(err.toString(StandardCharsets.UTF_8)).startsWith("evenkeel: volume.share: ");
  }

  @Test
  void run_unknownName_failsNamingTheNearest() {
    assertThatThrownBy(() -> run("--only", "volume.shore"))
        .isInstanceOf(CommandException.class)
        .hasMessageContaining("did you mean 'volume.share'");
  }

  @Test
  void parse_badOptions_failWithOneLine() {
    assertThatThrownBy(() -> Request.parse(List.of("--only")))
        .isInstanceOf(CommandException.class)
        .hasMessage("--only needs a value");
    assertThatThrownBy(() -> Request.parse(List.of("--slow")))
        .isInstanceOf(CommandException.class)
        .hasMessage("unknown option --slow");
    assertThatThrownBy(() -> Request.parse(List.of("--seed", "x")))
        .isInstanceOf(CommandException.class)
        .hasMessageContaining("'x' is not allowed");
  }

  @Test
  void certain_valuesWithinTheirSpreads_isFalse() {
    assertThat(new Comparison("q", "u", 10, 13, new Comparison.Spread(1, 1)).certain()).isTrue();
    assertThat(new Comparison("q", "u", 10, 13, new Comparison.Spread(2, 1)).certain()).isFalse();
    assertThat(new Comparison("q", "u", 10, 13, new Comparison.Spread(Double.NaN, 1)).certain())
        .isFalse();
    assertThat(Comparison.counted("q", "u", 10, 13).certain()).isTrue();
  }

  @Test
  void certain_singleRunOfEither_isFalse() {
    double[] one = {10};
    double[] two = {13, 14};
    assertThat(Comparison.repeated("q", "u", one, new double[] {13}).certain()).isFalse();
    assertThat(Comparison.repeated("q", "u", one, two).certain()).isFalse();
    assertThat(Comparison.repeated("q", "u", two, one).certain()).isFalse();
    assertThat(Comparison.pairs("q", one, new double[] {13}).certain()).isFalse();
    assertThat(Comparison.pairs("q", new double[] {10, 10}, two).certain()).isTrue();
  }

  @Test
  void ratio_stockIsZero_isUnknownUnlessOursIsZeroToo() {
    assertThat(Comparison.counted("q", "u", 0, 0).ratio()).isEqualTo(1);
    assertThat(Comparison.counted("q", "u", 0, 3).ratio()).isNaN();
    assertThat(Comparison.counted("q", "u", 0, 3).json()).containsEntry("ratio", null);
    assertThat(Comparison.counted("q", "u", 4, 3).ratio()).isEqualTo(0.75);
  }

  @Test
  void repeated_rangesThatTouch_areNotCertain() {
    double[] low = {1.25, 1.75};
    double[] high = {1.8, 2};
    Comparison apart = Comparison.repeated("q", "u", high, low);
    assertThat(apart.ratio()).isEqualTo(1.5 / 1.9);
    assertThat(apart.certain()).isTrue();
    assertThat(apart.json())
        .containsEntry("stockLeast", 1.8)
        .containsEntry("evenkeelMost", 1.75)
        .containsEntry("certain", true);
    assertThat(Comparison.repeated("q", "u", high, new double[] {1.8}).certain()).isFalse();
    Comparison stockOnly = Comparison.repeated("q", "u", high, new double[0]);
    assertThat(stockOnly.certain()).isFalse();
    assertThat(stockOnly.json()).containsEntry("evenkeel", null).containsEntry("ratio", null);
  }

  @Test
  void medians_oneDisturbedRun_doesNotMoveTheValue() {
    double[] stock = {2, 90, 4};
    double[] ours = {6, 1, 8, 4};
    Comparison medians = Comparison.medians("q", "u", stock, ours);
    assertThat(medians.stock()).isEqualTo(4);
    assertThat(medians.evenkeel()).isEqualTo(5);
    assertThat(medians.range()).isEqualTo(new Comparison.Range(2, 90, 1, 8, 3));
    assertThat(Comparison.medians("q", "u", stock, new double[0]).evenkeel()).isNaN();
  }

  @Test
  void pairs_threeTurns_comparesEachWithItsOwn() {
    Comparison pairs = Comparison.pairs("q", new double[] {1, 10, 100}, new double[] {2, 15, 400});
    assertThat(pairs.ratio()).isEqualTo(2);
    assertThat(pairs.range()).isEqualTo(new Comparison.Range(1, 1, 1.5, 4, 3));
    assertThat(pairs.certain()).isTrue();
  }

  @Test
  void text_repeatedRuns_showsTheirRange() {
    Comparison runs =
        Comparison.repeated("q", "u", new double[] {1.0013, 1.5}, new double[] {3, 3});
    String text = report(new Result("e", List.of(runs), List.of())).text();
    assertThat(text).contains("1.0013..1.5000", " 3 ", " 2.40 ").doesNotContain("opponent");
  }

  private static BenchReport report(Result result) {
    return new BenchReport(new RunSettings(true, 1, line -> {}), "x", List.of(result));
  }

  @Test
  void report_severalOpponents_namesThemAndSumsUp() {
    Comparison row = Comparison.counted("q", "u", 2, 1).against("mover, tuned");
    Summary summary = new Summary("Slow", "5 s (mover)", "2 s (mover, tuned)", "1 s");
    BenchReport report = report(new Result("e", List.of(row), List.of(summary)));
    assertThat(report.text())
        .contains("opponent", "mover, tuned")
        .contains("| problem | stock as often found | stock at its best | Evenkeel |")
        .contains("| Slow | 5 s (mover) | 2 s (mover, tuned) | 1 s |");
    assertThat(report.json()).contains("\"opponent\": \"mover, tuned\"", "2 s (mover, tuned)");
  }

  @Test
  void json_head_saysWhenAndOnWhatAndNothingElseOfTheMachine() {
    Map<?, ?> json = (Map<?, ?>) Json.parse(report(new Result("e", List.of(), List.of())).json());
    assertThat(json.keySet().stream().map(String::valueOf)).containsExactlyElementsOf(HEAD);
    assertThat((String) json.get("date")).matches("\\d{4}-\\d\\d-\\d\\d");
    assertThat((String) json.get("jdk")).matches("[0-9.]+");
    assertThat((long) json.get("memoryGiB")).isPositive();
  }
}
