package io.evenkeel.terasort;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.examples.terasort.TeraChecksum;
import org.apache.hadoop.examples.terasort.TeraGen;
import org.apache.hadoop.mapreduce.Job;
import org.apache.log4j.Level;
import org.apache.log4j.Logger;
import org.apache.log4j.SimpleLayout;
import org.apache.log4j.WriterAppender;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every form of {@code --expect}, with what stock's tools really write. */
class ExpectTest {
  private static final int RECORDS = 200;

  @TempDir private Path dir;
  private LocalRuns runs;
  private Path generated;
  private String counter;
  private Path sorted;
  private Path lossy;

  /** TeraGen's own records, sorted here, and once more without one of them. */
  @BeforeEach
  void generate() throws Exception {
    runs = new LocalRuns(dir);
    StringWriter log = new StringWriter();
    LocalRuns.Outcome outcome = generate(log);
    assertThat(outcome.code()).isZero();
    generated = outcome.directory();
    Matcher matcher = Pattern.compile("CHECKSUM=(-?[0-9]+)").matcher(log.toString());
    assertThat(matcher.find()).isTrue();
    counter = matcher.group(1);
    List<byte[]> records = new ArrayList<>();
    for (int part = 0; Files.exists(generated.resolve("part-m-0000" + part)); part++) {
      byte[] bytes = Files.readAllBytes(generated.resolve("part-m-0000" + part));
      for (int at = 0; at < bytes.length; at += 100) {
        ByteArrayOutputStream record = new ByteArrayOutputStream();
        record.write(bytes, at, 100);
        records.add(record.toByteArray());
      }
    }
    assertThat(records).hasSize(RECORDS);
    DataSets.sort(records);
    sorted = dir.resolve("sorted");
    DataSets.write(sorted, records, 3);
    records.remove(77);
    lossy = dir.resolve("lossy");
    DataSets.write(lossy, records, 3);
  }

  /** The client logs the counters when the job ends: where an operator reads them, too. */
  private LocalRuns.Outcome generate(StringWriter log) throws Exception {
    Logger logger = Logger.getLogger(Job.class);
    Level before = logger.getLevel();
    WriterAppender appender = new WriterAppender(new SimpleLayout(), log);
    logger.setLevel(Level.INFO);
    logger.addAppender(appender);
    try {
      return runs.stock(new TeraGen(), RECORDS);
    } finally {
      logger.removeAppender(appender);
      logger.setLevel(before);
    }
  }

  private void assertTells(Object expectation) throws Exception {
    LocalRuns.Outcome good =
        runs.ours(runs.conf(256), "--expect", expectation.toString(), sorted.toString());
    assertThat(good.code()).as("%s%s", good.out(), good.err()).isZero();
    assertThat(good.out()).doesNotContain("--expect");
    LocalRuns.Outcome bad =
        runs.ours(runs.conf(256), "--expect", expectation.toString(), lossy.toString());
    assertThat(bad.code()).as("%s%s", bad.out(), bad.err()).isEqualTo(2);
    assertThat(bad.errors()).anyMatch(text -> text.startsWith("checksum is "));
    assertThat(bad.stockErrors()).isEmpty();
    assertThat(dir).isDirectoryNotContaining("glob:**/_expected-*");
  }

  @Test
  void expect_teraGenCounter_tells() throws Exception {
    assertTells("counter:" + counter);
  }

  @Test
  void expect_directoryOfRecords_tells() throws Exception {
    assertTells(generated);
  }

  @Test
  void expect_teraChecksumReport_tells() throws Exception {
    LocalRuns.Outcome checksum = runs.stock(new TeraChecksum(), generated);
    assertThat(checksum.code()).isZero();
    assertTells(checksum.directory());
    assertTells(checksum.directory().resolve("part-r-00000"));
    assertTells(checksum.report().get(0));
    assertTells(checksum.report().get(0).toUpperCase(java.util.Locale.ROOT) + ":" + RECORDS);
    LocalRuns.Outcome count =
        runs.ours(runs.conf(256), "--expect", checksum.report().get(0) + ":199", sorted.toString());
    assertThat(count.errors()).containsExactly("200 records, expected 199");
  }

  @Test
  void expect_teraValidateReport_tells() throws Exception {
    assertTells(runs.stock(sorted).directory());
  }

  @Test
  void expect_ourReport_tells() throws Exception {
    assertTells(runs.ours(runs.conf(100), sorted.toString()).directory());
  }

  @Test
  void expect_tornRecords_couldNotRun() throws Exception {
    Files.write(generated.resolve("part-m-00000"), new byte[150]);
    Files.delete(generated.resolve(".part-m-00000.crc"));
    LocalRuns.Outcome outcome =
        runs.ours(runs.conf(256), "--expect", generated.toString(), sorted.toString());
    assertThat(outcome.code()).isEqualTo(1);
    assertThat(outcome.err()).contains(" itself is broken: 1 truncated\n");
    assertThat(dir).isDirectoryNotContaining("glob:**/_expected-*");
  }
}
