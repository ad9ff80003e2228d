package io.evenkeel.smoke;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.Random;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.io.IOUtils;
import org.apache.hadoop.util.VersionInfo;

/** What the smoke tests share. Java 8, and only what Hadoop 2.7 has too. */
final class Smoke {
  static final int BLOCK = 64 * 1024;

  private Smoke() {}

  /** Small blocks and short intervals, in a directory of its own. */
  static Configuration conf(String name) throws IOException {
    Path base = Files.createDirectories(Paths.get(System.getProperty("smoke.data")));
    Path own = Files.createTempDirectory(base.toAbsolutePath(), name);
    Configuration conf = new HdfsConfiguration();
    conf.set(MiniDFSCluster.HDFS_MINIDFS_BASEDIR, own.resolve("dfs").toString());
    conf.set("hadoop.tmp.dir", own.resolve("tmp").toString());
    conf.setInt("dfs.blocksize", BLOCK);
    conf.setInt("dfs.namenode.fs-limits.min-block-size", 512);
    conf.setInt("dfs.heartbeat.interval", 1);
    conf.set("dfs.datanode.data.dir.perm", "755");
    return conf;
  }

  /**
   * That this is the Java and the Hadoop the run is about, and that the plugin says it is active.
   */
  static void assertActive(String module, String className) throws Exception {
    assertThat(System.getProperty("java.specification.version"))
        .isEqualTo(System.getProperty("smoke.java"));
    assertThat(VersionInfo.getVersion()).isEqualTo(System.getProperty("smoke.hadoop"));
    MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
    String simpleName = className.substring(className.lastIndexOf('.') + 1);
    ObjectName name =
        new ObjectName("io.evenkeel:type=Plugin,module=" + module + ",class=" + simpleName);
    assertThat(beans.getAttribute(name, "PluginClass")).isEqualTo(className);
    assertThat(beans.getAttribute(name, "State"))
        .as(String.valueOf(beans.getAttribute(name, "Reason")))
        .isEqualTo("active");
    assertThat(beans.getAttribute(name, "HadoopVersion")).isEqualTo(VersionInfo.getVersion());
  }

  static org.apache.hadoop.fs.Path path(String name) {
    return new org.apache.hadoop.fs.Path(name);
  }

  static void write(FileSystem fs, String name, int bytes, int replication) throws IOException {
    try (OutputStream out = fs.create(path(name), (short) replication)) {
      out.write(content(name, bytes));
    }
  }

  static void assertReads(FileSystem fs, String name, int bytes) throws IOException {
    byte[] read = new byte[bytes];
    try (InputStream in = fs.open(path(name))) {
      IOUtils.readFully(in, read, 0, bytes);
      assertThat(in.read()).isEqualTo(-1);
    }
    assertThat(read).isEqualTo(content(name, bytes));
  }

  private static byte[] content(String name, int bytes) {
    byte[] data = new byte[bytes];
    new Random(name.hashCode()).nextBytes(data);
    return data;
  }
}
