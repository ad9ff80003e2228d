package io.evenkeel.bench.trial;

import io.evenkeel.terasort.BlockTeraValidate;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.examples.terasort.TeraGen;
import org.apache.hadoop.examples.terasort.TeraSort;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;

/**
 * The real TeraGen and TeraSort, validated block by block. Records straddle the blocks. Apart from
 * {@link Trial}, which loads one of them at a time: this Hadoop may lack what another needs.
 */
final class TeraSortScenario {
  private static final int RECORDS = 8000;

  private final ByteArrayOutputStream said = new ByteArrayOutputStream();
  private final Hdfs hdfs;

  private TeraSortScenario(Path dir) throws IOException {
    hdfs = new Hdfs(dir, 3, i -> "/r" + i, "DISK");
  }

  static Scenario in(Path dir) throws IOException {
    TeraSortScenario sort = new TeraSortScenario(dir);
    return new Scenario()
        .step("TeraSort's output is valid and complete, block by block", sort::sort)
        .step("two records exchanged are found", sort::exchange)
        .atEnd(sort.hdfs::close);
  }

  private void sort() throws Exception {
    hdfs.set("mapreduce.framework.name", "local");
    hdfs.set("mapreduce.job.maps", "2");
    hdfs.set("mapreduce.job.reduces", "1");
    hdfs.set("mapreduce.terasort.use.terascheduler", "false");
    hdfs.create();
    Check.that(run(new TeraGen(), String.valueOf(RECORDS), "/in") == 0, "TeraGen failed");
    Check.that(run(new TeraSort(), "/in", "/out") == 0, "TeraSort failed");
    FileStatus file = hdfs.fs().getFileStatus(Hdfs.path("/out/part-r-00000"));
    Check.that(file.getLen() == 100L * RECORDS, "bytes of the output: " + file.getLen());
    Check.that(hdfs.blocks("/out/part-r-00000").size() > 10, "it has few blocks");
    int code = validate("--expect", "/in", "/out", "/report");
    Check.that(code == 0, "validation ended with " + code + ": " + said);
    Check.that(hdfs.fs().exists(Hdfs.path("/report/part-r-00000")), "there is no report");
  }

  private void exchange() throws Exception {
    byte[] data = new byte[100 * RECORDS];
    try (DataInputStream in = hdfs.fs().open(Hdfs.path("/out/part-r-00000"))) {
      in.readFully(data);
    }
    int straddling = Hdfs.BLOCK / 100 * 100;
    try (OutputStream out = hdfs.fs().create(Hdfs.path("/bad/part-r-00000"))) {
      out.write(data, 0, straddling);
      out.write(data, straddling + 100, 100);
      out.write(data, straddling, 100);
      out.write(data, straddling + 200, data.length - straddling - 200);
    }
    int code = validate("/bad", "/bad-report");
    Check.that(code == 2, "validation ended with " + code + ": " + said);
  }

  private int validate(String... arguments) throws Exception {
    PrintStream print = new PrintStream(said, true, "UTF-8");
    return run(new BlockTeraValidate(print, print), arguments);
  }

  private int run(Tool tool, String... arguments) throws Exception {
    return ToolRunner.run(new Configuration(hdfs.conf()), tool, arguments);
  }
}
