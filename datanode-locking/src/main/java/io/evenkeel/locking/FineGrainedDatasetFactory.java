package io.evenkeel.locking;

import io.evenkeel.common.config.ConfigException;
import io.evenkeel.common.config.Settings;
import io.evenkeel.common.plugin.Fit;
import io.evenkeel.common.plugin.PluginStart;
import io.evenkeel.common.plugin.PluginStatus.State;
import io.evenkeel.locking.core.LockEvents;
import io.evenkeel.locking.dataset.BlockLockManager;
import io.evenkeel.locking.dataset.IdempotentDirectories;
import io.evenkeel.locking.dataset.StockLockMetrics;
import java.io.IOException;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.DataStorage;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.FineGrainedDataset;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.FsDatasetFactory;
import org.apache.hadoop.util.VersionInfo;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes DataNodes lock their dataset by block, so that a disk that hangs or is slow stalls only the
 * blocks on it (HDFS-9668). Set as {@code dfs.datanode.fsdataset.factory}.
 *
 * <p>Stock's code does all I/O with its own file formats: the key can be set and taken away with
 * nothing but a restart. Where a class of stock is not as this jar knows it, or with {@code
 * evenkeel.locking.enabled=false}, stock's dataset is made instead, and one line says why.
 * Thread-safe.
 */
public final class FineGrainedDatasetFactory extends FsDatasetSpi.Factory<FsDatasetSpi<?>> {
  private static final Logger LOG = LoggerFactory.getLogger(FineGrainedDatasetFactory.class);

  private static final String STOCK = "the stock dataset is used";

  private final Fit hadoop;

  /** By Hadoop, for what is on the class path. */
  public FineGrainedDatasetFactory() {
    this(LockingKeys.MODULE.fit(VersionInfo.getVersion()));
  }

  FineGrainedDatasetFactory(Fit hadoop) {
    this.hadoop = hadoop;
  }

  /**
   * Makes the dataset of a DataNode.
   *
   * @throws ConfigException for a bad {@code evenkeel.locking.} key, naming value and range
   * @throws IllegalStateException where Hadoop's factory has a method that this jar lacks
   * @throws IOException as stock, when the volumes cannot be used
   */
  @Override
  public FsDatasetSpi<?> newInstance(DataNode datanode, DataStorage storage, Configuration conf)
      throws IOException {
    PluginStart start = read(conf);
    Settings settings = start.settings();
    if (!settings.get(LockingKeys.ENABLED)) {
      announce(start, State.FALLBACK, LockingKeys.ENABLED.name() + "=false; " + STOCK, LOG::info);
      return stock(datanode, storage, conf);
    }
    if (start.isReleaseRefused()) {
      announce(start, State.FALLBACK, start.refusal(STOCK), LOG::warn);
      return stock(datanode, storage, conf);
    }
    LockMonitor monitor;
    try {
      monitor = replaceParts(datanode, conf, settings);
    } catch (ReflectiveOperationException | LinkageError e) {
      String problem = "this Hadoop is not as expected: " + e;
      announce(start, State.FALLBACK, start.reason(problem, STOCK), LOG::warn);
      return stock(datanode, storage, conf);
    }
    long drainMillis = settings.get(LockingKeys.DRAIN_TIMEOUT).toMillis();
    FineGrainedDataset dataset = FineGrainedDataset.create(datanode, storage, conf, drainMillis);
    dataset.whenShutDown(monitor::close);
    monitor.start(dataset);
    announce(start, State.ACTIVE, start.reason(), LOG::info);
    return dataset;
  }

  /** Logs what is refused as well, because the DataNode reports it as an "unexpected exception". */
  private PluginStart read(Configuration conf) {
    try {
      hadoop.checkImplemented("dfs.datanode.fsdataset.factory");
      return LockingKeys.MODULE.startOrFail(hadoop, conf, conf::get, LOG::warn);
    } catch (ConfigException | IllegalStateException e) {
      LOG.error("This DataNode cannot start: {}", e.getMessage());
      throw e;
    }
  }

  private static void announce(
      PluginStart start, State state, String reason, Consumer<String> log) {
    Class<?> plugin = FineGrainedDatasetFactory.class;
    start.announce(plugin, state, reason, start.settings().inForce(), log);
  }

  private static LockMonitor replaceParts(DataNode datanode, Configuration conf, Settings settings)
      throws ReflectiveOperationException {
    StockParts parts = StockParts.find();
    boolean fair = conf.getBoolean("dfs.datanode.lock.fair", true);
    LockEvents stock = StockLockMetrics.of(datanode.getMetrics());
    LockMonitor monitor = new LockMonitor(settings, fair, stock);
    BlockLockManager locks = new BlockLockManager(monitor.operations());
    parts.replace(datanode, locks, new IdempotentDirectories(conf, datanode));
    return monitor;
  }

  private static FsDatasetSpi<?> stock(DataNode datanode, DataStorage storage, Configuration conf)
      throws IOException {
    FsDatasetSpi.Factory<?> factory = new FsDatasetFactory();
    return factory.newInstance(datanode, storage, conf);
  }
}
