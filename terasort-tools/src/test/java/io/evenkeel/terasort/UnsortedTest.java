package io.evenkeel.terasort;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.common.json.Json;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Input that was never sorted has an error in every second record. */
@Tag("once") // says nothing about a Hadoop release
class UnsortedTest {
  /** What one map task hands on; stands in {@code Unlisted}. */
  private static final int OF_A_TASK = 10_000;

  @TempDir private Path dir;

  @Test
  void run_unsortedInput_listsTheFirstAndCountsAll() throws Exception {
    Path input = dir.resolve("in");
    List<byte[]> records = DataSets.sorted(24_000, 5);
    Collections.shuffle(records, new Random(5));
    DataSets.write(input, records, 1);
    LocalRuns runs = new LocalRuns(dir);
    LocalRuns.Outcome stock = runs.stock(input);
    Configuration conf = runs.conf(32 << 20);
    conf.setBoolean("fs.file.impl.disable.cache", true); // another test's has smaller blocks
    LocalRuns.Outcome ours = runs.ours(conf, "--json", input.toString());
    long misorders = stock.errors().stream().filter(e -> e.startsWith("misorder")).count();
    assertThat(misorders).isGreaterThan(OF_A_TASK + 1_000);
    Map<?, ?> summary =
        (Map<?, ?>) Json.parse(Files.readString(ours.directory().resolve("_summary.json")));
    assertThat(((Map<?, ?>) summary.get("violations")).get("misorder")).isEqualTo(misorders);
    List<String> listed =
        ours.errors().stream().filter(error -> error.startsWith("misorder")).toList();
    assertThat(listed).hasSize(OF_A_TASK);
    assertThat(stock.errors()).containsAll(listed.subList(0, 100)).contains(listed.get(9_999));
    assertThat(ours.report())
        .contains("unlisted\t" + (misorders - OF_A_TASK) + " more misordered records");
    assertThat(ours.checksum()).isEqualTo(stock.checksum());
    assertThat(ours.code()).isEqualTo(2);
    assertThat((List<?>) ((Map<?, ?>) Json.parse(ours.out())).get("firstErrors")).hasSize(100);
  }
}
