package io.evenkeel.terasort;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.util.ToolRunner;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;

/** Data behind a mount table of viewfs is judged as HDFS tells of it. */
class ViewFsTest {
  @TempDir private static java.nio.file.Path dir;
  private static MiniDFSCluster cluster;
  private FileSystem hdfs;
  private Path data;

  @BeforeAll
  static void start() throws IOException {
    cluster =
        new MiniDFSCluster.Builder(new HdfsConfiguration(), dir.toFile()).numDataNodes(1).build();
    cluster.waitActive();
  }

  @BeforeEach
  void write(TestInfo test) throws IOException {
    hdfs = cluster.getFileSystem();
    data = new Path("/" + test.getTestMethod().orElseThrow().getName());
    try (FSDataOutputStream out = hdfs.create(new Path(data, "in/part-r-00000"))) {
      for (byte[] row : DataSets.sorted(20, 5)) {
        out.write(row);
      }
    }
  }

  @AfterEach
  void forgetMountTables() throws IOException {
    FileSystem.closeAll(); // a kept one would lead to the data of this test
  }

  @AfterAll
  static void stop() {
    cluster.shutdown();
  }

  private String run(String report, int code) throws Exception {
    Configuration conf = new Configuration(cluster.getConfiguration(0));
    conf.set("fs.defaultFS", "viewfs://view/");
    conf.set("fs.viewfs.mounttable.view.link./mnt", "" + cluster.getURI() + data);
    conf.set("fs.viewfs.mounttable.view.link./tmp", cluster.getURI() + "/tmp");
    conf.set("mapreduce.framework.name", "local");
    conf.setInt("mapreduce.client.progressmonitor.pollinterval", 10);
    conf.setInt("mapreduce.client.completion.pollinterval", 10);
    conf.setInt("mapreduce.task.io.sort.mb", 1); // else each task clears 100 MB
    conf.set("hadoop.tmp.dir", dir.resolve("tmp").toString());
    conf.set("mapreduce.cluster.local.dir", dir.resolve("local").toString());
    conf.set("mapreduce.jobtracker.staging.root.dir", "/tmp/staging");
    ByteArrayOutputStream told = new ByteArrayOutputStream();
    PrintStream both = new PrintStream(told, true, StandardCharsets.UTF_8);
    String[] args = {"/mnt/in", report};
    assertThat(ToolRunner.run(conf, new BlockTeraValidate(both, both), args))
        .as(told.toString(StandardCharsets.UTF_8))
        .isEqualTo(code);
    return told.toString(StandardCharsets.UTF_8);
  }

  @Test
  void run_behindMountTable_judgedAsOnHdfs() throws Exception {
    assertThat(run("/mnt/in/report", 0)).contains("20 records in 1 files");
    assertThat(hdfs.exists(new Path(data, "in/report/part-r-00000"))).isTrue();
  }

  @Test
  void run_fileOpenBehindMountTable_couldNotRun() throws Exception {
    try (FSDataOutputStream open = hdfs.create(new Path(data, "in/part-r-00001"))) {
      open.write(DataSets.sorted(1, 6).get(0));
      open.hflush();
      assertThat(run("/mnt/report", 1)).contains("part-r-00001 is still open");
    }
  }

  @Test
  void run_quotaUsedUp_oneLineWithoutTheNameNodesStackTrace() throws Exception {
    cluster.getFileSystem().setQuota(data, 3, Long.MAX_VALUE);
    assertThat(run("/mnt/report", 1).trim())
        .startsWith("teravalidate: ")
        .contains("uota")
        .doesNotContain("\n");
  }
}
