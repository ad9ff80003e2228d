package io.evenkeel.locking.dataset;

import io.evenkeel.locking.dataset.PendingDeletions.Deletion;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
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
 * left, or have room, it waits for one of the deletions. Thread-safe if the configured policy is.
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
    private final long limitMillis;
    private final Runnable whenChoosing;

    private Creation(Collection<Deletion> earlier, long limitMillis, Runnable whenChoosing) {
      this.earlier = earlier;
      this.limitMillis = limitMillis;
      this.whenChoosing = whenChoosing;
    }

    /** Where an earlier replica's files are being deleted. */
    private boolean avoids(FsVolumeSpi volume) {
      return earlier.stream().anyMatch(each -> each.isOn(volume));
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
   * @param earlier the deletions of earlier replicas of its block
   * @param limitMillis how long one of them is waited for at most
   * @param whenChoosing done before a volume is chosen, perhaps more than once
   */
  public static Creation begin(
      Collection<Deletion> earlier, long limitMillis, Runnable whenChoosing) {
    Creation creation = new Creation(earlier, limitMillis, whenChoosing);
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
      return configured.chooseVolume(freed(creation, volumes), replicaSize, storageId);
    }
    try {
      return configured.chooseVolume(free, replicaSize, storageId);
    } catch (DiskOutOfSpaceException e) {
      LOG.debug("No space but where an earlier replica is being deleted", e);
    }
    List<V> avoided = new ArrayList<>(volumes);
    avoided.removeAll(free);
    configured.chooseVolume(avoided, replicaSize, storageId); // not waited for where they are full
    return configured.chooseVolume(freed(creation, avoided), replicaSize, storageId);
  }

  /**
   * Waits until nothing is being deleted any more on one of them, and gives those. As for a full
   * disk where that takes too long: another storage type may do.
   */
  private List<V> freed(Creation creation, List<V> volumes) throws DiskOutOfSpaceException {
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(creation.limitMillis);
    while (true) {
      List<Deletion> left = new ArrayList<>(creation.earlier);
      left.removeIf(each -> each.hasEnded() || volumes.stream().noneMatch(each::isOn));
      List<V> free = new ArrayList<>(volumes);
      free.removeIf(volume -> left.stream().anyMatch(each -> each.isOn(volume)));
      if (!free.isEmpty()) {
        return free;
      }
      try {
        PendingDeletions.awaitOne(left, deadline - System.nanoTime());
      } catch (IOException e) {
        throw new DiskOutOfSpaceException(e.getMessage());
      }
    }
  }

  @Override
  public String toString() {
    return configured.toString();
  }
}
