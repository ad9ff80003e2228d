package io.evenkeel.terasort;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.examples.terasort.TeraValidate;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.util.ToolRunner;

/** A real HDFS, data sets in it, and runs of both validators on it. Confined to one thread. */
final class HdfsFixture implements AutoCloseable {
  static final int BLOCK = 1 << 14;

  private static final boolean STOCK_RUNS =
      Arrays.stream(FileSystem.class.getMethods()).anyMatch(m -> m.getName().equals("openFile"));

  private final MiniDFSCluster cluster;
  private final Configuration conf;
  private int runs;

  /** What a run ended with. */
  record Outcome(int code, List<String> report, String out, String err) {}

  private HdfsFixture(MiniDFSCluster cluster, Configuration conf) {
    this.cluster = cluster;
    this.conf = conf;
  }

  static HdfsFixture start(java.nio.file.Path dir, int dataNodes) throws IOException {
    Configuration conf = new HdfsConfiguration();
    conf.set(MiniDFSCluster.HDFS_MINIDFS_BASEDIR, dir.resolve("dfs").toString());
    conf.set("hadoop.tmp.dir", dir.resolve("tmp").toString());
    conf.setInt("dfs.blocksize", BLOCK);
    conf.setInt("dfs.namenode.fs-limits.min-block-size", 512);
    conf.setInt("dfs.replication", 3);
    conf.setInt("dfs.heartbeat.interval", 1);
    conf.setInt("dfs.namenode.redundancy.interval.seconds", 1);
    conf.setInt("dfs.client.retry.window.base", 10);
    conf.setInt("dfs.datanode.socket.write.timeout", 20_000);
    conf.set("fs.hdfs.impl", HookedFileSystem.class.getName());
    conf.set("mapreduce.framework.name", "local");
    conf.setInt("mapreduce.client.progressmonitor.pollinterval", 10);
    conf.setInt("mapreduce.client.completion.pollinterval", 10);
    conf.setInt("mapreduce.task.io.sort.mb", 1); // else each task clears 100 MB
    conf.setBoolean("mapreduce.terasort.use.terascheduler", false);
    MiniDFSCluster cluster = new MiniDFSCluster.Builder(conf).numDataNodes(dataNodes).build();
    cluster.waitActive();
    return new HdfsFixture(cluster, conf);
  }

  MiniDFSCluster cluster() {
    return cluster;
  }

  /** For clients of this HDFS; a copy. */
  Configuration conf() {
    return new Configuration(conf);
  }

  DistributedFileSystem fs() throws IOException {
    return cluster.getFileSystem();
  }

  /** Writes the records to {@code files} partitions of nearly equal size. */
  void write(Path directory, List<byte[]> records, int files) throws IOException {
    fs().mkdirs(directory);
    for (int i = 0; i < files; i++) {
      int from = records.size() * i / files;
      int to = records.size() * (i + 1) / files;
      try (OutputStream out = fs().create(part(directory, i))) {
        put(out, records.subList(from, to));
      }
    }
  }

  static void put(OutputStream out, List<byte[]> records) throws IOException {
    for (byte[] record : records) {
      out.write(record);
    }
  }

  static Path part(Path directory, int number) {
    return new Path(directory, String.format("part-r-%05d", number));
  }

  List<LocatedBlock> blocks(Path file) throws IOException {
    return fs().getClient()
        .getLocatedBlocks(file.toUri().getPath(), 0, Long.MAX_VALUE)
        .getLocatedBlocks();
  }

  /** Stock's validator; where its jar does not run, the test that asks for it ends here. */
  Outcome stock(Path input) throws Exception {
    assumeTrue(STOCK_RUNS, "the examples jar needs FileSystem.openFile, which came with 3.3");
    Path report = new Path("/report-stock-" + runs++);
    String[] args = {input.toString(), report.toString()};
    int code = ToolRunner.run(conf(), new TeraValidate(), args);
    return new Outcome(code, lines(report), "", "");
  }

  /** Ours; the report directory is the last argument and is added here. */
  Outcome ours(String... args) throws Exception {
    return ours(conf(), args);
  }

  Outcome ours(Configuration jobConf, String... args) throws Exception {
    Path report = new Path("/report-ours-" + runs++);
    List<String> all = new ArrayList<>(Arrays.asList(args));
    all.add(report.toString());
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    BlockTeraValidate tool =
        new BlockTeraValidate(
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8));
    int code = ToolRunner.run(jobConf, tool, all.toArray(new String[0]));
    return new Outcome(
        code,
        lines(report),
        out.toString(StandardCharsets.UTF_8),
        err.toString(StandardCharsets.UTF_8));
  }

  private List<String> lines(Path report) throws IOException {
    Path file = new Path(report, "part-r-00000");
    if (!fs().exists(file)) {
      return List.of();
    }
    try (FSDataInputStream in = fs().open(file)) {
      return new String(in.readAllBytes(), StandardCharsets.ISO_8859_1).lines().toList();
    }
  }

  @Override
  public void close() {
    cluster.shutdown();
  }
}
