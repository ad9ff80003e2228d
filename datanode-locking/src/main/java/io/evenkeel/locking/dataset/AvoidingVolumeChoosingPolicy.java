package io.evenkeel.locking.dataset;

import io.evenkeel.locking.dataset.PendingDeletions.Deletion;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configurable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.RoundRobinVolumeChoosingPolicy;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.VolumeChoosingPolicy;
import org.apache.hadoop.util.DiskChecker.DiskOutOfSpaceException;
import org.apache.hadoop.util.ReflectionUtils;

/**
 * The configured policy, but a replica does not come to a volume where files of an earlier one of
 * its block are still being deleted, see {@link PendingDeletions}. Where only such volumes are
 * left, or have room, it refuses as for full disks. Thread-safe if the configured policy is.
 */
public final class AvoidingVolumeChoosingPolicy<V extends FsVolumeSpi>
    implements VolumeChoosingPolicy<V>, Configurable {
  /** Names the configured policy while this one stands in its place. */
  public static final String CONFIGURED = "io.evenkeel.locking.volume.choosing.policy";

  private static final ThreadLocal<Creation> CURRENT = new ThreadLocal<>();

  private Configuration conf;
  private VolumeChoosingPolicy<V> configured;

  /** By Hadoop, which calls {@link #setConf} next. */
  public AvoidingVolumeChoosingPolicy() {}

  /** The creation of a replica by this thread, until it is closed. */
  public static final class Creation implements AutoCloseable {
    private final Supplier<Collection<Deletion>> earlier;
    private final Runnable whenChoosing;

    private Creation(Supplier<Collection<Deletion>> earlier, Runnable whenChoosing) {
      this.earlier = earlier;
      this.whenChoosing = whenChoosing;
    }

    @Override
    public void close() {
      end();
    }
  }

  /** This thread has created its replica. */
  public static void end() {
    CURRENT.remove();
  }

  /**
   * Until the answer is closed, or {@link #end}, this thread creates a replica.
   *
   * @param earlier the deletions of earlier replicas of its block at that time
   * @param whenChoosing done before a volume is chosen, perhaps more than once
   */
  public static Creation begin(Supplier<Collection<Deletion>> earlier, Runnable whenChoosing) {
    Creation creation = new Creation(earlier, whenChoosing);
    CURRENT.set(creation); // also instead of what was begun before and has failed
    return creation;
  }

  @Override
  @SuppressWarnings("unchecked")
  public void setConf(Configuration given) {
    conf = given;
    configured =
        ReflectionUtils.newInstance(
            given.getClass(
                CONFIGURED, RoundRobinVolumeChoosingPolicy.class, VolumeChoosingPolicy.class),
            given);
  }

  @Override
  public Configuration getConf() {
    return conf;
  }

  @Override
  public V chooseVolume(List<V> volumes, long replicaSize, String storageId) throws IOException {
    Creation creation = CURRENT.get();
    if (creation == null) {
      return configured.chooseVolume(volumes, replicaSize, storageId);
    }
    creation.whenChoosing.run();
    Collection<Deletion> earlier = creation.earlier.get();
    if (earlier.isEmpty()) {
      return configured.chooseVolume(volumes, replicaSize, storageId);
    }
    List<V> free = new ArrayList<>(volumes);
    free.removeIf(
        volume -> earlier.stream().anyMatch(each -> !each.hasEnded() && each.isOn(volume)));
    if (free.isEmpty() && !volumes.isEmpty()) {
      throw new DiskOutOfSpaceException("Earlier replicas are being deleted: " + earlier);
    }
    return configured.chooseVolume(free, replicaSize, storageId);
  }

  @Override
  public String toString() {
    return configured.toString();
  }
}
