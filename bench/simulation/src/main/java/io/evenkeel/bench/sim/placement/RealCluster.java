package io.evenkeel.bench.sim.placement;

import io.evenkeel.bench.sim.placement.Shape.Place;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.AddBlockFlag;
import org.apache.hadoop.hdfs.net.DFSNetworkTopology;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicy;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockStoragePolicySuite;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.NameNodeCalls;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorage;
import org.apache.hadoop.hdfs.server.protocol.StorageReport;
import org.apache.hadoop.net.NetworkTopology;
import org.apache.hadoop.net.Node;

/**
 * One NameNode's view of a cluster: topology, descriptors with storages, counts of scheduled blocks
 * and a policy. {@link #choose} is as thread-safe as the policy; the rest is kept under a lock.
 */
public final class RealCluster {
  static final long BLOCK = 128L << 20;
  private static final long VOLUME = 8L << 40;

  private final Candidate candidate;
  private final NetworkTopology topology;
  private final ClusterLoad load = new ClusterLoad();
  private final NameNodeCalls nameNode = new NameNodeCalls();
  private final List<DatanodeDescriptor> dataNodes = new ArrayList<>();
  private final List<Place> places = new ArrayList<>();
  private final Map<DatanodeDescriptor, Integer> indexes = new IdentityHashMap<>();
  private final BlockStoragePolicy storagePolicy;
  private final BlockPlacementPolicy policy;

  /**
   * Builds it with the first DataNodes.
   *
   * @throws ClassNotFoundException when the policy is not on the class path
   */
  public RealCluster(Candidate candidate, List<Place> first, String storagePolicy)
      throws ClassNotFoundException {
    this.candidate = candidate;
    Configuration conf = candidate.conf();
    topology =
        candidate.dfsTopology()
            ? DFSNetworkTopology.getInstance(conf)
            : NetworkTopology.getInstance(conf);
    first.forEach(this::join);
    String weights = weights(first);
    if (!weights.isEmpty()) {
      conf.set("evenkeel.placement.weights", weights);
    }
    this.storagePolicy = BlockStoragePolicySuite.createDefaultSuite().getPolicy(storagePolicy);
    policy =
        nameNode.policy(
            Class.forName(candidate.className()).asSubclass(BlockPlacementPolicy.class),
            conf,
            load,
            topology);
  }

  /** Those that are not the number of disks, as an operator gives them to our policy. */
  private String weights(List<Place> places) {
    return places.stream()
        .filter(place -> place.weight() != place.disks())
        .map(place -> candidate.id(place).getHostName() + "=" + place.weight())
        .collect(Collectors.joining(","));
  }

  /** A DataNode registers and sends its first heartbeat. */
  void join(Place place) {
    DatanodeDescriptor dataNode = new DatanodeDescriptor(candidate.id(place), location(place));
    if (candidate.usesUpgradeDomains()) {
      dataNode.setUpgradeDomain("host" + place.host());
    }
    dataNodes.add(dataNode);
    places.add(place);
    indexes.put(dataNode, place.index());
    NameNodeCalls.heartbeat(dataNode, reports(place, dataNode, 0), 0);
    nameNode.register(dataNode);
    topology.add(dataNode);
    load.dataNodes = dataNodes.size();
  }

  /** A DataNode goes for a moment, as when it registers again. */
  public void registersAgain(int index) {
    topology.remove(dataNodes.get(index));
    topology.add(dataNodes.get(index));
  }

  /** Where a DataNode registers. */
  public String location(Place place) {
    return candidate.location(place);
  }

  private static StorageReport[] reports(Place place, DatanodeDescriptor dataNode, long blocks) {
    int volumes = place.disks() + (place.ssd() ? 1 : 0);
    StorageReport[] reports = new StorageReport[volumes];
    StorageType main = place.archive() ? StorageType.ARCHIVE : StorageType.DISK;
    long used = blocks * BLOCK / place.disks();
    for (int v = 0; v < volumes; v++) {
      StorageType type = v < place.disks() ? main : StorageType.SSD;
      DatanodeStorage storage =
          new DatanodeStorage(
              dataNode.getDatanodeUuid() + "-" + v, DatanodeStorage.State.NORMAL, type);
      long here = type == main ? used : 0;
      reports[v] = new StorageReport(storage, false, VOLUME, here, VOLUME - here, here, 0);
    }
    return reports;
  }

  /** Asks the policy for the DataNodes of a new block. */
  public DatanodeStorageInfo[] choose(Node writer, int replicas, Set<Node> excluded) {
    return policy.chooseTarget(
        "/file",
        replicas,
        writer,
        new ArrayList<>(replicas),
        false,
        excluded == null ? null : new HashSet<>(excluded),
        BLOCK,
        storagePolicy,
        EnumSet.noneOf(AddBlockFlag.class));
  }

  /** The NameNode has promised these for a block. */
  public synchronized void scheduled(DatanodeStorageInfo[] storages) {
    NameNodeCalls.scheduled(storages);
  }

  /** The DataNodes have reported the block. */
  public synchronized void received(DatanodeStorageInfo[] storages) {
    NameNodeCalls.received(storages);
  }

  /** Every DataNode reports its transfers and its replicas, both by index. */
  void heartbeats(int[] transfers, long[] replicas) {
    long sum = 0;
    for (int i = 0; i < dataNodes.size(); i++) {
      DatanodeDescriptor dataNode = dataNodes.get(i);
      StorageReport[] reports = reports(places.get(i), dataNode, replicas[i]);
      NameNodeCalls.heartbeat(dataNode, reports, transfers[i]);
      sum += transfers[i];
    }
    load.total = sum;
  }

  /** A DataNode by its index. */
  public DatanodeDescriptor dataNode(int index) {
    return dataNodes.get(index);
  }

  /** How many DataNodes there are. */
  public int size() {
    return dataNodes.size();
  }

  /** The index of a DataNode of this cluster; stays right when its location was overwritten. */
  int index(DatanodeStorageInfo storage) {
    return indexes.get(storage.getDatanodeDescriptor());
  }

  /** The indexes of several DataNodes. */
  public int[] indexes(DatanodeStorageInfo[] storages) {
    int[] found = new int[storages.length];
    for (int i = 0; i < found.length; i++) {
      found[i] = index(storages[i]);
    }
    return found;
  }

  /** Scheduled blocks as the NameNode counts them, by index. */
  public int blocksScheduled(int index) {
    return dataNodes.get(index).getBlocksScheduled();
  }

  /** The policy itself. */
  public BlockPlacementPolicy policy() {
    return policy;
  }
}
