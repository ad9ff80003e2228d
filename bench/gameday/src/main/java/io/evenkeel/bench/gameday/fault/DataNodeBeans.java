package io.evenkeel.bench.gameday.fault;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.WeakHashMap;
import java.util.concurrent.atomic.AtomicReference;
import javax.management.JMException;
import javax.management.ObjectName;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.LocalReplicaInPipeline;
import org.apache.hadoop.hdfs.server.datanode.Replica;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.FsVolumeImpl;

/**
 * What of a DataNode's inside is in its {@code /jmx}, besides what Hadoop tells there. Two beans,
 * because counting replicas takes a lock of the dataset, which can be long in coming while a disk
 * hangs. Thread-safe.
 */
public final class DataNodeBeans {
  /** The bean of disks and threads; answers whatever the disks do. */
  public static final String DISKS = "io.evenkeel.bench:type=Disks";

  /** The bean of replicas; takes a lock of the dataset. */
  public static final String REPLICAS = "io.evenkeel.bench:type=Replicas";

  private static final List<String> WITH_DETAILS =
      List.of("DataXceiver for client", "FsVolumeImplWorker");

  private final DataNode dataNode;
  private final FaultyDisks disks;
  private final Set<FsVolumeImpl> seen =
      Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));
  private volatile long version = -1;
  private volatile String problem = "";

  /** Disks and threads. */
  public interface DisksMXBean {
    /** Version of the control file that is in force; -1 before the DataNode has registered. */
    long getVersion();

    /** What is wrong with the control file or with the hook; empty when nothing is. */
    String getProblem();

    /** Operations that hang or are delayed now. */
    int getWaiting();

    /** Operations that met an order since the process began. */
    long getMet();

    /** Bytes of memory locked for cached blocks and for replicas on RAM_DISK. */
    long getLockedMemory();

    /** The DataNode's volumes, and removed ones that something still refers to. */
    List<VolumeState> getVolumes();

    /** Live threads by kind: DataXceiver for client, PacketResponder, Async disk worker... */
    Map<String, Integer> getThreads();
  }

  /** Replicas. */
  public interface ReplicasMXBean {
    /** Number of replicas by storage id, a space and the state, such as {@code DS-1 RBW}. */
    Map<String, Integer> getCounts();

    /** Number of replicas by storage id whose writer's thread is alive. */
    Map<String, Integer> getWriters();
  }

  private final class Disks implements DisksMXBean {
    @Override
    public long getVersion() {
      return version;
    }

    @Override
    public String getProblem() {
      return problem;
    }

    @Override
    public int getWaiting() {
      return disks.waiting();
    }

    @Override
    public long getMet() {
      return disks.met();
    }

    @Override
    public long getLockedMemory() {
      FsDatasetSpi<?> dataset = dataNode.getFSDataset();
      return dataset == null ? 0 : dataset.getCacheUsed();
    }

    @Override
    public List<VolumeState> getVolumes() {
      List<FsVolumeImpl> present = volumes();
      List<VolumeState> states = new ArrayList<>();
      present.forEach(volume -> states.add(new VolumeState(volume, false)));
      for (FsVolumeImpl volume : List.copyOf(seen)) {
        if (!present.contains(volume) && volume.getReferenceCount() > 0) {
          states.add(new VolumeState(volume, true));
        }
      }
      return states;
    }

    @Override
    public Map<String, Integer> getThreads() {
      ThreadMXBean threads = ManagementFactory.getThreadMXBean();
      Map<String, Integer> counts = new TreeMap<>();
      for (ThreadInfo info : threads.getThreadInfo(threads.getAllThreadIds())) {
        if (info != null) { // it may have ended meanwhile
          counts.merge(kind(info.getThreadName()), 1, Integer::sum);
        }
      }
      return counts;
    }
  }

  private final class Replicas implements ReplicasMXBean {
    @Override
    public Map<String, Integer> getCounts() {
      Map<String, Integer> counts = new TreeMap<>();
      try {
        for (ReplicaLine replica : replicas()) {
          counts.merge(replica.storage() + " " + replica.state(), 1, Integer::sum);
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      return counts;
    }

    @Override
    public Map<String, Integer> getWriters() {
      Map<String, Integer> counts = new TreeMap<>();
      try {
        for (String pool : pools()) {
          for (Replica replica : dataNode.getFSDataset().deepCopyReplica(pool)) {
            if (replica instanceof LocalReplicaInPipeline && isWritten(replica)) {
              counts.merge(replica.getStorageUuid(), 1, Integer::sum);
            }
          }
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      return counts;
    }
  }

  private static boolean isWritten(Replica replica) throws IOException {
    try {
      Field field = LocalReplicaInPipeline.class.getDeclaredField("writer");
      field.setAccessible(true);
      Thread writer = (Thread) ((AtomicReference<?>) field.get(replica)).get();
      return writer != null && writer.isAlive();
    } catch (ReflectiveOperationException e) {
      throw new IOException("a replica does not tell its writer", e);
    }
  }

  DataNodeBeans(DataNode dataNode, FaultyDisks disks) {
    this.dataNode = dataNode;
    this.disks = disks;
  }

  void register() throws JMException {
    ManagementFactory.getPlatformMBeanServer().registerMBean(new Disks(), new ObjectName(DISKS));
    ManagementFactory.getPlatformMBeanServer()
        .registerMBean(new Replicas(), new ObjectName(REPLICAS));
  }

  /** Tells what is in force. */
  void inForce(long newVersion, String newProblem) {
    problem = newProblem;
    version = newVersion;
  }

  /** The volumes the DataNode has now, each of which is remembered while something refers to it. */
  List<FsVolumeImpl> volumes() {
    FsDatasetSpi<?> dataset = dataNode.getFSDataset();
    List<FsVolumeImpl> present = dataset == null ? List.of() : dataset.getVolumeList();
    seen.addAll(present);
    return present;
  }

  /** All replicas of the replica map; takes a lock of the dataset. */
  List<ReplicaLine> replicas() throws IOException {
    List<ReplicaLine> lines = new ArrayList<>();
    for (String pool : pools()) {
      for (Replica replica : dataNode.getFSDataset().deepCopyReplica(pool)) {
        lines.add(
            new ReplicaLine(
                pool,
                replica.getBlockId(),
                replica.getGenerationStamp(),
                replica.getNumBytes(),
                replica.getState().name(),
                replica.getStorageUuid()));
      }
    }
    return lines;
  }

  private Set<String> pools() {
    Set<String> pools = new TreeSet<>();
    volumes().forEach(volume -> pools.addAll(List.of(volume.getBlockPoolList())));
    return pools;
  }

  /** A thread's name without what tells it from its like. */
  static String kind(String thread) {
    return WITH_DETAILS.stream()
        .filter(thread::startsWith)
        .findFirst()
        .orElseGet(() -> thread.replaceFirst("[-@#:(\\[/ ]*([@#:(\\[/]|\\d).*", ""));
  }
}
