package io.evenkeel.bench.gameday.cluster;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ha.HAServiceProtocol;
import org.apache.hadoop.ha.HAServiceProtocol.RequestSource;
import org.apache.hadoop.ha.HAServiceProtocol.StateChangeRequestInfo;
import org.apache.hadoop.hdfs.NameNodeProxies;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.tools.NNHAServiceTarget;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * Two NameNodes: makes one of them active, and tells both what a client tells the active one only.
 * Asks anew at each call. Apart from {@link GameCluster}, which knows the faults.
 */
final class NameNodes {
  private static final int TIMEOUT_MILLIS = 60_000; // as a failover controller's
  private static final StateChangeRequestInfo BY_USER =
      new StateChangeRequestInfo(RequestSource.REQUEST_BY_USER);

  private final ClusterView view;

  /** Something that a NameNode is told. */
  private interface Order<P> {
    void give(P nameNode) throws IOException;
  }

  NameNodes(ClusterView view) {
    this.view = view;
  }

  /** The other one of the two. */
  String other(String name) {
    return view.nameNodes().stream()
        .filter(each -> !each.equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("there is no NameNode but " + name));
  }

  /**
   * Makes the active one standby and the other one active.
   *
   * @throws IOException when that fails; then the former one is active again, if it can be
   */
  void failOver() throws IOException {
    String active = view.activeNameNode();
    change(active, nameNode -> nameNode.transitionToStandby(BY_USER));
    try {
      activate(other(active));
    } catch (IOException e) {
      try {
        activate(active);
      } catch (IOException again) {
        e.addSuppressed(again);
      }
      throw e;
    }
  }

  /** Makes one active; nothing when it is. */
  void activate(String name) throws IOException {
    change(name, nameNode -> nameNode.transitionToActive(BY_USER));
  }

  /**
   * Makes the first one active when none of two is.
   *
   * @throws IOException when none was, or both were
   */
  void requireActive() throws IOException {
    if (!view.hasTwoNameNodes()) {
      return;
    }
    long active =
        view.nameNodes().stream()
            .filter(name -> view.haState(name).equals(ClusterView.ACTIVE))
            .count();
    if (active == 0) {
      activate(view.nameNodes().get(0));
    }
    if (active != 1) {
      throw new IOException(active + " of two NameNodes were active");
    }
  }

  private void change(String name, Order<HAServiceProtocol> order) throws IOException {
    Configuration conf = conf();
    HAServiceProtocol nameNode =
        new NNHAServiceTarget(conf, view.rpc().getAuthority(), name).getProxy(conf, TIMEOUT_MILLIS);
    try {
      order.give(nameNode);
    } finally {
      RPC.stopProxy(nameNode);
    }
  }

  /** With it no connection is kept: its other end may be a process that was killed meanwhile. */
  private Configuration conf() {
    Configuration conf = view.client();
    conf.setInt("ipc.client.connection.maxidletime", 0);
    return conf;
  }

  /** Has each of two that runs read the hosts file. */
  void refreshNodes() throws IOException {
    Problems problems = new Problems();
    for (String name : view.nameNodes()) {
      if (view.running(name)) {
        problems.collect(() -> refreshNodes(name));
      }
    }
    problems.raise();
  }

  private void refreshNodes(String name) throws IOException {
    Configuration conf = conf();
    ClientProtocol nameNode =
        NameNodeProxies.createNonHAProxy(
                conf,
                NetUtils.createSocketAddr(conf.get(view.ofNameNode(name, "rpc-address"))),
                ClientProtocol.class,
                UserGroupInformation.getCurrentUser(),
                false)
            .getProxy();
    try {
      nameNode.refreshNodes();
    } finally {
      RPC.stopProxy(nameNode);
    }
  }
}
