package io.evenkeel.bench.gameday.cluster;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.conf.ReconfigurationTaskStatus;
import org.apache.hadoop.hdfs.DFSUtilClient;
import org.apache.hadoop.hdfs.protocol.ClientDatanodeProtocol;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * One DataNode that is told to read its configuration anew while it runs. Not thread-safe. Apart
 * from {@link GameCluster}, which knows no protocol of DataNodes.
 */
final class Reconfiguration implements AutoCloseable {
  private static final int TIMEOUT_MILLIS = 20_000;

  private final ClientDatanodeProtocol node;

  /**
   * Connects to a DataNode.
   *
   * @param client what a client of the cluster sets
   * @param address host and port of the DataNode's RPC
   */
  Reconfiguration(Configuration client, String address) throws IOException {
    Configuration conf = new Configuration(client);
    conf.setInt("ipc.client.rpc-timeout.ms", TIMEOUT_MILLIS);
    node =
        DFSUtilClient.createClientDatanodeProtocolProxy(
            NetUtils.createSocketAddr(address),
            UserGroupInformation.getCurrentUser(),
            conf,
            NetUtils.getDefaultSocketFactory(conf));
  }

  /** Begins; refused while one is under way. */
  void start() throws IOException {
    node.startReconfiguration();
  }

  /** Whether none is under way. */
  boolean ended() throws IOException {
    ReconfigurationTaskStatus status = node.getReconfigurationStatus();
    return !status.hasTask() || status.stopped();
  }

  /** What went wrong in the last one; empty when nothing did. */
  List<String> errors() throws IOException {
    List<String> errors = new ArrayList<>();
    ReconfigurationTaskStatus status = node.getReconfigurationStatus();
    // Null comes over the network where nothing had changed.
    if (status.hasTask() && status.stopped() && status.getStatus() != null) {
      status
          .getStatus()
          .forEach((change, error) -> error.ifPresent(e -> errors.add(change.prop + ": " + e)));
    }
    return errors;
  }

  @Override
  public void close() {
    RPC.stopProxy(node);
  }
}
