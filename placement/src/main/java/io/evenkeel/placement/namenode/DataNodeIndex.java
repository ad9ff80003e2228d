package io.evenkeel.placement.namenode;

import io.evenkeel.placement.core.BlockRequest;
import io.evenkeel.placement.core.DataNodeStats;
import io.evenkeel.placement.core.EligibleHosts;
import io.evenkeel.placement.core.HostTopology;
import io.evenkeel.placement.core.PlacementEngine;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
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
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.EvenkeelPlacementBridge;
import org.apache.hadoop.net.Node;

/**
 * The DataNodes of a topology at one moment, by number, with the engine that chooses among them; it
 * translates what a NameNode asks for, in descriptors, into a {@link BlockRequest}. Which DataNodes
 * there are and where they stand does not change; what is known of each is looked at again, by one
 * thread at a time ({@link NameNodePlacement} sees to that). Thread-safe.
 */
public final class DataNodeIndex implements DataNodeStats {
  private final HostIdentity hostIdentity;
  private final IndexedDataNode[] nodes;
  private final Map<Node, Integer> numbers = new HashMap<>();
  private final DataNodeStats[] ofType = new DataNodeStats[StorageType.values().length];
  private final boolean typesApart;
  private final PlacementEngine engine;
  private final Set<String> unknownWeights;
  private volatile int leaves;
  private volatile EligibleHosts eligible;
  private int[] eligibleTypes; // what eligible was built of; used by refresh only

  /**
   * Of these DataNodes. To be refreshed before use.
   *
   * @param moved DataNodes on other hosts than when they registered, by their UUIDs
   * @param before may be null
   */
  DataNodeIndex(
      List<DatanodeDescriptor> found,
      PlacementConf conf,
      Map<String, HostIdentity.Move> moved,
      DataNodeIndex before) {
    HostIdentity wanted = conf.hostIdentity().with(moved);
    hostIdentity = wanted.holdFor(found) ? wanted : wanted.withoutHosts();
    List<HostTopology.Place> places = new ArrayList<>(found.size());
    found.forEach(node -> places.add(hostIdentity.place(node)));
    int[] order = HostTopology.order(places);
    nodes = new IndexedDataNode[order.length];
    for (int i = 0; i < order.length; i++) {
      nodes[i] = new IndexedDataNode(found.get(order[i]), conf);
      numbers.put(nodes[i].descriptor, i);
    }
    for (StorageType type : StorageType.values()) {
      ofType[type.ordinal()] = new OfType(type);
    }
    typesApart = conf.weighsTypesApart();
    engine = engine(HostTopology.of(places));
    unknownWeights = conf.unknownWeights(found);
    if (before != null && before.typesApart == typesApart) {
      keepLeads(before);
    }
  }

  private PlacementEngine engine(HostTopology topology) {
    DoubleSupplier fraction = () -> ThreadLocalRandom.current().nextDouble();
    return typesApart
        ? PlacementEngine.ofEachType(topology, this, fraction)
        : new PlacementEngine(topology, this, fraction);
  }

  private void keepLeads(DataNodeIndex before) {
    for (int i = 0; i < nodes.length; i++) {
      Integer there = before.numbers.get(nodes[i].descriptor);
      if (there != null && before.nodes[there].descriptor == nodes[i].descriptor) {
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
    for (IndexedDataNode node : nodes) {
      if (node.descriptor.getUpgradeDomain() != null) {
        return node.descriptor;
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
      nodes[i].look(largest);
      now[i] = inService(i) ? nodes[i].typesWithRoom : 0;
    }
    if (!Arrays.equals(now, eligibleTypes)) {
      HostTopology topology = engine.topology();
      EligibleHosts.Builder found = new EligibleHosts.Builder();
      for (int i = 0; i < nodes.length; i++) {
        if (now[i] != 0) {
          found.add(
              topology.hostKey(topology.hostOf(i)), topology.rackKey(topology.rackOf(i)), now[i]);
        }
      }
      eligible = found.build();
      eligibleTypes = now;
    }
    engine.refreshAll();
    leaves = leavesNow;
  }

  /** Whether it is one of exactly these DataNodes, each where it stands now. */
  boolean isOf(List<DatanodeDescriptor> found) {
    if (found.size() != nodes.length) {
      return false;
    }
    for (DatanodeDescriptor node : found) {
      Integer number = numbers.get(node);
      if (number == null || nodes[number].descriptor != node || !nodes[number].stands()) {
        return false;
      }
    }
    return true;
  }

  @Override
  public int scheduled(int node) {
    return nodes[node].descriptor.getBlocksScheduled();
  }

  @Override
  public boolean inService(int node) {
    return nodes[node].descriptor.isInService();
  }

  @Override
  public int types(int node) {
    return nodes[node].types;
  }

  @Override
  public int fullTypes(int node) {
    return nodes[node].fullTypes;
  }

  @Override
  public double weight(int node) {
    return nodes[node].weight;
  }

  @Override
  public DataNodeStats of(int type) {
    return ofType[type];
  }

  /** What is known of one storage type of the DataNodes. */
  private final class OfType implements DataNodeStats {
    private final StorageType type;

    OfType(StorageType type) {
      this.type = type;
    }

    private int bit() {
      return 1 << type.ordinal();
    }

    @Override
    public int scheduled(int node) {
      return nodes[node].descriptor.getBlocksScheduled(type);
    }

    @Override
    public boolean inService(int node) {
      return (nodes[node].types & bit()) != 0 && DataNodeIndex.this.inService(node);
    }

    @Override
    public int types(int node) {
      return nodes[node].types & bit();
    }

    @Override
    public int fullTypes(int node) {
      return nodes[node].fullTypes & bit();
    }

    @Override
    public double weight(int node) {
      return (nodes[node].types & bit()) == 0 ? 0 : nodes[node].weight(type);
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
    return number == null || !nodes[number].stands() ? -1 : number;
  }

  /** The host of a DataNode that has no number; -1 where that of none with a number is the same. */
  private int hostOf(DatanodeInfo node) {
    return engine.topology().hostOf(hostIdentity.rack(node), hostIdentity.host(node));
  }

  /**
   * The number of another DataNode on the host of one that has none, or else in its rack; -1 where
   * there is none.
   *
   * @param free which may be given
   */
  private int standIn(DatanodeInfo node, IntPredicate free) {
    HostTopology topology = engine.topology();
    int host = hostOf(node);
    int rack = host >= 0 ? topology.rackOfHost(host) : topology.rackOf(hostIdentity.rack(node));
    if (rack < 0) {
      return -1;
    }
    IntStream onHost =
        host < 0
            ? IntStream.empty()
            : IntStream.range(topology.firstNodeOfHost(host), topology.firstNodeOfHost(host + 1));
    IntStream inRack = IntStream.range(topology.firstNodeOfRack(rack), topology.endOfRack(rack));
    return IntStream.concat(onHost, inRack).filter(free).findFirst().orElse(-1);
  }

  /** The DataNodes on the host, or in the rack, of {@code node}; empty when it is in neither. */
  public List<DatanodeDescriptor> near(Node node, boolean wholeRack) {
    HostTopology topology = engine.topology();
    int number = number(node);
    int rack = number >= 0 ? topology.rackOf(number) : rackOf(node.getNetworkLocation());
    if (rack < 0) {
      return new ArrayList<>();
    }
    if (wholeRack) {
      return nodes(topology.firstNodeOfRack(rack), topology.endOfRack(rack));
    }
    if (number >= 0 && !hostIdentity.moves().isEmpty()) {
      // a host whose DataNodes registered in two racks
      return IntStream.range(0, nodes.length)
          .filter(other -> topology.sameHost(number, other))
          .mapToObj(this::node)
          .collect(Collectors.toList());
    }
    int host =
        number >= 0
            ? topology.hostOf(number)
            : topology.hostOf(topology.rackKey(rack), node.getNetworkLocation());
    return host < 0
        ? new ArrayList<>()
        : nodes(topology.firstNodeOfHost(host), topology.firstNodeOfHost(host + 1));
  }

  private int rackOf(String location) {
    return engine.topology().rackOf(hostIdentity.rackOf(location));
  }

  private List<DatanodeDescriptor> nodes(int from, int to) {
    List<DatanodeDescriptor> found = new ArrayList<>(to - from);
    for (int i = from; i < to; i++) {
      found.add(nodes[i].descriptor);
    }
    return found;
  }

  /** A request for more replicas beside {@code results}, not on {@code excluded}. */
  public BlockRequest request(
      int replicas, List<DatanodeStorageInfo> results, Collection<Node> excluded) {
    BlockRequest request = new BlockRequest(replicas);
    request.chosen(numbers(results));
    int[] out = new int[excluded.size()];
    int outs = 0;
    for (Node node : excluded) {
      int number = number(node);
      if (number >= 0) {
        out[outs++] = number;
      }
      occupiesHost(request, node, number);
    }
    return request.excluded(Arrays.copyOf(out, outs));
  }

  /**
   * Those of replicas. One whose DataNode is not in the index yet, or has moved since, is told by
   * another DataNode of its host or rack: neither may get too many.
   */
  private int[] numbers(List<DatanodeStorageInfo> replicas) {
    int[] found = new int[replicas.size()];
    int count = 0;
    List<DatanodeDescriptor> unknown = Collections.emptyList();
    for (DatanodeStorageInfo replica : replicas) {
      int number = number(replica.getDatanodeDescriptor());
      if (number >= 0) {
        found[count++] = number;
      } else {
        unknown = unknown.isEmpty() ? new ArrayList<>() : unknown;
        unknown.add(replica.getDatanodeDescriptor());
      }
    }
    for (DatanodeDescriptor node : unknown) {
      int[] known = Arrays.copyOf(found, count);
      int standIn = standIn(node, other -> Arrays.stream(known).noneMatch(n -> n == other));
      if (standIn >= 0) {
        found[count++] = standIn;
      }
    }
    return Arrays.copyOf(found, count);
  }

  /**
   * A replica in maintenance comes back: as long as there are other hosts its own is taken, also
   * while its DataNode is switched off, which the topology does not have then.
   */
  private void occupiesHost(BlockRequest request, Node node, int number) {
    if (node instanceof DatanodeDescriptor && ((DatanodeDescriptor) node).isMaintenance()) {
      int host = number >= 0 ? engine.topology().hostOf(number) : hostOf((DatanodeDescriptor) node);
      if (host >= 0) {
        request.maintenanceHost(host);
      }
    }
  }

  /**
   * Adds where the writer is.
   *
   * @param preferLocal whether the writer's own DataNode is wanted at all
   */
  public void addWriter(BlockRequest request, Node writer, boolean preferLocal) {
    if (writer == null) {
      return;
    }
    HostTopology topology = engine.topology();
    int number = number(writer);
    if (number >= 0) {
      addWriter(request, number, preferLocal);
      return;
    }
    String location = writer.getNetworkLocation();
    int rack = rackOf(location);
    int host = rack < 0 ? -1 : topology.hostOf(topology.rackKey(rack), location);
    if (host >= 0) {
      request.writtenOnHost(topology, host, true);
    } else if (rack >= 0) {
      request.writtenInRack(rack, true);
    }
  }

  private void addWriter(BlockRequest request, int number, boolean preferLocal) {
    HostTopology topology = engine.topology();
    int host = topology.hostOf(number);
    if (!preferLocal) {
      request.writtenInRack(topology.rackOf(number), false);
    } else if (hostIdentity.kind() == HostIdentity.Kind.NODE_GROUP
        || topology.firstNodeOfHost(host + 1) - topology.firstNodeOfHost(host) == 1) {
      request.writtenOn(topology, number);
    } else {
      // the NameNode knows the writer by its address only, which all DataNodes there share
      request.writtenOnHost(topology, host, false);
    }
  }

  /**
   * How many hosts a block has to be on before it may share one: those of its replicas and all that
   * could take one. Which storage types they have does not matter: a storage policy that fits none
   * of a host falls back to others, and that comes before a second replica on a host. A host that
   * is of no use all the same, as one whose DataNodes are excluded, costs a second attempt (see
   * {@link EvenkeelPlacementBridge#chooseTarget}) but no replica.
   */
  public int hostsToUse(BlockRequest request, List<DatanodeStorageInfo> results) {
    EligibleHosts now = eligible;
    if (results.isEmpty() || now.hosts() >= request.total()) {
      return now.hosts();
    }
    return now.hostsWith(hostsOf(results));
  }

  /**
   * Whether a block has to share hosts unless it uses full ones: its own and those with room for
   * one of these storage types are fewer than its replicas.
   */
  public boolean fewHosts(BlockRequest request, List<DatanodeStorageInfo> results, int typeBits) {
    return eligible.fewerHosts(hostsOf(results), typeBits, request.total());
  }

  private Set<String> hostsOf(List<DatanodeStorageInfo> replicas) {
    HostTopology topology = engine.topology();
    Set<String> hosts = new HashSet<>();
    for (int number : numbers(replicas)) {
      hosts.add(topology.hostKey(topology.hostOf(number)));
    }
    return hosts;
  }

  /** The DataNode with this number. */
  public DatanodeDescriptor node(int number) {
    return nodes[number].descriptor;
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
        .filter(i -> (nodes[i].typesWithRoom & typeBits) == 0)
        .toArray();
  }

  /** Whether some DataNode had room for one of these storage types when last looked at. */
  public boolean haveRoom(int typeBits) {
    return Arrays.stream(nodes).anyMatch(each -> (each.typesWithRoom & typeBits) != 0);
  }

  /** The hosts and racks that could take a replica when last looked at. */
  public EligibleHosts eligible() {
    return eligible;
  }

  /** The DataNodes, by number. */
  List<DatanodeDescriptor> all() {
    return nodes(0, nodes.length);
  }

  /** Replicas on all of them, as far as reported. */
  long replicas() {
    long replicas = 0;
    for (IndexedDataNode node : nodes) {
      replicas += node.descriptor.numBlocks();
    }
    return replicas;
  }

  /** Storage types of a DataNode on which a replica stays; all while none is known. */
  int typesOnDisk(DatanodeInfo node) {
    int number = number(node);
    return number < 0 ? EligibleHosts.ANY_TYPE : nodes[number].typesOnDisk;
  }

  /**
   * One DataNode: by what its host and rack were told, and what is known of its volumes as of the
   * last look. The first look may come before the first heartbeat, when there are no volumes yet;
   * then the DataNode counts as usable. Thread-safe: every field is one word, and fields of
   * different looks may be seen together.
   */
  private static final class IndexedDataNode {
    private static final int TYPES = StorageType.values().length;

    /** Blocks up to so many times the default size count, when room for the largest is asked. */
    private static final int LARGE = 8;

    final DatanodeDescriptor descriptor;
    private final String location;
    private final String address;
    private final String name;
    private final PlacementConf conf;

    /** Storage types, one bit per ordinal; all while none is known. */
    volatile int types = UNKNOWN_TYPES;

    /** See {@link PlacementConf#weight}. */
    volatile double weight = 1;

    /** Those of the types on which a replica stays; all while none is known. */
    volatile int typesOnDisk = UNKNOWN_TYPES;

    /**
     * Storage types of which a volume has room for the largest of the blocks that come, but for
     * memory; all while none is known. A host without must not be asked for: the blocks it should
     * have would wait for it for ever.
     */
    volatile int typesWithRoom = UNKNOWN_TYPES;

    /** Those of the types on which a replica stays whose volumes are full; none while unknown. */
    volatile int fullTypes;

    private volatile long[] remainingOfType = new long[TYPES]; // not written to once it is here

    IndexedDataNode(DatanodeDescriptor descriptor, PlacementConf conf) {
      this.descriptor = descriptor;
      this.conf = conf;
      location = descriptor.getNetworkLocation();
      address = descriptor.getIpAddr();
      name = descriptor.getHostName();
    }

    /** Whether it still stands where it was. */
    boolean stands() {
      return location.equals(descriptor.getNetworkLocation())
          && Objects.equals(address, descriptor.getIpAddr())
          && Objects.equals(name, descriptor.getHostName());
    }

    /**
     * Looks at the volumes.
     *
     * @param largest bytes of the largest block that was placed of late; 0 when none was. Counts up
     *     to eight times the default size, or one huge block would have all others placed as if
     *     there was no host for them
     */
    void look(long largest) {
      long wanted = Math.min(largest, LARGE * conf.blockSize());
      int found = 0;
      int volumes = 0;
      long capacity = 0;
      long remaining = 0;
      int onDisk = 0;
      int withRoom = 0;
      long[] ofType = new long[TYPES];
      int forLargest = 0;
      for (DatanodeStorageInfo storage : descriptor.getStorageInfos()) {
        if (EvenkeelPlacementBridge.isNormal(storage)) {
          StorageType type = storage.getStorageType();
          found |= 1 << type.ordinal();
          ofType[type.ordinal()] += EvenkeelPlacementBridge.remaining(storage);
          if (counts(type)) {
            volumes++;
            capacity += EvenkeelPlacementBridge.capacity(storage);
            remaining += EvenkeelPlacementBridge.remaining(storage);
            onDisk |= 1 << type.ordinal();
            long free = EvenkeelPlacementBridge.remaining(storage) - conf.keptFree();
            if (hasRoom(storage, free)) {
              withRoom |= 1 << type.ordinal();
              forLargest |= free >= wanted ? 1 << type.ordinal() : 0;
            }
          }
        }
      }
      boolean known = found != 0;
      types = known ? found : UNKNOWN_TYPES;
      weight = conf.weight(descriptor, volumes, capacity, remaining);
      remainingOfType = ofType;
      typesOnDisk = known ? onDisk : UNKNOWN_TYPES;
      typesWithRoom = known ? forLargest : UNKNOWN_TYPES;
      fullTypes = onDisk & ~withRoom;
    }

    /**
     * Whether a volume is not full: beside what its DataNode keeps free it has room for a block of
     * the default size or, where files use smaller ones, for a hundredth of what it holds. A full
     * volume keeps some megabytes for ever.
     */
    private boolean hasRoom(DatanodeStorageInfo storage, long free) {
      return free > 0
          && (free >= conf.blockSize() || free >= EvenkeelPlacementBridge.capacity(storage) / 100);
    }

    /** Memory and storage outside HDFS are no disks that share the work. */
    private static boolean counts(StorageType type) {
      return !type.isTransient() && !"PROVIDED".equals(type.name());
    }

    /** The weight of one storage type alone, when each has its own. */
    double weight(StorageType type) {
      return conf.weight(descriptor, 1, 0, remainingOfType[type.ordinal()]);
    }
  }
}
