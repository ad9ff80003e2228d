package io.evenkeel.terasort.locality;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FetchHistoryTest {
  @TempDir private Path dir;

  @Test
  void fetch_idWithoutLeadingZeros_isTheJobThatHadoopFinds() throws Exception {
    Path done = Files.createDirectories(dir.resolve("done/2026/01/02/000000"));
    Files.writeString(done.resolve("job_1_0007-1-u-n-2-1-1-SUCCEEDED-q-3.jhist"), "history");
    Path copies = Files.createDirectory(dir.resolve("copies"));
    Configuration conf = new Configuration();
    conf.set("fs.defaultFS", "file:///");
    conf.set("mapreduce.jobhistory.done-dir", dir.resolve("done").toString());
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    PrintStream told = new PrintStream(err, true, StandardCharsets.UTF_8);
    int code = FetchHistory.fetch(conf, "job_1_7", copies.toString(), told);
    assertThat(err.toString(StandardCharsets.UTF_8)).isEmpty();
    assertThat(code).isZero();
    assertThat(copies.resolve(FetchHistory.HISTORY)).hasContent("history");
  }
}
