package io.evenkeel.bench.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.common.jmx.JmxClient;
import io.evenkeel.common.testing.Await;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;

/**
 * A cluster of real processes that get one module's jar and keys, and lose them again: the jar last
 * on the class path, as HADOOP_CLASSPATH does. For one test.
 */
final class PluginCluster implements AutoCloseable {
  static final int BLOCK = 1 << 20;

  private final String module;
  private final Map<String, String> keys;
  private final Path parent;
  private final Path dir;
  private final Cluster cluster;

  /**
   * Prepares a directory.
   *
   * @param module the folder of the module, for example volume-policy
   * @param keys what an operator sets in hdfs-site.xml
   */
  PluginCluster(String module, Map<String, String> keys) throws IOException {
    this.module = module;
    this.keys = keys;
    parent = Files.createTempDirectory(Path.of("target").toAbsolutePath(), "plugin-it");
    dir = parent.resolve("c");
    cluster = Cluster.in(dir);
  }

  /** Starts two DataNodes on one host, as yet without the jar; files have two replicas. */
  void startTwo(String hadoop, List<String> conf) {
    cluster.start(
        new ClusterRequest()
            .layout(1, 2, 1)
            .hadoop(hadoop)
            .plugins(false)
            .replication(2)
            .conf(conf)
            .timeout(Duration.ofMinutes(4)),
        line -> {});
  }

  Cluster cluster() {
    return cluster;
  }

  /** Starts these processes anew with the jar and the keys. */
  void add(String... nodes) throws IOException {
    Path jar = jar();
    for (String node : nodes) {
      cluster.kill(node);
      edit(node, "java.args", "harness\"\n", "harness:" + jar + "\"\n");
      edit(node, "conf/hdfs-site.xml", "</configuration>", properties(keys) + "</configuration>");
      cluster.revive(node);
    }
  }

  /**
   * Starts a process anew with more than the cluster gives it.
   *
   * @param option of the JVM
   * @param more keys for its hdfs-site.xml
   */
  void extend(String node, String option, Map<String, String> more) throws IOException {
    cluster.kill(node);
    edit(node, "java.args", "\"-cp\"\n", "\"" + option + "\"\n\"-cp\"\n");
    edit(node, "conf/hdfs-site.xml", "</configuration>", properties(more) + "</configuration>");
    cluster.revive(node);
  }

  /** Changes a key in the file of a process, which reads it when it is told to. */
  void set(String node, String key, String value) throws IOException {
    String property = properties(Map.of(key, value));
    String file = "conf/hdfs-site.xml";
    String text = text(node, file);
    String any = "<property><name>" + key + "</name><value>[^<]*</value></property>";
    String without = text.replaceAll(any.replace(".", "[.]"), "");
    edit(node, file, text, without.replace("</configuration>", property + "</configuration>"));
  }

  /** Starts these processes anew without the jar and the keys. */
  void remove(String... nodes) throws IOException {
    for (String node : nodes) {
      cluster.kill(node);
      edit(node, "java.args", ":" + jar() + "\"\n", "\"\n");
      edit(node, "conf/hdfs-site.xml", properties(keys), "");
      cluster.revive(node);
    }
  }

  private static String properties(Map<String, String> some) {
    StringBuilder text = new StringBuilder();
    some.forEach(
        (key, value) ->
            text.append(
                "<property><name>" + key + "</name><value>" + value + "</value></property>"));
    return text.toString();
  }

  private void edit(String node, String name, String from, String to) throws IOException {
    String text = text(node, name);
    assertThat(text).contains(from);
    Path next = Files.createTempFile(dir, "next", name.substring(name.lastIndexOf('.')));
    Files.writeString(next, text.replace(from, to));
    Files.move(next, file(node, name), StandardCopyOption.ATOMIC_MOVE); // others may read it now
  }

  private String text(String node, String name) throws IOException {
    return Files.readString(file(node, name));
  }

  private Path file(String node, String name) {
    return dir.resolve("nodes").resolve(node).resolve(name);
  }

  /** What a process was started with. */
  Configuration conf(String node) {
    Configuration conf = new Configuration();
    for (String name : new String[] {"core-site.xml", "hdfs-site.xml"}) {
      conf.addResource(new org.apache.hadoop.fs.Path(file(node, "conf/" + name).toUri()));
    }
    return conf;
  }

  /** The jar of the module as an operator gets it. */
  Path jar() throws IOException {
    Path target = Path.of("..", "..", module, "target").toAbsolutePath().normalize();
    try (Stream<Path> files = Files.list(target)) {
      return files
          .filter(f -> f.getFileName().toString().matches("evenkeel-" + module + "-.*\\.jar"))
          .filter(f -> !f.toString().matches(".*-(sources|javadoc|tests)\\.jar"))
          .findFirst()
          .orElseThrow(() -> new IOException("no jar in " + target + "; run mvnw package"));
    }
  }

  /** State of a plugin in one process: "" without it, "down" without a web server. */
  String state(String node, String bean) {
    try {
      Map<String, Object> found = jmx(node).bean(bean);
      return found.isEmpty() ? "" : found.get("State").toString();
    } catch (IOException e) {
      return "down";
    }
  }

  /** The beans of one process. */
  JmxClient jmx(String node) {
    Configuration conf = new Configuration(false);
    conf.addResource(
        new org.apache.hadoop.fs.Path(
            dir.resolve("nodes").resolve(node).resolve("conf/hdfs-site.xml").toUri()));
    String key = node.equals("nn") ? "dfs.namenode.http-address" : "dfs.datanode.http.address";
    return new JmxClient(URI.create("http://" + conf.get(key)), 10_000);
  }

  /** A client with the files the cluster gives to clients. */
  FileSystem client() throws IOException {
    return client(dir, URI.create(cluster.status().rpc()));
  }

  /**
   * The same for the cluster in {@code dir}. Calls of one JVM share their connections, and a test
   * may be given one to the NameNode that listened on this port before: the first call then fails
   * and is made again.
   */
  static FileSystem client(Path dir, URI nameNode) throws IOException {
    Configuration conf = new Configuration();
    for (String file : new String[] {"core-site.xml", "hdfs-site.xml"}) {
      conf.addResource(new org.apache.hadoop.fs.Path(dir.resolve("conf/" + file).toUri()));
    }
    conf.setBoolean("dfs.client.retry.policy.enabled", true);
    conf.set("dfs.client.retry.policy.spec", "200,10");
    return FileSystem.newInstance(nameNode, conf);
  }

  /** Writes blocks of random bytes and returns these; {@code pauseMillis} after each block. */
  byte[] write(String name, int replication, int blocks, long pauseMillis) throws IOException {
    byte[] data = new byte[blocks * BLOCK];
    new Random(name.hashCode()).nextBytes(data);
    try (FileSystem fs = client();
        var out =
            fs.create(
                new org.apache.hadoop.fs.Path(name), true, 4096, (short) replication, BLOCK)) {
      for (int i = 0; i < blocks; i++) {
        out.write(data, i * BLOCK, BLOCK);
        out.hflush();
        Await.pause(pauseMillis);
      }
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
    return data;
  }

  byte[] read(String name) throws IOException {
    try (FileSystem fs = client();
        var in = fs.open(new org.apache.hadoop.fs.Path(name))) {
      return in.readAllBytes();
    }
  }

  @Override
  public void close() throws IOException {
    if (Files.exists(dir)) {
      cluster.stop();
    }
    Files.deleteIfExists(parent);
  }
}
