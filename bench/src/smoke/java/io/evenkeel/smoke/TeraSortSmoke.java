package io.evenkeel.smoke;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.terasort.BlockTeraValidate;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.examples.terasort.TeraGen;
import org.apache.hadoop.examples.terasort.TeraSort;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The real TeraGen and TeraSort, validated block by block. Records straddle the blocks. */
@Timeout(600)
class TeraSortSmoke {
  private static final int RECORDS = 8000;

  private final ByteArrayOutputStream said = new ByteArrayOutputStream();
  private MiniDFSCluster cluster;
  private FileSystem fs;

  @BeforeEach
  void sort() throws Exception {
    Configuration conf = Smoke.conf("terasort");
    conf.set("mapreduce.framework.name", "local");
    conf.setInt("mapreduce.job.maps", 2);
    conf.setInt("mapreduce.job.reduces", 1);
    conf.setBoolean("mapreduce.terasort.use.terascheduler", false);
    cluster = new MiniDFSCluster.Builder(conf).numDataNodes(3).build();
    cluster.waitActive();
    fs = cluster.getFileSystem();
    assertThat(run(new TeraGen(), String.valueOf(RECORDS), "/in")).isZero();
    assertThat(run(new TeraSort(), "/in", "/out")).isZero();
  }

  @AfterEach
  void stop() {
    cluster.shutdown();
  }

  @Test
  void validate_sortedData_validAndComplete() throws Exception {
    FileStatus file = fs.getFileStatus(Smoke.path("/out/part-r-00000"));
    assertThat(file.getLen()).isEqualTo(100L * RECORDS);
    assertThat(fs.getFileBlockLocations(file, 0, file.getLen())).hasSizeGreaterThan(10);
    assertThat(validate("--expect", "/in", "/out", "/report")).as(said.toString()).isZero();
    assertThat(fs.exists(Smoke.path("/report/part-r-00000"))).isTrue();
  }

  @Test
  void validate_twoRecordsExchanged_invalid() throws Exception {
    byte[] data = new byte[100 * RECORDS];
    try (DataInputStream in = fs.open(Smoke.path("/out/part-r-00000"))) {
      in.readFully(data);
    }
    int straddling = Smoke.BLOCK / 100 * 100;
    try (OutputStream out = fs.create(Smoke.path("/bad/part-r-00000"))) {
      out.write(data, 0, straddling);
      out.write(data, straddling + 100, 100);
      out.write(data, straddling, 100);
      out.write(data, straddling + 200, data.length - straddling - 200);
    }
    assertThat(validate("/bad", "/report")).as(said.toString()).isEqualTo(2);
  }

  private int validate(String... arguments) throws Exception {
    PrintStream print = new PrintStream(said, true, "UTF-8");
    return run(new BlockTeraValidate(print, print), arguments);
  }

  private int run(Tool tool, String... arguments) throws Exception {
    return ToolRunner.run(new Configuration(fs.getConf()), tool, arguments);
  }
}
