package io.evenkeel.mover.hdfs;

import io.evenkeel.common.jmx.JmxClient;
import io.evenkeel.common.json.Json;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSUtil;
import org.apache.hadoop.hdfs.DFSUtilClient;
import org.apache.hadoop.hdfs.HAUtilClient;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the live DataNodes say they run, from the NameNode's web page: no report by RPC has it. A
 * page that cannot be read is no reason not to move. Apart from {@link HdfsConnection}, which
 * speaks RPC only. Stateless.
 */
public final class DataNodeVersions {
  private static final Logger LOG = LoggerFactory.getLogger(DataNodeVersions.class);
  private static final int TIMEOUT_MILLIS = 2000;

  private DataNodeVersions() {}

  /**
   * Warns of DataNodes of a line of which no release was read. Waits for each NameNode 2 seconds to
   * connect and 2 for the answer to begin, 8 for all of it.
   *
   * @param cluster a NameNode or a nameservice
   * @param known whether a version is of one that was
   */
  public static void warn(Configuration conf, URI cluster, Predicate<String> known) {
    Map<Object, Object> nodes = new HashMap<>();
    String failure = null;
    try {
      for (InetSocketAddress nameNode : nameNodes(conf, cluster)) {
        try {
          nodes.putAll(liveNodes(conf, nameNode));
        } catch (IOException | RuntimeException e) {
          failure = HdfsErrors.firstLine(e);
        }
      }
    } catch (RuntimeException e) {
      failure = HdfsErrors.firstLine(e);
    }
    String warning = warning(nodes, known);
    if (warning != null) {
      LOG.warn(warning);
    }
    if (nodes.isEmpty() && failure != null) {
      LOG.info("It is not known what the DataNodes run: {}", failure);
    }
  }

  /**
   * All of a nameservice: a standby knows the DataNodes as well, perhaps not all yet, and which one
   * is active is not asked, since that waits for those that hang.
   */
  private static Collection<InetSocketAddress> nameNodes(Configuration conf, URI cluster) {
    if (!HAUtilClient.isLogicalUri(conf, cluster)) {
      return Collections.singleton(DFSUtilClient.getNNAddress(cluster));
    }
    return DFSUtilClient.getHaNnRpcAddresses(conf)
        .getOrDefault(cluster.getHost(), Collections.emptyMap())
        .values();
  }

  private static Map<?, ?> liveNodes(Configuration conf, InetSocketAddress nameNode)
      throws IOException {
    // resolved, which it is not where clients resolve late: else its web address is not found
    InetSocketAddress resolved =
        new InetSocketAddress(nameNode.getHostString(), nameNode.getPort());
    URI page = DFSUtil.getInfoServer(resolved, conf, DFSUtil.getHttpClientScheme(conf));
    Object nodes =
        new JmxClient(page, TIMEOUT_MILLIS)
            .bean("Hadoop:service=NameNode,name=NameNodeInfo")
            .get("LiveNodes");
    return nodes == null ? Collections.emptyMap() : (Map<?, ?>) Json.parse(nodes.toString());
  }

  /** What is to be said of the NameNode's {@code LiveNodes}; null for nothing. */
  static String warning(Map<?, ?> liveNodes, Predicate<String> known) {
    Map<String, Integer> versions = new TreeMap<>();
    for (Object node : liveNodes.values()) {
      versions.merge(String.valueOf(((Map<?, ?>) node).get("version")), 1, Integer::sum);
    }
    versions.keySet().removeIf(known);
    return versions.isEmpty()
        ? null
        : "DataNodes run a Hadoop of which no release was read (version and number): "
            + versions
            + "; moves to and from them may fail";
  }
}
