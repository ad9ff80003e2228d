package io.evenkeel.bench.cluster;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;

/** The NameNode of a second namespace, in this JVM, for the DataNodes of a {@link Cluster}. */
final class SecondPool implements AutoCloseable {
  private final MiniDFSCluster nameNode;

  /**
   * Formats and starts it.
   *
   * @param conf keys and values as the first NameNode's
   */
  SecondPool(Path dir, String clusterId, List<String> conf) throws IOException {
    Configuration own = new HdfsConfiguration();
    own.set(MiniDFSCluster.HDFS_MINIDFS_BASEDIR, dir.toString());
    own.set("dfs.namenode.datanode.registration.ip-hostname-check", "false");
    own.set("dfs.namenode.safemode.extension", "0");
    own.set("dfs.heartbeat.interval", "1");
    own.set("dfs.namenode.heartbeat.recheck-interval", "2000");
    for (String each : conf) {
      own.set(each.substring(0, each.indexOf('=')), each.substring(each.indexOf('=') + 1));
    }
    nameNode =
        new MiniDFSCluster.Builder(own).numDataNodes(0).format(true).clusterId(clusterId).build();
  }

  /** What a DataNode needs to serve this namespace and another one. */
  Map<String, String> keys(String other) {
    return Map.of(
        "dfs.nameservices",
        "one,two",
        "dfs.namenode.rpc-address.one",
        other,
        "dfs.namenode.rpc-address.two",
        "localhost:" + nameNode.getNameNodePort());
  }

  DistributedFileSystem client() throws IOException {
    Configuration conf = new Configuration(nameNode.getConfiguration(0));
    return (DistributedFileSystem) DistributedFileSystem.newInstance(nameNode.getURI(0), conf);
  }

  URI web() {
    return URI.create(nameNode.getHttpUri(0));
  }

  /** DataNodes whose heartbeats arrive. */
  int live() {
    return nameNode.getNamesystem(0).getNumLiveDataNodes();
  }

  @Override
  public void close() {
    nameNode.shutdown();
  }
}
