package io.evenkeel.placement.namenode;

import io.evenkeel.placement.core.ClusterView;
import io.evenkeel.placement.core.NodeState;
import io.evenkeel.placement.core.PlacementEngine;
import io.evenkeel.placement.core.PlacementRules;
import io.evenkeel.placement.core.Spread;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.DoubleSupplier;
import java.util.function.IntPredicate;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfoWithStorage;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.net.InnerNode;
import org.apache.hadoop.net.NetworkTopology;
import org.apache.hadoop.net.Node;
import org.apache.hadoop.net.NodeBase;

/**
 * The DataNodes of a topology at one moment, by number, with the engine that chooses among them.
 * Which DataNodes there are and where they stand does not change; what is known of each is looked
 * at again, by one thread at a time ({@link ClusterState} sees to that). Thread-safe.
 */
public final class ClusterIndex implements NodeState {
  private final HostIdentity hostIdentity;
  private final DatanodeDescriptor[] nodes;
  private final Map<Node, Integer> numbers = new HashMap<>();
  private final Stand[] stands;
  private final DataNodeVolumes[] volumes;
  private final NodeState[] ofType = new NodeState[StorageType.values().length];
  private final boolean typesApart;
  private final PlacementEngine engine;
  private final Set<String> unknownWeights;
  private volatile int leaves;
  private volatile Spread eligible;
  private int[] eligibleTypes; // what eligible was built of; used by refresh only

  /** What a DataNode's host and rack are told by. */
  private static final class Stand {
    private final String location;
    private final String address;
    private final String name;

    Stand(DatanodeDescriptor node) {
      location = node.getNetworkLocation();
      address = node.getIpAddr();
      name = node.getHostName();
    }

    boolean isOf(DatanodeDescriptor node) {
      return location.equals(node.getNetworkLocation())
          && Objects.equals(address, node.getIpAddr())
          && Objects.equals(name, node.getHostName());
    }
  }

  /** Of these DataNodes; {@code before} may be null. To be refreshed before use. */
  ClusterIndex(List<DatanodeDescriptor> found, PlacementConf conf, ClusterIndex before) {
    HostIdentity wanted = conf.hostIdentity();
    hostIdentity = wanted.holdFor(found) ? wanted : wanted.withoutHosts();
    List<ClusterView.Place> places = new ArrayList<>(found.size());
    found.forEach(
        n -> places.add(new ClusterView.Place(hostIdentity.rack(n), hostIdentity.host(n))));
    int[] order = ClusterView.order(places);
    nodes = new DatanodeDescriptor[order.length];
    stands = new Stand[order.length];
    volumes = new DataNodeVolumes[order.length];
    for (int i = 0; i < order.length; i++) {
      nodes[i] = found.get(order[i]);
      stands[i] = new Stand(nodes[i]);
      volumes[i] = new DataNodeVolumes(nodes[i], conf);
      numbers.put(nodes[i], i);
    }
    for (StorageType type : StorageType.values()) {
      ofType[type.ordinal()] = new OfType(type);
    }
    typesApart = conf.weighsTypesApart();
    engine = engine(ClusterView.of(places));
    unknownWeights = conf.unknownWeights(nodes);
    if (before != null && before.typesApart == typesApart) {
      keepLeads(before);
    }
  }

  private PlacementEngine engine(ClusterView view) {
    DoubleSupplier fraction = () -> ThreadLocalRandom.current().nextDouble();
    return typesApart
        ? PlacementEngine.ofEachType(view, fraction)
        : new PlacementEngine(view, fraction);
  }

  /** The DataNodes of a topology. */
  static List<DatanodeDescriptor> dataNodes(NetworkTopology topology) {
    List<DatanodeDescriptor> found = new ArrayList<>();
    collect(topology, NodeBase.ROOT, found);
    return found;
  }

  private static void collect(
      NetworkTopology topology, String path, List<DatanodeDescriptor> found) {
    List<Node> children = topology.getDatanodesInRack(path);
    for (Node child : children == null ? new ArrayList<Node>() : children) {
      if (child instanceof InnerNode) {
        collect(topology, NodeBase.getPath(child), found);
      } else if (child instanceof DatanodeDescriptor) {
        found.add((DatanodeDescriptor) child);
      }
    }
  }

  private void keepLeads(ClusterIndex before) {
    for (int i = 0; i < nodes.length; i++) {
      Integer there = before.numbers.get(nodes[i]);
      if (there != null && before.nodes[there] == nodes[i]) {
        engine.keep(i, before.engine, there);
      }
    }
  }

  /** Names in the operator's weights that belong to no DataNode. */
  Set<String> unknownWeights() {
    return unknownWeights;
  }

  /** A DataNode with an upgrade domain, which this policy does not know; null without any. */
  DatanodeDescriptor inUpgradeDomain() {
    for (DatanodeDescriptor node : nodes) {
      if (node.getUpgradeDomain() != null) {
        return node;
      }
    }
    return null;
  }

  /**
   * Looks at everything again: storage types, weights, room, service.
   *
   * @param leavesNow of the topology, DataNodes or not, counted before the DataNodes were found:
   *     what comes meanwhile is a change
   * @param largest bytes of the largest block that was asked for of late
   */
  void refresh(int leavesNow, long largest) {
    int[] now = new int[nodes.length];
    for (int i = 0; i < nodes.length; i++) {
      volumes[i].look(largest);
      now[i] = inService(i) ? volumes[i].typesWithRoom() : 0;
    }
    if (!Arrays.equals(now, eligibleTypes)) {
      ClusterView view = engine.view();
      Spread.Builder found = new Spread.Builder();
      for (int i = 0; i < nodes.length; i++) {
        if (now[i] != 0) {
          found.add(view.hostKey(view.hostOf(i)), view.rackKey(view.rackOf(i)), now[i]);
        }
      }
      eligible = found.build();
      eligibleTypes = now;
    }
    engine.refreshAll(this);
    leaves = leavesNow;
  }

  /** Whether it is one of exactly these DataNodes, each where it stands now. */
  boolean isOf(List<DatanodeDescriptor> found) {
    if (found.size() != nodes.length) {
      return false;
    }
    for (DatanodeDescriptor node : found) {
      Integer number = numbers.get(node);
      if (number == null || nodes[number] != node || !stands[number].isOf(node)) {
        return false;
      }
    }
    return true;
  }

  @Override
  public int scheduled(int node) {
    return nodes[node].getBlocksScheduled();
  }

  @Override
  public boolean inService(int node) {
    return nodes[node].isInService();
  }

  @Override
  public int types(int node) {
    return volumes[node].types();
  }

  @Override
  public int fullTypes(int node) {
    return volumes[node].fullTypes();
  }

  @Override
  public double weight(int node) {
    return volumes[node].weight();
  }

  @Override
  public NodeState of(int type) {
    return ofType[type];
  }

  /** What is known of one storage type of the DataNodes. */
  private final class OfType implements NodeState {
    private final StorageType type;

    OfType(StorageType type) {
      this.type = type;
    }

    private int bit() {
      return 1 << type.ordinal();
    }

    @Override
    public int scheduled(int node) {
      return nodes[node].getBlocksScheduled(type);
    }

    @Override
    public boolean inService(int node) {
      return (volumes[node].types() & bit()) != 0 && ClusterIndex.this.inService(node);
    }

    @Override
    public int types(int node) {
      return volumes[node].types() & bit();
    }

    @Override
    public int fullTypes(int node) {
      return volumes[node].fullTypes() & bit();
    }

    @Override
    public double weight(int node) {
      return (volumes[node].types() & bit()) == 0 ? 0 : volumes[node].weight(type);
    }
  }

  /** The greatest count of a DataNode in service over the mean, per unit of weight; 0 of none. */
  public double maxOverMean(IntUnaryOperator count) {
    double most = 0;
    double all = 0;
    double weights = 0;
    for (int i = 0; i < nodes.length; i++) {
      if (inService(i)) {
        int now = count.applyAsInt(i);
        most = Math.max(most, now / engine.weight(i));
        all += now;
        weights += engine.weight(i);
      }
    }
    return all == 0 ? 0 : most / (all / weights);
  }

  /** Number of a DataNode; -1 where it is not known, or stands elsewhere by now. */
  public int number(Node node) {
    Integer number = numbers.get(node);
    return number == null || !stands[number].isOf(nodes[number]) ? -1 : number;
  }

  /** The host of a DataNode that has no number; -1 where that of none with a number is the same. */
  int hostOf(DatanodeInfo node) {
    return engine.view().hostOf(hostIdentity.rack(node), hostIdentity.host(node));
  }

  /**
   * The number of another DataNode on the host of one that has none, or else in its rack; -1 where
   * there is none.
   *
   * @param free which may be given
   */
  int standIn(DatanodeInfo node, IntPredicate free) {
    ClusterView view = engine.view();
    int host = hostOf(node);
    int rack = host >= 0 ? view.rackOfHost(host) : view.rackOf(hostIdentity.rack(node));
    if (rack < 0) {
      return -1;
    }
    IntStream onHost =
        host < 0
            ? IntStream.empty()
            : IntStream.range(view.firstNodeOfHost(host), view.firstNodeOfHost(host + 1));
    IntStream inRack =
        IntStream.range(
            view.firstNodeOfHost(view.firstHostOfRack(rack)),
            view.firstNodeOfHost(view.firstHostOfRack(rack + 1)));
    return IntStream.concat(onHost, inRack).filter(free).findFirst().orElse(-1);
  }

  /** The DataNodes on the host, or in the rack, of {@code node}; empty when it is in neither. */
  public List<DatanodeDescriptor> near(Node node, boolean wholeRack) {
    ClusterView view = engine.view();
    int number = number(node);
    int rack =
        number >= 0
            ? view.rackOf(number)
            : view.rackOf(hostIdentity.rackOf(node.getNetworkLocation()));
    if (rack < 0) {
      return new ArrayList<>();
    }
    int host =
        number >= 0
            ? view.hostOf(number)
            : view.hostOf(view.rackKey(rack), node.getNetworkLocation());
    if (wholeRack) {
      return nodes(view.firstNodeOfRack(rack), view.endOfRack(rack));
    }
    return host < 0
        ? new ArrayList<>()
        : nodes(view.firstNodeOfHost(host), view.firstNodeOfHost(host + 1));
  }

  private List<DatanodeDescriptor> nodes(int from, int to) {
    return new ArrayList<>(Arrays.asList(nodes).subList(from, to));
  }

  /** The DataNode with this number. */
  public DatanodeDescriptor node(int number) {
    return nodes[number];
  }

  /** How many leaves the topology had, DataNodes or not, when last looked at. */
  int leaves() {
    return leaves;
  }

  /** How many DataNodes there are. */
  public int size() {
    return nodes.length;
  }

  /** Targets were chosen elsewhere, or ({@code more} false) are not used after all. */
  public void count(List<DatanodeStorageInfo> targets, boolean more) {
    for (DatanodeStorageInfo target : targets) {
      int number = number(target.getDatanodeDescriptor());
      int type = target.getStorageType().ordinal();
      if (number >= 0 && more) {
        engine.give(number, type);
      } else if (number >= 0) {
        engine.giveBack(number, type);
      }
    }
  }

  /** Whether every target is on a host of its own, without any of {@code chosen}. */
  public boolean onOtherHosts(List<DatanodeStorageInfo> chosen, DatanodeStorageInfo[] targets) {
    Set<String> hosts = new HashSet<>();
    chosen.forEach(c -> hosts.add(hostIdentity.host(c.getDatanodeDescriptor())));
    int before = hosts.size();
    for (DatanodeStorageInfo target : targets) {
      hosts.add(hostIdentity.host(target.getDatanodeDescriptor()));
    }
    return hosts.size() == before + targets.length;
  }

  /** Chooses among these DataNodes. */
  public PlacementEngine engine() {
    return engine;
  }

  /** What hosts and racks are. */
  public HostIdentity hostIdentity() {
    return hostIdentity;
  }

  /** The DataNodes that had no room for any of these storage types when last looked at. */
  public int[] withoutRoom(int typeBits) {
    return IntStream.range(0, nodes.length)
        .filter(i -> (volumes[i].typesWithRoom() & typeBits) == 0)
        .toArray();
  }

  /** Whether some DataNode had room for one of these storage types when last looked at. */
  public boolean haveRoom(int typeBits) {
    return Arrays.stream(volumes).anyMatch(each -> (each.typesWithRoom() & typeBits) != 0);
  }

  /** The hosts and racks that could take a replica when last looked at. */
  public Spread eligible() {
    return eligible;
  }

  /** The DataNodes, by number. */
  List<DatanodeDescriptor> all() {
    return Collections.unmodifiableList(Arrays.asList(nodes));
  }

  /** Replicas on all of them, as far as reported. */
  long replicas() {
    long replicas = 0;
    for (DatanodeDescriptor node : nodes) {
      replicas += node.numBlocks();
    }
    return replicas;
  }

  /**
   * Whether replicas of a block are on as many hosts and racks as they should be, as far as there
   * are any.
   *
   * @param replicas may be null
   * @param wanted replicas or units of the block in all
   * @param strict whether hosts that do not exist are asked for too
   */
  public Status status(DatanodeInfo[] replicas, PlacementRules rules, int wanted, boolean strict) {
    int hostsWanted = rules.hosts(wanted, hostIdentity.kind() == HostIdentity.Kind.NODE_GROUP);
    int racksWanted = rules.racks(wanted, hostIdentity.nodeGroupsInPath());
    Spread now = eligible;
    Spread.Found found = found(replicas == null ? new DatanodeInfo[0] : replicas);
    if (found.hosts() < hostsWanted) {
      found.rackLimit(rules.rackLimit(wanted + 1, engine.racksServing())); // one is added first
    }
    return new Status(
        now.missingHosts(found, hostsWanted, strict),
        now.missingRacks(found, racksWanted),
        now.racks(),
        found.hosts() + " host(s) in " + found.racks() + " rack(s)",
        now.undecided(found, strict ? 0 : hostsWanted, racksWanted));
  }

  /** Where replicas are; those that leave the cluster do not count, though fsck names them. */
  private Spread.Found found(DatanodeInfo[] replicas) {
    Spread.Found found = new Spread.Found();
    for (DatanodeInfo replica : replicas) {
      if (!replica.isDecommissionInProgress() && !replica.isDecommissioned()) {
        found.add(hostIdentity.host(replica), hostIdentity.rack(replica), types(replica));
      }
    }
    return found;
  }

  /** That of the replica, which fsck tells, or those of its DataNode. */
  private int types(DatanodeInfo replica) {
    if (replica instanceof DatanodeInfoWithStorage) {
      StorageType type = ((DatanodeInfoWithStorage) replica).getStorageType();
      if (type != null) {
        return 1 << type.ordinal();
      }
    }
    int number = number(replica);
    return number < 0 ? Spread.ANY_TYPE : volumes[number].typesOnDisk();
  }
}
