package io.evenkeel.locking.dataset;

import io.evenkeel.locking.dataset.PendingDeletions.Deletion;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.apache.hadoop.conf.Configurable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.RoundRobinVolumeChoosingPolicy;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.VolumeChoosingPolicy;
import org.apache.hadoop.util.DiskChecker.DiskOutOfSpaceException;
import org.apache.hadoop.util.ReflectionUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The configured policy, but a replica does not come to a volume where files of an earlier one of
 * its block are still being deleted, see {@link PendingDeletions}. Where only such volumes are
 * left, or have room, it refuses with an exception by which the caller can wait for one of the
 * deletions; it does not wait itself, for its caller has the block locked. Thread-safe if the
 * configured policy is.
 */
public final class AvoidingVolumeChoosingPolicy<V extends FsVolumeSpi>
    implements VolumeChoosingPolicy<V>, Configurable {
  /** Names the configured policy while this one stands in its place. */
  public static final String CONFIGURED = "io.evenkeel.locking.volume.choosing.policy";

  private static final Logger LOG = LoggerFactory.getLogger(AvoidingVolumeChoosingPolicy.class);
  private static final ThreadLocal<Creation> CURRENT = new ThreadLocal<>();

  private Configuration conf;
  private VolumeChoosingPolicy<V> configured;

  /** By Hadoop, which calls {@link #setConf} next. */
  public AvoidingVolumeChoosingPolicy() {}

  /** The creation of a replica by this thread, until it is closed. */
  public static final class Creation implements AutoCloseable {
    private final Collection<Deletion> earlier;
    private final Runnable whenChoosing;

    private Creation(Collection<Deletion> earlier, Runnable whenChoosing) {
      this.earlier = earlier;
      this.whenChoosing = whenChoosing;
    }

    /** Where an earlier replica's files are being deleted. */
    private boolean avoids(FsVolumeSpi volume) {
      return earlier.stream().anyMatch(each -> !each.hasEnded() && each.isOn(volume));
    }

    @Override
    public void close() {
      end();
    }
  }

  /** There is no volume, or none with room, but where earlier replicas are being deleted. */
  public static final class EarlierReplicaException extends DiskOutOfSpaceException {
    private static final long serialVersionUID = 1;

    private final transient List<Deletion> deletions;

    private EarlierReplicaException(Collection<Deletion> deletions) {
      super("An earlier replica is still being deleted: " + deletions);
      this.deletions = new ArrayList<>(deletions);
    }

    /**
     * Waits until one of them is gone. The caller has not locked the block.
     *
     * @throws EarlierReplicaException this, when that takes longer or the thread is interrupted
     */
    public void awaitOne(long nanos) throws EarlierReplicaException {
      try {
        PendingDeletions.awaitOne(deletions, nanos);
      } catch (IOException e) {
        addSuppressed(e);
        throw this;
      }
    }
  }

  /** This thread has created its replica. */
  public static void end() {
    CURRENT.remove();
  }

  /**
   * Until the answer is closed, or {@link #end}, this thread creates a replica.
   *
   * @param earlier the deletions of earlier replicas of its block
   * @param whenChoosing done before a volume is chosen, perhaps more than once
   */
  public static Creation begin(Collection<Deletion> earlier, Runnable whenChoosing) {
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
    if (creation.earlier.isEmpty()) {
      return configured.chooseVolume(volumes, replicaSize, storageId);
    }
    List<V> free = new ArrayList<>(volumes);
    free.removeIf(creation::avoids);
    if (free.size() == volumes.size()) {
      return configured.chooseVolume(volumes, replicaSize, storageId);
    }
    if (free.isEmpty()) {
      throw new EarlierReplicaException(creation.earlier);
    }
    try {
      return configured.chooseVolume(free, replicaSize, storageId);
    } catch (DiskOutOfSpaceException e) {
      LOG.debug("No space but where an earlier replica is being deleted", e);
    }
    List<V> avoided = new ArrayList<>(volumes);
    avoided.removeAll(free);
    configured.chooseVolume(avoided, replicaSize, storageId); // not waited for where they are full
    throw new EarlierReplicaException(creation.earlier);
  }

  @Override
  public String toString() {
    return configured.toString();
  }
}
