package io.evenkeel.bench.tera;

import io.evenkeel.bench.embedded.EmbeddedHdfs;
import io.evenkeel.bench.embedded.EmbeddedSettings;
import io.evenkeel.bench.embedded.HostPlan;
import io.evenkeel.bench.runtime.Layout.Vm;
import io.evenkeel.bench.runtime.Trees;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * A real HDFS with one DataNode a host, all in one rack, and sorted partitions in it. Each host has
 * a loopback address of its own, and clients that connect from it. Confined to one thread.
 */
final class TeraCluster implements AutoCloseable {
  private static final int RECORD = 100;

  private final java.nio.file.Path dir;
  private final HostPlan plan;
  private final EmbeddedHdfs hdfs;

  /** Starts it, with files of this block size and number of replicas. */
  TeraCluster(HostPlan plan, long blockSize, int replication)
      throws IOException, InterruptedException {
    this(plan, blockSize, replication, Map.of());
  }

  /** The same with more settings of HDFS. */
  TeraCluster(HostPlan plan, long blockSize, int replication, Map<String, String> more)
      throws IOException, InterruptedException {
    this.plan = plan;
    this.dir = Files.createTempDirectory("terasort");
    Map<String, String> settings = new HashMap<>(more);
    settings.put("dfs.blocksize", String.valueOf(blockSize));
    settings.put("dfs.namenode.fs-limits.min-block-size", "1024");
    settings.put("dfs.replication", String.valueOf(replication));
    settings.put(
        "net.topology.node.switch.mapping.impl", "org.apache.hadoop.net.ScriptBasedMapping");
    hdfs = Trees.orDelete(dir, () -> new EmbeddedHdfs(dir, plan, List.of("DISK"), settings));
  }

  HostPlan plan() {
    return plan;
  }

  /**
   * Configuration of clients on a host. They share connections with each other only: Hadoop keeps
   * connections to DataNodes by context, else those of another host would be used.
   */
  Configuration clientOn(Vm host) {
    Configuration conf = hdfs.clientConf();
    if (plan.ownAddresses()) {
      EmbeddedSettings.boundTo(plan.address(host)).forEach(conf::set);
      conf.set("dfs.client.context", host.name());
    }
    conf.setBoolean("fs.hdfs.impl.disable.cache", true);
    // Blocks stand for larger ones, so what is too small for a task is scaled with them.
    conf.set("evenkeel.terasort.split.least-bytes", "1m");
    return conf;
  }

  /** Configuration of clients, wherever they are; a copy. */
  Configuration conf() {
    return hdfs.clientConf();
  }

  FileSystem fileSystem() throws IOException {
    return hdfs.fileSystem();
  }

  /**
   * Writes partition {@code number} of {@code bytes} bytes from a host, as a reducer there does.
   */
  void write(Path directory, int number, long bytes, Vm host) throws IOException {
    Configuration conf = clientOn(host);
    URI uri = FileSystem.getDefaultUri(conf);
    byte[] value = new byte[RECORD - Long.BYTES];
    new Random(number).nextBytes(value);
    Path path = new Path(directory, String.format("part-r-%05d", number));
    try (FileSystem fs = FileSystem.newInstance(uri, conf);
        OutputStream out = new BufferedOutputStream(fs.create(path, false), 1 << 16)) {
      ByteBuffer key = ByteBuffer.allocate(Long.BYTES);
      for (long i = 0; i < bytes / RECORD; i++) {
        key.putLong(0, ((long) number << 40) + i);
        out.write(key.array());
        out.write(value);
      }
    }
  }

  @Override
  public void close() throws IOException {
    hdfs.close();
    Trees.delete(dir);
  }
}
