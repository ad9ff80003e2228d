package io.evenkeel.terasort;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.terasort.HdfsFixture.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.MiniDFSCluster.DataNodeProperties;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;

/** Validation of files in a real HDFS that are as they should be, or change while they are read. */
@Timeout(240)
class HdfsValidationIT {
  private static final int RECORDS = 3000;

  private static HdfsFixture hdfs;
  private Path input;

  @BeforeAll
  static void start() throws IOException {
    java.nio.file.Path base =
        Files.createDirectories(Paths.get(System.getProperty("test.build.data", "target/data")));
    hdfs = HdfsFixture.start(Files.createTempDirectory(base.toAbsolutePath(), "terasort"), 5);
  }

  @AfterAll
  static void stop() {
    hdfs.close();
  }

  @BeforeEach
  void name(TestInfo test) {
    input = new Path("/" + test.getTestMethod().orElseThrow().getName());
  }

  private List<byte[]> sorted(long seed) {
    return DataSets.sorted(RECORDS, seed);
  }

  /** Runs the hook between the listing and the first read, and says what came of the run. */
  private Outcome oursWhile(HookedFileSystem.Hook hook) throws Exception {
    HookedFileSystem.onNextOpen(hook);
    Outcome outcome = hdfs.ours(input.toString());
    assertThat(HookedFileSystem.pending()).as("nothing happened to the input").isFalse();
    return outcome;
  }

  private static void assertSameAsStock(Outcome ours, Outcome stock) {
    assertThat(ours.err()).isEmpty();
    assertThat(ours.report()).isEqualTo(stock.report()).hasSize(1);
    assertThat(ours.code()).isZero();
  }

  private void assertNoVerdict(Outcome outcome, String... words) throws IOException {
    assertThat(outcome.err()).contains(words);
    assertThat(outcome.code()).isEqualTo(1);
    assertThat(outcome.report()).isEmpty();
  }

  @Test
  void sortedData_sameReportAsStockFromEveryBlock() throws Exception {
    hdfs.write(input, sorted(1), 3);
    Outcome ours = hdfs.ours("--json", input.toString());
    assertSameAsStock(ours, hdfs.stock(input));
    assertThat(hdfs.blocks(HdfsFixture.part(input, 0)).size()).isGreaterThan(5);
  }

  @Test
  void recordsExchangedOverABlockEdge_sameErrorsAsStock() throws Exception {
    List<byte[]> records = sorted(2);
    int straddling = HdfsFixture.BLOCK / 100;
    Collections.swap(records, straddling, straddling + 1);
    hdfs.write(input, records, 3);
    Outcome ours = hdfs.ours(input.toString());
    Outcome stock = hdfs.stock(input);
    assertThat(ours.report()).containsExactlyInAnyOrderElementsOf(stock.report());
    assertThat(ours.report().size()).isGreaterThan(1);
    assertThat(ours.code()).isEqualTo(2);
  }

  @Test
  void dataNodeLostWhileReading_sameReport() throws Exception {
    hdfs.write(input, sorted(3), 3);
    Outcome stock = hdfs.stock(input);
    DataNodeProperties[] lost = new DataNodeProperties[1];
    Outcome ours = oursWhile(() -> lost[0] = hdfs.cluster().stopDataNode(0));
    hdfs.cluster().restartDataNode(lost[0], true);
    hdfs.cluster().waitActive();
    assertSameAsStock(ours, stock);
  }

  @Test
  void replicasMovedWhileReading_sameReport() throws Exception {
    hdfs.write(input, sorted(4), 3);
    Outcome stock = hdfs.stock(input);
    Outcome ours = oursWhile(() -> ReplicaMoves.moveOneOfEach(hdfs, input, 3));
    assertSameAsStock(ours, stock);
  }

  @Test
  void replicationLoweredWhileReading_sameReport() throws Exception {
    hdfs.write(input, sorted(5), 3);
    Outcome stock = hdfs.stock(input);
    Outcome ours = oursWhile(() -> hdfs.fs().setReplication(HdfsFixture.part(input, 1), (short) 1));
    assertSameAsStock(ours, stock);
  }

  @Test
  void appendedAndClosedFile_isReadToItsNewEnd() throws Exception {
    List<byte[]> records = sorted(6);
    hdfs.write(input, records.subList(0, RECORDS - 250), 2);
    try (FSDataOutputStream out = hdfs.fs().append(HdfsFixture.part(input, 1))) {
      HdfsFixture.put(out, records.subList(RECORDS - 250, RECORDS));
    }
    assertSameAsStock(hdfs.ours(input.toString()), hdfs.stock(input));
  }

  @Test
  void openFile_noVerdict() throws Exception {
    List<byte[]> records = sorted(7);
    hdfs.write(input, records.subList(0, 2000), 2);
    Path open = HdfsFixture.part(input, 2);
    try (FSDataOutputStream out = hdfs.fs().create(open)) {
      HdfsFixture.put(out, records.subList(2000, RECORDS));
      out.hflush();
      assertNoVerdict(hdfs.ours(input.toString()), open.toString(), "open for writing");
    }
    assertSameAsStock(hdfs.ours(input.toString()), hdfs.stock(input));
  }

  @Test
  void fileOpenedForAppend_noVerdict() throws Exception {
    hdfs.write(input, sorted(8), 2);
    Path open = HdfsFixture.part(input, 0);
    FSDataOutputStream out = hdfs.fs().append(open);
    Outcome outcome = hdfs.ours(input.toString());
    out.close();
    assertNoVerdict(outcome, open.toString(), "open for writing");
  }

  @Test
  void fileAppendedWhileReading_noVerdict() throws Exception {
    List<byte[]> records = sorted(9);
    hdfs.write(input, records.subList(0, RECORDS - 10), 2);
    Path changed = HdfsFixture.part(input, 1);
    Outcome outcome =
        oursWhile(
            () -> {
              try (FSDataOutputStream out = hdfs.fs().append(changed)) {
                HdfsFixture.put(out, records.subList(RECORDS - 10, RECORDS));
              }
            });
    assertNoVerdict(outcome, "changed while it was read", changed.toString());
  }

  @Test
  void fileLeftOpenForAppendWhileReading_noVerdict() throws Exception {
    hdfs.write(input, sorted(10), 2);
    Path changed = HdfsFixture.part(input, 1);
    FSDataOutputStream[] open = new FSDataOutputStream[1];
    Outcome outcome = oursWhile(() -> open[0] = hdfs.fs().append(changed));
    open[0].close();
    assertNoVerdict(outcome, changed.toString());
  }

  /** Same name, length and times: only the file id tells. */
  @Test
  void fileReplacedWhileReading_noVerdict() throws Exception {
    hdfs.write(input, sorted(11), 2);
    Path changed = HdfsFixture.part(input, 1);
    Path other = new Path("/other-" + input.getName());
    hdfs.write(other, sorted(11), 2);
    FileStatus before = hdfs.fs().getFileStatus(changed);
    Outcome outcome =
        oursWhile(
            () -> {
              hdfs.fs().delete(changed, false);
              hdfs.fs().rename(HdfsFixture.part(other, 1), changed);
              hdfs.fs().setTimes(changed, before.getModificationTime(), -1);
            });
    assertNoVerdict(outcome, "changed while it was read", changed.toString());
  }

  @Test
  void fileTruncatedWhileReading_noVerdict() throws Exception {
    hdfs.write(input, sorted(12), 2);
    Path changed = HdfsFixture.part(input, 1);
    Outcome outcome = oursWhile(() -> hdfs.fs().truncate(changed, HdfsFixture.BLOCK));
    assertNoVerdict(outcome, "changed while it was read", changed.toString());
  }

  @Test
  void fileDeletedWhileReading_noVerdict() throws Exception {
    hdfs.write(input, sorted(13), 2);
    Path changed = HdfsFixture.part(input, 1);
    Outcome outcome = oursWhile(() -> hdfs.fs().delete(changed, false));
    assertNoVerdict(outcome, "changed while it was read", changed.toString());
  }

  @Test
  void fileAddedWhileReading_noVerdict() throws Exception {
    hdfs.write(input, sorted(14), 2);
    Path added = HdfsFixture.part(input, 2);
    Outcome outcome = oursWhile(() -> hdfs.fs().create(added).close());
    assertNoVerdict(outcome, "changed while it was read", added.toString());
  }
}
