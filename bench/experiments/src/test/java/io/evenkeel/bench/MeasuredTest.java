package io.evenkeel.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.bench.experiment.Comparison;
import io.evenkeel.bench.experiment.Comparison.Range;
import io.evenkeel.bench.experiment.Comparison.Spread;
import io.evenkeel.bench.experiment.Problem;
import io.evenkeel.bench.experiment.Problem.Summary;
import io.evenkeel.common.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The table of README.md says what the newest records in docs/measured say; a failure shows what
 * belongs there. A record is what {@code ./evenkeel bench --only NAME --json FILE} writes.
 */
class MeasuredTest {
  /** Release without {@code --hadoop}. */
  private static final String DEFAULT_HADOOP = "3.4.3";

  private static final Path RECORDS = Path.of("../../docs/measured");
  private static final String HEADER =
      "| problem | command | stock as often found | stock at its best | Evenkeel |";
  private static final Pattern ROW =
      Pattern.compile("\\| (.+) \\| `(\\S+)(?: --hadoop (\\S+))?` \\| (.+) \\| (.+) \\| (.+) \\|");

  /** One row of the table. */
  private record Row(String experiment, String hadoop, Map<String, Object> summary) {
    static Row of(Matcher found) {
      return new Row(
          found.group(2),
          Objects.requireNonNullElse(found.group(3), DEFAULT_HADOOP),
          Map.of(
              "problem", found.group(1),
              "found", found.group(4),
              "best", found.group(5),
              "evenkeel", found.group(6)));
    }
  }

  private static List<Map<?, ?>> records() throws IOException {
    List<Map<?, ?>> records = new ArrayList<>();
    try (Stream<Path> files = Files.list(RECORDS)) {
      for (Path file : files.sorted().toList()) {
        records.add((Map<?, ?>) Json.parse(Files.readString(file)));
      }
    }
    return records;
  }

  /** What the newest record of an experiment on a release says in short. */
  private static List<?> newest(List<Map<?, ?>> records, String experiment, String hadoop) {
    return records.stream()
        .filter(record -> record.get("hadoop").equals(hadoop))
        .sorted(Comparator.comparing((Map<?, ?> r) -> (String) r.get("date")).reversed())
        .flatMap(record -> ((List<?>) record.get("experiments")).stream())
        .map(one -> (Map<?, ?>) one)
        .filter(one -> one.get("name").equals(experiment))
        .findFirst()
        .map(one -> (List<?>) one.get("summary"))
        .orElseThrow(() -> new AssertionError("no record of " + experiment + " on " + hadoop));
  }

  private static List<Row> table() throws IOException {
    String readme = Files.readString(Path.of("../../README.md"));
    int from = readme.indexOf(HEADER);
    assertThat(from).as("the table of README.md").isPositive();
    List<String> lines = readme.substring(from).lines().takeWhile(l -> l.startsWith("|")).toList();
    List<Row> rows = new ArrayList<>();
    for (String line : lines.subList(2, lines.size())) {
      Matcher row = ROW.matcher(line);
      assertThat(row.matches()).as(line).isTrue();
      rows.add(Row.of(row));
    }
    return rows;
  }

  @Test
  void readme_everyRow_isThatOfTheNewestRecord() throws IOException {
    List<Row> table = table();
    assertThat(table).isNotEmpty();
    for (Row row : table) {
      List<?> expected = newest(records(), row.experiment, row.hadoop);
      assertThat(expected).as(row.experiment).asList().contains(row.summary);
    }
  }

  @Test
  void readme_everyRow_isAProblemOfItsBenchmark() throws IOException {
    for (Row row : table()) {
      assertThat(Experiments.named(row.experiment).get(0).problems().stream().map(Problem::words))
          .contains((String) row.summary.get("problem"));
    }
  }

  @Test
  void records_each_areWholeRunsAndSayNothingElseOfTheMachine() throws IOException {
    for (Map<?, ?> record : records()) {
      assertThat(record.keySet().stream().map(String::valueOf))
          .containsExactlyElementsOf(BenchMainTest.HEAD);
      assertThat(record.get("quick")).as("%s", record.get("experiments")).isEqualTo(false);
    }
  }

  @Test
  void records_each_areNamedByBenchmarkAndDate() throws IOException {
    try (Stream<Path> files = Files.list(RECORDS)) {
      for (Path file : files.toList()) {
        Map<?, ?> record = (Map<?, ?>) Json.parse(Files.readString(file));
        Map<?, ?> experiment = (Map<?, ?>) ((List<?>) record.get("experiments")).get(0);
        Object hadoop = record.get("hadoop");
        assertThat(file.getFileName())
            .hasToString(
                experiment.get("name")
                    + (hadoop.equals(DEFAULT_HADOOP) ? "-" : "-" + hadoop + "-")
                    + record.get("date")
                    + ".json");
      }
    }
  }

  @Test
  void records_each_sayWhatTodaysCodeMakesOfTheirRows() throws IOException {
    for (Map<?, ?> record : records()) {
      for (Object each : (List<?>) record.get("experiments")) {
        Map<?, ?> experiment = (Map<?, ?>) each;
        String name = (String) experiment.get("name");
        List<Comparison> rows = new ArrayList<>();
        for (Object result : (List<?>) experiment.get("results")) {
          Map<?, ?> written = (Map<?, ?>) result;
          Comparison row = comparison(written);
          assertThat(row.json()).as("%s, %s", name, row.quantity()).isEqualTo(written);
          rows.add(row);
        }
        assertThat(experiment.get("summary"))
            .as(name)
            .isEqualTo(
                Experiments.named(name).get(0).problems().stream()
                    .flatMap(problem -> problem.of(rows).stream())
                    .map(Summary::json)
                    .toList());
      }
    }
  }

  /** A row as it was before it was written. */
  private static Comparison comparison(Map<?, ?> row) {
    Spread spread =
        row.containsKey("stockError")
            ? new Spread(number(row, "stockError"), number(row, "evenkeelError"))
            : null;
    Range range =
        row.containsKey("runs")
            ? new Range(
                number(row, "stockLeast"),
                number(row, "stockMost"),
                number(row, "evenkeelLeast"),
                number(row, "evenkeelMost"),
                ((Number) row.get("runs")).longValue())
            : null;
    return new Comparison(
        (String) row.get("quantity"),
        (String) row.get("unit"),
        number(row, "stock"),
        number(row, "evenkeel"),
        spread,
        range,
        (String) row.get("opponent"));
  }

  private static double number(Map<?, ?> row, String name) {
    Number value = (Number) row.get(name);
    return value == null ? Double.NaN : value.doubleValue();
  }

  @Test
  void newest_severalRecords_takesTheLatestOfThatRelease() {
    List<Map<?, ?>> records =
        List.of(
            record("2026-01-02", "x", 2L),
            record("2026-01-01", "x", 1L),
            record("2026-01-03", "y", 3L));
    assertThat(newest(records, "e", "x")).asList().containsExactly(2L);
    assertThatThrownBy(() -> newest(records, "e", "z")).hasMessage("no record of e on z");
  }

  private static Map<?, ?> record(String date, String hadoop, long number) {
    return Map.of(
        "date",
        date,
        "hadoop",
        hadoop,
        "experiments",
        List.of(Map.of("name", "e", "summary", List.of(number))));
  }
}
