package io.evenkeel.bench.embedded;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSUtil;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.StoragePolicySatisfierMode;
import org.apache.hadoop.hdfs.server.balancer.NameNodeConnector;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants;
import org.apache.hadoop.hdfs.server.namenode.sps.StoragePolicySatisfier;
import org.apache.hadoop.hdfs.server.sps.ExternalSPSContext;

/**
 * The external storage policy satisfier in this JVM, made as its own main method makes it. This
 * class loads on a Hadoop that has none.
 */
public final class StockSatisfier implements AutoCloseable {
  /** Blocks for each DataNode before it sleeps; Hadoop's default is 1. */
  public static final String MULTIPLIER =
      "dfs.storage.policy.satisfier.work.multiplier.per.iteration";

  /** So many that it does not sleep. */
  public static final int TUNED = 1000;

  private final External external;

  private StockSatisfier(External external) {
    this.external = external;
  }

  /** Whether this Hadoop has one; 3.1 has none. */
  public static boolean exists() {
    try {
      Class.forName(
          "org.apache.hadoop.hdfs.server.sps.ExternalSPSContext",
          false,
          StockSatisfier.class.getClassLoader());
      return true;
    } catch (ClassNotFoundException e) {
      return false;
    }
  }

  /**
   * Starts it.
   *
   * @param multiplier blocks for each DataNode before it sleeps; Hadoop's default is 1
   */
  public static StockSatisfier start(Configuration conf, int multiplier) throws IOException {
    conf.setInt(MULTIPLIER, multiplier);
    return new StockSatisfier(new External(conf));
  }

  /** Ends it and gives up its lock on being the only mover. */
  @Override
  public void close() throws IOException {
    external.stop();
  }

  /** The only class that names the satisfier's, which must be there when it is loaded. */
  private static final class External {
    private final StoragePolicySatisfier satisfier;
    private final NameNodeConnector connector;

    External(Configuration conf) throws IOException {
      satisfier = new StoragePolicySatisfier(conf);
      connector =
          NameNodeConnector.newNameNodeConnectors(
                  DFSUtil.getInternalNsRpcUris(conf),
                  "ExternalStoragePolicySatisfier",
                  HdfsServerConstants.MOVER_ID_PATH,
                  conf,
                  NameNodeConnector.DEFAULT_MAX_IDLE_ITERATIONS)
              .get(0);
      satisfier.init(new ExternalSPSContext(satisfier, connector));
      satisfier.start(StoragePolicySatisfierMode.EXTERNAL);
    }

    void stop() throws IOException {
      satisfier.stopGracefully();
      connector.close();
    }
  }
}
