package io.evenkeel.terasort;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.common.json.Json;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BlockTeraValidateTest {
  @TempDir private Path dir;

  @ParameterizedTest
  @ValueSource(longs = {37, 100, 256, 1000, 1 << 20})
  void run_sortedData_sameReportAsStock(long blockSize) throws Exception {
    Path input = dir.resolve("in");
    DataSets.write(input, DataSets.sorted(60, 1), 3);
    LocalRuns runs = new LocalRuns(dir);
    LocalRuns.Outcome stock = runs.stock(input);
    LocalRuns.Outcome ours = runs.ours(runs.conf(blockSize), input.toString());
    assertThat(ours.err()).isEmpty();
    assertThat(ours.report()).isEqualTo(stock.report()).hasSize(1);
    assertThat(ours.code()).isZero();
  }

  @Test
  void run_filesNamedInAnotherOrder_sameReportAsStock() throws Exception {
    Path input = dir.resolve("in");
    DataSets.write(input, DataSets.sorted(61, 1), 4); // of 15 and 16 records
    LocalRuns runs = new LocalRuns(dir);
    LocalRuns.Outcome ours =
        runs.ours(
            runs.conf(256),
            input.resolve("part-r-00002").toString(),
            input.resolve("part-r-00000").toString(),
            input.resolve("part-r-00003").toString(),
            input.resolve("part-r-00001").toString());
    assertThat(ours.err()).isEmpty();
    assertThat(ours.report()).isEqualTo(runs.stock(input).report()).hasSize(1);
    assertThat(ours.code()).isZero();
  }

  @Test
  void run_exchangedRecords_sameErrorsAsStockAndExitCodeTwo() throws Exception {
    Path input = dir.resolve("in");
    List<byte[]> records = DataSets.sorted(60, 2);
    Collections.swap(records, 7, 45);
    DataSets.write(input, records, 3);
    LocalRuns runs = new LocalRuns(dir);
    LocalRuns.Outcome stock = runs.stock(input);
    LocalRuns.Outcome ours = runs.ours(runs.conf(256), input.toString());
    assertThat(ours.report()).containsExactlyInAnyOrderElementsOf(stock.report());
    assertThat(ours.report().size()).isGreaterThan(1);
    assertThat(ours.code()).isEqualTo(2);
    assertThat(stock.code()).isZero();
  }

  @Test
  void run_jsonAndPage_tellOfPartitionsTasksAndErrors() throws Exception {
    Path input = dir.resolve("in");
    List<byte[]> records = DataSets.sorted(60, 3);
    Collections.swap(records, 7, 45);
    DataSets.write(input, records, 3);
    Path page = dir.resolve("page.html");
    LocalRuns runs = new LocalRuns(dir);
    LocalRuns.Outcome ours =
        runs.ours(runs.conf(256), "--json", "--html", page.toString(), input.toString());
    assertThat(ours.err()).isEmpty();
    Map<?, ?> json = (Map<?, ?>) Json.parse(ours.out());
    assertThat(json.get("valid")).isEqualTo(false);
    assertThat(json.get("records")).isEqualTo(60L);
    assertThat(((Map<?, ?>) json.get("partitions")).get("count")).isEqualTo(3L);
    assertThat(((Map<?, ?>) json.get("localityBytes")).get("same-vm")).isEqualTo(6000L);
    assertThat((List<?>) json.get("firstErrors")).hasSize(2);
    assertThat(Files.readString(page))
        .contains("<h1>Invalid</h1>", "part-r-00002", "Throughput", "</html>");
  }
}
