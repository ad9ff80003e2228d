package io.evenkeel.bench.embedded;

import io.evenkeel.bench.runtime.Layout.Vm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.nodemanager.NodeManager;
import org.apache.hadoop.yarn.server.resourcemanager.ResourceManager;
import org.apache.hadoop.yarn.util.resource.ResourceUtils;

/**
 * A ResourceManager and one NodeManager per VM in this JVM. A NodeManager has its VM's name and
 * address; its containers, which are processes of their own, learn that address from the
 * environment variable {@code EVENKEEL_ADDRESS}. There is no way to stop it: an orderly stop of
 * each NodeManager can take seconds and the JVM ends with it. Stands apart from the demo as {@link
 * EmbeddedHdfs} does: what a cluster in this JVM needs, whatever runs on it. Confined to one
 * thread.
 */
public final class EmbeddedYarn {
  private final Configuration conf;
  private final ResourceManager resourceManager;

  /** Starts the cluster; {@code base} holds the settings shared with MapReduce clients. */
  public EmbeddedYarn(Path dir, HostPlan plan, Map<String, String> base)
      throws IOException, InterruptedException {
    DefaultMetricsSystem.setMiniClusterMode(true); // many daemons register the same names
    conf = configuration(base);
    resourceManager = new ResourceManager();
    resourceManager.init(conf);
    resourceManager.start();
    for (Vm vm : plan.vms()) {
      startNodeManager(vm, plan.address(vm), dir.resolve(vm.name()));
    }
    EmbeddedHdfs.awaitRegistered(
        "NodeManagers",
        plan.vms().size(),
        resourceManager.getResourceScheduler()::getNumClusterNodes);
  }

  /**
   * The configuration of all daemons. The least size of a container is kept for the life of a JVM:
   * without the reset it is the default's 1024 MB, whatever the settings say.
   */
  static Configuration configuration(Map<String, String> base) {
    Configuration conf = new YarnConfiguration();
    base.forEach(conf::set);
    ResourceUtils.resetResourceTypes(conf);
    return conf;
  }

  private void startNodeManager(Vm vm, String address, Path dir) throws IOException {
    Configuration own = new YarnConfiguration(conf);
    own.set(YarnConfiguration.NM_BIND_HOST, address);
    own.set(YarnConfiguration.NM_ADDRESS, vm.name() + ":0");
    own.set(YarnConfiguration.NM_LOCALIZER_ADDRESS, vm.name() + ":0");
    own.set(YarnConfiguration.NM_WEBAPP_ADDRESS, vm.name() + ":0");
    own.set(
        YarnConfiguration.NM_LOCAL_DIRS, Files.createDirectories(dir.resolve("local")).toString());
    own.set(YarnConfiguration.NM_LOG_DIRS, Files.createDirectories(dir.resolve("log")).toString());
    own.set(YarnConfiguration.NM_ADMIN_USER_ENV, "EVENKEEL_ADDRESS=" + address);
    NodeManager nodeManager = new NodeManager();
    nodeManager.init(own);
    nodeManager.start();
  }

  /** Addresses of the ResourceManager as jobs need them. */
  public Map<String, String> addresses() {
    Map<String, String> map = new LinkedHashMap<>();
    for (String key :
        List.of(
            YarnConfiguration.RM_ADDRESS,
            YarnConfiguration.RM_SCHEDULER_ADDRESS,
            YarnConfiguration.RM_WEBAPP_ADDRESS)) {
      map.put(key, conf.get(key));
    }
    return map;
  }
}
