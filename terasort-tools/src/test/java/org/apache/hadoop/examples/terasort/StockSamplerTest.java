package org.apache.hadoop.examples.terasort;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.terasort.core.skew.SkewForecast;
import io.evenkeel.terasort.core.skew.SplitPoints;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Our cuts, partitions and forecast against the real sampler and partitioner. */
class StockSamplerTest {
  @TempDir private Path dir;

  private static byte[][] keys(Random random, int count) {
    byte[][] keys = new byte[count][10];
    for (byte[] key : keys) {
      random.nextBytes(key);
    }
    return keys;
  }

  private static Text[] stockCut(byte[][] keys, int reducers) {
    TeraInputFormat.TextSampler sampler = new TeraInputFormat.TextSampler();
    for (byte[] key : keys) {
      Text text = new Text();
      text.set(key, 0, key.length);
      sampler.addKey(text);
    }
    return sampler.createPartitions(reducers);
  }

  private static byte[][] bytes(Text[] texts) {
    byte[][] bytes = new byte[texts.length][];
    for (int i = 0; i < texts.length; i++) {
      bytes[i] = texts[i].copyBytes();
    }
    return bytes;
  }

  @Test
  void cut_anySizes_isThatOfStock() {
    Random random = new Random(7);
    for (int round = 0; round < 50; round++) {
      byte[][] keys = keys(random, 1 + random.nextInt(3000));
      int reducers = 1 + random.nextInt(keys.length);
      SplitPoints ours = SplitPoints.cut(keys, reducers);
      byte[][] stock = bytes(stockCut(keys, reducers));
      // a split point begins its partition, so it tells where ours is
      assertThat(ours.reducers()).isEqualTo(stock.length + 1);
      for (int i = 0; i < stock.length; i++) {
        assertThat(ours.partition(stock[i])).isEqualTo(i + 1);
        assertThat(ours.partition(justBelow(stock[i]))).isEqualTo(i);
      }
    }
  }

  private static byte[] justBelow(byte[] key) {
    byte[] below = key.clone();
    for (int i = below.length - 1; i >= 0; i--) {
      if (below[i]-- != 0) {
        break;
      }
    }
    return below;
  }

  @Test
  void partition_anyKey_isThatOfStocksPartitioner() throws IOException {
    Random random = new Random(8);
    byte[][] keys = keys(random, 500);
    for (int i = 0; i < 100; i++) {
      keys[i] = keys[0]; // one frequent key: several equal split points
    }
    Text[] stock = stockCut(keys, 40);
    Path file = Path.of(TeraInputFormat.PARTITION_FILENAME);
    try {
      try (DataOutputStream out = new DataOutputStream(Files.newOutputStream(file))) {
        for (Text key : stock) {
          key.write(out);
        }
      }
      Configuration conf = new Configuration(false);
      conf.setInt("mapreduce.job.reduces", 40);
      TeraSort.TotalOrderPartitioner partitioner = new TeraSort.TotalOrderPartitioner();
      partitioner.setConf(conf);
      SplitPoints ours = SplitPoints.cut(keys, 40);
      byte[][] probes = keys(random, 5000);
      System.arraycopy(keys, 0, probes, 0, keys.length);
      for (byte[] probe : probes) {
        Text text = new Text();
        text.set(probe, 0, probe.length);
        assertThat(ours.partition(probe)).isEqualTo(partitioner.getPartition(text, text, 40));
      }
    } finally {
      Files.deleteIfExists(file);
    }
  }

  /** Partition files written by the real code, over files of random rows, many times. */
  @Tag("slow")
  @Test
  void forecast_realPartitionFiles_isExceededAsOftenAsItSays() throws Throwable {
    int reducers = 16;
    int samples = 1000;
    int runs = 60;
    double limit = new SkewForecast(reducers, 1L << 40).ratio(samples, 0.8);
    int kept = 0;
    for (int run = 0; run < runs; run++) {
      Path input = Files.createDirectories(dir.resolve("in" + run));
      write(input, new Random(1000 + run), 10, 150);
      kept += ratio(partitionFile(input, reducers, samples)) <= limit ? 1 : 0;
    }
    // 48 expected, sd 3.1
    assertThat(kept).isBetween(38, 58);
  }

  private static void write(Path input, Random random, int files, int rows) throws IOException {
    byte[] row = new byte[100];
    for (int file = 0; file < files; file++) {
      try (OutputStream out = Files.newOutputStream(input.resolve("part-m-0000" + file))) {
        for (int i = 0; i < rows; i++) {
          random.nextBytes(row);
          out.write(row);
        }
      }
    }
  }

  private byte[][] partitionFile(Path input, int reducers, int samples) throws Throwable {
    Configuration conf = new Configuration();
    conf.setInt("mapreduce.terasort.partitions.sample", samples);
    Job job = Job.getInstance(conf);
    job.setNumReduceTasks(reducers);
    FileInputFormat.setInputPaths(job, new org.apache.hadoop.fs.Path(input.toUri()));
    Path file = input.resolveSibling(input.getFileName() + ".lst");
    TeraInputFormat.writePartitionFile(job, new org.apache.hadoop.fs.Path(file.toUri()));
    byte[][] points = new byte[reducers - 1][];
    try (DataInputStream in = new DataInputStream(Files.newInputStream(file))) {
      for (int i = 0; i < points.length; i++) {
        Text text = new Text();
        text.readFields(in);
        points[i] = text.copyBytes();
      }
      assertThat(in.read()).isEqualTo(-1);
    }
    return points;
  }

  /** Largest / mean share of uniformly distributed keys. */
  private static double ratio(byte[][] points) {
    double before = 0;
    double largest = 0;
    for (byte[] point : points) {
      double at = 0;
      for (int i = 6; i >= 0; i--) {
        at = (at + (point[i] & 0xff)) / 256;
      }
      largest = Math.max(largest, at - before);
      before = at;
    }
    return Math.max(largest, 1 - before) * (points.length + 1);
  }
}
