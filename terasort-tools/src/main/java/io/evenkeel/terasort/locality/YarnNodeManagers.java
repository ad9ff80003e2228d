package io.evenkeel.terasort.locality;

import java.io.IOException;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.MRConfig;
import org.apache.hadoop.yarn.api.records.NodeReport;
import org.apache.hadoop.yarn.api.records.NodeState;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/**
 * Asks the ResourceManager. Apart from {@link SiblingSplits}, which tests give something else to
 * ask. Stateless and thread-safe.
 */
public final class YarnNodeManagers implements NodeManagers {
  private static final long RETRY_MILLIS = 500;

  @Override
  public Set<String> hosts(Configuration conf, long timeoutMillis) throws Exception {
    String framework = conf.get(MRConfig.FRAMEWORK_NAME, MRConfig.LOCAL_FRAMEWORK_NAME);
    if (!framework.equals(MRConfig.YARN_FRAMEWORK_NAME)) {
      return null;
    }
    // the client of YARN tries for a quarter of an hour by default, so the wait is cut from outside
    FutureTask<Set<String>> question = new FutureTask<>(() -> ask(impatient(conf, timeoutMillis)));
    Thread thread = new Thread(question, "evenkeel-node-managers");
    thread.setDaemon(true);
    thread.setContextClassLoader(Thread.currentThread().getContextClassLoader());
    thread.start();
    try {
      return question.get(timeoutMillis, TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      throw new IOException(
          "the ResourceManager did not answer within " + timeoutMillis + " ms", e);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof Exception ? (Exception) e.getCause() : e;
    } finally {
      question.cancel(true);
    }
  }

  private static Configuration impatient(Configuration conf, long timeoutMillis) {
    Configuration own = new YarnConfiguration(conf);
    own.setLong(YarnConfiguration.RESOURCEMANAGER_CONNECT_MAX_WAIT_MS, timeoutMillis);
    own.setLong(YarnConfiguration.RESOURCEMANAGER_CONNECT_RETRY_INTERVAL_MS, RETRY_MILLIS);
    return own;
  }

  private static Set<String> ask(Configuration conf) throws Exception {
    try (YarnClient yarn = YarnClient.createYarnClient()) {
      yarn.init(conf);
      yarn.start();
      Set<String> hosts = new TreeSet<>();
      for (NodeReport node : yarn.getNodeReports(NodeState.RUNNING)) {
        hosts.add(node.getNodeId().getHost());
      }
      return hosts;
    }
  }
}
