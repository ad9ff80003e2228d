package io.evenkeel.bench.gameday.fault;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.RoundRobinVolumeChoosingPolicy;

/**
 * Stock's choice of a volume, with a delay before each one of the lazy writer: a schedule names it
 * in its {@code conf} to have replicas in memory deleted meanwhile. Thread-safe.
 *
 * <p>Apart from {@link FaultyDisks}: a choice is no operation on a file.
 */
public final class SlowVolumeChoice<V extends FsVolumeSpi>
    extends RoundRobinVolumeChoosingPolicy<V> {
  /** Milliseconds before each choice; none by default. */
  static final String MILLIS = "gameday.slow-volume-choice.millis";

  private static final String LAZY_WRITER = "LazyWriter"; // its class is the thread's name

  private volatile long millis;

  @Override
  public void setConf(Configuration conf) {
    super.setConf(conf);
    if (conf != null) {
      millis = conf.getLong(MILLIS, 0);
    }
  }

  @Override
  public V chooseVolume(List<V> volumes, long replicaSize, String storageId) throws IOException {
    if (Thread.currentThread().getName().contains(LAZY_WRITER)) {
      try {
        TimeUnit.MILLISECONDS.sleep(millis);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
    return super.chooseVolume(volumes, replicaSize, storageId);
  }
}
