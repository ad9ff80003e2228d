package io.evenkeel.bench.tera;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.v2.hs.JobHistoryServer;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.nodemanager.NodeManager;
import org.apache.hadoop.yarn.server.resourcemanager.ResourceManager;

/** A ResourceManager, a NodeManager and a job history in this JVM. Confined to one thread. */
final class OneHostYarn implements AutoCloseable {
  private static final long START_LIMIT_NANOS = TimeUnit.SECONDS.toNanos(90);

  private static final String HISTORY = "mapreduce.jobhistory.address";

  private final Configuration conf;
  private final ResourceManager resourceManager = new ResourceManager();
  private final NodeManager nodeManager = new NodeManager();
  private final JobHistoryServer history = new JobHistoryServer();

  /** Starts it; {@code base} names the file system and what jobs are given. */
  OneHostYarn(Path dir, Configuration base) throws IOException, InterruptedException {
    DefaultMetricsSystem.setMiniClusterMode(true); // daemons of one JVM register the same names
    conf = new YarnConfiguration(base);
    conf.setBoolean("yarn.is.minicluster", true); // tasks get the class path of this JVM
    conf.set("mapreduce.framework.name", "yarn");
    for (String part : new String[] {"", "scheduler.", "resource-tracker.", "admin.", "webapp."}) {
      conf.set("yarn.resourcemanager." + part + "address", "localhost:0");
    }
    for (String part : new String[] {"", "localizer.", "webapp."}) {
      conf.set("yarn.nodemanager." + part + "address", "localhost:0");
    }
    for (String part : new String[] {"", "webapp.", "admin."}) {
      conf.set("mapreduce.jobhistory." + part + "address", "localhost:0");
    }
    conf.set("mapreduce.shuffle.port", "0");
    conf.set("hadoop.http.filter.initializers", "");
    conf.set("yarn.scheduler.capacity.root.queues", "default");
    conf.set("yarn.scheduler.capacity.root.default.capacity", "100");
    conf.set("yarn.scheduler.capacity.maximum-am-resource-percent", "1.0");
    conf.set("yarn.scheduler.minimum-allocation-mb", "128");
    conf.set("yarn.nodemanager.aux-services", "mapreduce_shuffle");
    conf.set(
        "yarn.nodemanager.aux-services.mapreduce_shuffle.class",
        "org.apache.hadoop.mapred.ShuffleHandler");
    conf.set(
        YarnConfiguration.NM_LOCAL_DIRS, Files.createDirectories(dir.resolve("local")).toString());
    conf.set(YarnConfiguration.NM_LOG_DIRS, Files.createDirectories(dir.resolve("log")).toString());
    start();
  }

  private void start() throws IOException, InterruptedException {
    resourceManager.init(conf);
    resourceManager.start();
    nodeManager.init(conf);
    nodeManager.start();
    history.init(conf);
    history.start();
    conf.set(HISTORY, history.getConfig().get(HISTORY)); // it keeps its port to itself
    long deadline = System.nanoTime() + START_LIMIT_NANOS;
    while (resourceManager.getResourceScheduler().getNumClusterNodes() < 1) {
      if (System.nanoTime() > deadline) {
        throw new IOException("the NodeManager did not register");
      }
      Thread.sleep(100);
    }
  }

  /** For clients; a copy. */
  Configuration conf() {
    return new Configuration(conf);
  }

  @Override
  public void close() {
    history.stop();
    nodeManager.stop();
    resourceManager.stop();
  }
}
