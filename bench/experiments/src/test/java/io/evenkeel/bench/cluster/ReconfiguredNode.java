package io.evenkeel.bench.cluster;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.conf.ReconfigurationTaskStatus;
import org.apache.hadoop.hdfs.DFSUtilClient;
import org.apache.hadoop.hdfs.client.BlockReportOptions;
import org.apache.hadoop.hdfs.protocol.ClientDatanodeProtocol;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.UserGroupInformation;

/** A DataNode process whose volumes are removed and come back while it runs. */
final class ReconfiguredNode {
  private static final String DIRS = "dfs.datanode.data.dir";

  private final PluginCluster plugin;
  private final String name;
  private final List<String> types;

  /**
   * Describes a node.
   *
   * @param types the storage type of each of its volumes
   */
  ReconfiguredNode(PluginCluster plugin, String name, List<String> types) {
    this.plugin = plugin;
    this.name = name;
    this.types = types;
  }

  String name() {
    return name;
  }

  int volumes() {
    return types.size();
  }

  /** The key of the volumes without one of them; {@code -1} for all. */
  String directories(int without) {
    return String.join(
        ",",
        IntStream.range(0, types.size())
            .filter(i -> i != without)
            .mapToObj(i -> "[" + types.get(i) + "]" + path(i).toUri())
            .toList());
  }

  private Path path(int volume) {
    return plugin.cluster().directory().resolve("nodes/" + name + "/volume" + volume);
  }

  List<Path> paths() {
    return IntStream.range(0, types.size()).mapToObj(this::path).toList();
  }

  Path log() {
    return plugin.cluster().directory().resolve("nodes/" + name + "/" + name + ".log");
  }

  /** Tells it to do without a volume, or to use all again with {@code -1}; returns at once. */
  void use(int without) throws IOException {
    plugin.set(name, DIRS, directories(without));
    call(ClientDatanodeProtocol::startReconfiguration);
  }

  /** What is wrong with the last change; an empty text when it is done, null while it goes on. */
  String changed() throws IOException {
    String[] result = new String[1];
    call(
        node -> {
          ReconfigurationTaskStatus status = node.getReconfigurationStatus();
          if (status.hasTask() && status.stopped()) {
            StringBuilder errors = new StringBuilder();
            status.getStatus().forEach((change, error) -> error.ifPresent(errors::append));
            result[0] = errors.toString();
          }
        });
    return result[0];
  }

  /** Orders a full block report to all NameNodes. */
  void reportAll() throws IOException {
    BlockReportOptions full = new BlockReportOptions.Factory().setIncremental(false).build();
    call(node -> node.triggerBlockReport(full));
  }

  private interface Call {
    void on(ClientDatanodeProtocol node) throws IOException;
  }

  private void call(Call call) throws IOException {
    Configuration conf = plugin.conf(name);
    ClientDatanodeProtocol node =
        DFSUtilClient.createClientDatanodeProtocolProxy(
            NetUtils.createSocketAddr(conf.get("dfs.datanode.ipc.address")),
            UserGroupInformation.getCurrentUser(),
            conf,
            NetUtils.getDefaultSocketFactory(conf));
    try {
      call.on(node);
    } finally {
      RPC.stopProxy(node);
    }
  }
}
