package io.evenkeel.placement;

import io.evenkeel.common.config.ConfigException;
import io.evenkeel.placement.config.PlacementKeys;
import io.evenkeel.placement.core.BlockRequest;
import io.evenkeel.placement.core.BlockTargets;
import io.evenkeel.placement.core.PlacementRules;
import io.evenkeel.placement.core.TargetChecks;
import io.evenkeel.placement.core.TargetChecks.NotChosenReason;
import io.evenkeel.placement.namenode.BlockPlacementStatusWithHosts;
import io.evenkeel.placement.namenode.DataNodeIndex;
import io.evenkeel.placement.namenode.ExcessReplicas;
import io.evenkeel.placement.namenode.HostIdentity;
import io.evenkeel.placement.namenode.NameNodePlacement;
import io.evenkeel.placement.namenode.PlacementConf;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.AddBlockFlag;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicy;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementStatus;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.EvenkeelPlacementBridge;
import org.apache.hadoop.net.NetworkTopology;
import org.apache.hadoop.net.Node;
import org.apache.hadoop.util.Time;

/**
 * Places replicas uniformly over DataNodes and never two on one host while there are enough
 * (HDFS-7122, HADOOP-8468). For {@code dfs.block.replicator.classname}.
 *
 * <p>A host is the node group of HVE where the topology has them, else the machine of one address,
 * see {@link PlacementKeys#HOST_KEY}. Storage policies, retries without stale DataNodes and the
 * order of a pipeline are stock's; so is what a good DataNode is. This class decides which of the
 * good ones is taken, and what a satisfied placement, a move and an excess replica are.
 *
 * <p>Balancer, Mover and fsck create it too: without a topology or statistics it only compares
 * places of replicas. Thread-safe, without any lock of the NameNode. Erasure coded blocks have a
 * class of their own, apart from this one.
 */
public class UniformBlockPlacementPolicy extends EvenkeelPlacementBridge {
  private static final List<List<DatanodeDescriptor>> NOBODY = Collections.emptyList();
  private static final StorageType[] TYPES = StorageType.values();
  private static final int[] NONE = {};

  /** Whether this one is only asked what it would choose, while a stock policy decides. */
  private final boolean asked;

  // This and the next two are written by initialize only, before Hadoop hands the policy to other
  // threads. BlockManager keeps it in a volatile field where it can be reconfigured (3.3 and
  // later), and before that sets it before the NameNode's threads start.
  private PlacementConf own;
  private NameNodePlacement nameNode;

  /** Asked what it would choose while a stock policy decides; else null. */
  private UniformBlockPlacementPolicy other;

  /** Created by Hadoop. */
  public UniformBlockPlacementPolicy() {
    this(false);
  }

  UniformBlockPlacementPolicy(boolean asked) {
    this.asked = asked;
  }

  @Override
  protected void initialized(Configuration conf, boolean inNameNode, NetworkTopology topology) {
    boolean chooses = inNameNode && topology != null;
    if (!asked && PlacementConf.observes(conf, chooses)) {
      observe(conf, chooses, topology);
    } else {
      decide(conf, chooses, topology);
    }
  }

  private void observe(Configuration conf, boolean inNameNode, NetworkTopology topology) {
    BlockPlacementPolicy deciding;
    try {
      deciding = stock(conf, topology);
    } catch (ConfigException e) {
      throw inNameNode ? PlacementConf.refused(e) : e;
    }
    leaveTo(deciding, conf);
    if (!inNameNode) {
      own = PlacementConf.inTool(conf, topology);
      return;
    }
    own = PlacementConf.besideNameNode(conf, topology);
    String problem = "";
    try {
      other = another();
      start(other, conf);
      nameNode = other.nameNode;
      nameNode.observe();
      show();
    } catch (IllegalArgumentException e) {
      other = null;
      problem = e.getMessage();
    }
    PlacementConf.announceObserving(conf, getClass(), deciding, problem);
  }

  private void show() {
    if (nameNode.firstToShow()) {
      PlacementMetrics.publish(new PlacementBean(nameNode));
    }
  }

  /** One of this kind that is only asked. */
  UniformBlockPlacementPolicy another() {
    return new UniformBlockPlacementPolicy(true);
  }

  /** The policy that decides while this one observes. */
  BlockPlacementPolicy stock(Configuration conf, NetworkTopology topology) {
    return PlacementConf.observed(conf, topology);
  }

  @Override
  protected final void looksOn(
      List<DatanodeStorageInfo> chosen,
      int replicas,
      DatanodeStorageInfo[] targets,
      Function<BlockPlacementPolicy, DatanodeStorageInfo[]> choice) {
    if (other != null) {
      nameNode.observe().saw(chosen, replicas, targets, () -> choice.apply(other));
    }
  }

  private void decide(Configuration conf, boolean chooses, NetworkTopology topology) {
    own = chooses ? PlacementConf.inNameNode(conf, topology) : PlacementConf.inTool(conf, topology);
    nameNode = topology == null ? null : NameNodePlacement.of(topology);
    if (chooses) {
      nameNode.choosesBy(own, rules());
      if (!asked) {
        own.announce(getClass());
        show();
      }
    }
  }

  /** The DataNodes as they are; null in tools without a topology. */
  final DataNodeIndex index() {
    return nameNode == null ? null : nameNode.current(own);
  }

  final NameNodePlacement nameNode() {
    return nameNode;
  }

  /** That of the policy by which this NameNode chooses, else its own. */
  private PlacementConf inForce() {
    return nameNode == null ? own : nameNode.inForce(own);
  }

  /** That of the DataNodes there are; never asked for in Balancer and Mover. */
  private HostIdentity hostIdentity() {
    return nameNode == null ? own.hostIdentity() : index().hostIdentity();
  }

  @Override
  public DatanodeStorageInfo[] chooseTarget(
      String src,
      int replicas,
      Node writer,
      List<DatanodeStorageInfo> chosen,
      boolean returnChosen,
      Set<Node> excluded,
      long blockSize,
      BlockStoragePolicy storagePolicy,
      EnumSet<AddBlockFlag> flags) {
    if (deciding() != null) {
      List<DatanodeStorageInfo> before = new ArrayList<>(chosen);
      Set<Node> out = excluded == null ? new HashSet<>() : new HashSet<>(excluded);
      EnumSet<AddBlockFlag> wishes = flags == null ? null : flags.clone();
      DatanodeStorageInfo[] targets =
          deciding()
              .chooseTarget(
                  src,
                  replicas,
                  writer,
                  chosen,
                  returnChosen,
                  excluded,
                  blockSize,
                  storagePolicy,
                  flags);
      looksOn(
          before,
          replicas,
          targets,
          policy ->
              policy.chooseTarget(
                  src, replicas, writer, before, false, out, blockSize, storagePolicy, wishes));
      return targets;
    }
    EnumSet<AddBlockFlag> none = null;
    boolean asks = writer != null && flags != null && !flags.isEmpty();
    for (List<DatanodeDescriptor> near : asks ? avoided(index(), writer, flags) : NOBODY) {
      Set<Node> more = excluded == null ? new HashSet<>() : new HashSet<>(excluded);
      more.addAll(near);
      DatanodeStorageInfo[] targets =
          super.chooseTarget(
              src, replicas, writer, chosen, false, more, blockSize, storagePolicy, none);
      if (targets.length >= replicas && keepsHosts(chosen, targets, writer)) {
        return returnChosen ? joined(chosen, targets) : targets;
      }
      count(Arrays.asList(targets), false);
    }
    return super.chooseTarget(
        src, replicas, writer, chosen, returnChosen, excluded, blockSize, storagePolicy, none);
  }

  /**
   * The DataNodes a client wants no replica on, as many as it may have its way with first: those of
   * its rack, when there are enough racks; those of its host; and, when that host is needed, only
   * the one the client is on.
   */
  private static List<List<DatanodeDescriptor>> avoided(
      DataNodeIndex index, Node writer, Set<AddBlockFlag> flags) {
    List<List<DatanodeDescriptor>> avoided = new ArrayList<>();
    for (AddBlockFlag flag : flags) {
      if (flag.name().equals("NO_LOCAL_RACK") && index.engine().racksServing() > 2) {
        avoided.add(index.near(writer, true)); // by its name: the flag is not in every release
      }
    }
    if (noLocalWrite(flags)) {
      List<DatanodeDescriptor> atWriter = index.near(writer, false);
      avoided.add(atWriter);
      if (atWriter.size() > 1 && index.number(writer) >= 0) {
        avoided.add(Collections.singletonList(index.node(index.number(writer))));
      }
    }
    return avoided;
  }

  private static DatanodeStorageInfo[] joined(
      List<DatanodeStorageInfo> chosen, DatanodeStorageInfo[] targets) {
    List<DatanodeStorageInfo> all = new ArrayList<>(chosen);
    all.addAll(Arrays.asList(targets));
    return all.toArray(DatanodeStorageInfo.EMPTY_ARRAY);
  }

  /** Whether no host is shared because the writer's was left out. */
  private boolean keepsHosts(
      List<DatanodeStorageInfo> chosen, DatanodeStorageInfo[] targets, Node writer) {
    List<DatanodeDescriptor> atWriter = index().near(writer, false);
    return index().onOtherHosts(chosen, targets)
        || Arrays.stream(targets).anyMatch(t -> atWriter.contains(t.getDatanodeDescriptor()));
  }

  @Override
  protected final boolean mayShareHosts() {
    return !strict();
  }

  @Override
  protected final List<DatanodeDescriptor> onHostOf(DatanodeDescriptor node) {
    return index().near(node, false);
  }

  @Override
  protected final void count(List<DatanodeStorageInfo> targets, boolean more) {
    index().count(targets, more);
  }

  @Override
  protected int[] getMaxNodesPerRack(int chosen, int replicas) {
    int total = Math.min(chosen + replicas, clusterMap.getNumOfLeaves());
    int limit = rules().rackLimit(total, index().engine().racksServing());
    return new int[] {total - chosen, Math.min(limit, total)};
  }

  @Override
  protected Node chooseTargetInOrder(
      int replicas,
      Node writer,
      Set<Node> excluded,
      long blockSize,
      int maxPerRack,
      List<DatanodeStorageInfo> results,
      boolean avoidStale,
      boolean newBlock,
      EnumMap<StorageType, Integer> types)
      throws NotEnoughReplicasException {
    dropDebugText();
    int before = results.size();
    BlockTargets targets = null;
    DataNodeIndex index = index();
    boolean full = false; // whether full DataNodes may be used though a host could be shared
    Among among = Among.USUAL;
    // Only once: whatever is wrong with what is seen, a caller with the namesystem's lock comes
    // out.
    boolean again = true;
    while (index != null && results.size() < before + replicas) {
      int missing = before + replicas - results.size();
      BlockRequest request = index.request(missing, results, excluded);
      int hosts = isLastResort() ? 0 : index.hostsToUse(request, results);
      request.rackLimit(maxPerRack).sharedHostsAfter(strict() ? Integer.MAX_VALUE : hosts);
      index.addWriter(request, writer, prefersLocal());
      StockChecks checks = new StockChecks(index, types, blockSize, avoidStale, results);
      boolean fewHosts =
          !full && !strict() && index.fewHosts(request, results, checks.wantedTypes());
      if (fewHosts || among == Among.WITH_ROOM) {
        request.alsoExcluded(index.withoutRoom(checks.wantedTypes()));
      }
      if (among == Among.EVERYONE) {
        request.askingEveryone();
      }
      long from = System.nanoTime();
      targets = place(index, request, checks);
      nameNode.chose(index, targets, missing, System.nanoTime() - from);
      full = fewHosts;
      if (fewHosts) {
        continue;
      }
      if (targets.size() >= missing) {
        break;
      }
      DataNodeIndex newer = again ? nameNode.again(own, index) : null;
      again &= newer == null;
      if (newer == null) {
        among = among.next(targets, index, checks);
        index = among == Among.NOBODY ? null : index;
        full = true; // who is among them now may be
      } else {
        among = Among.USUAL;
        index = newer;
      }
    }
    if (results.size() > before) {
      nameNode.asked(blockSize);
    }
    for (DatanodeStorageInfo result : results.subList(before, results.size())) {
      addToExcludedNodes(result.getDatanodeDescriptor(), excluded);
    }
    if (results.size() < before + replicas) {
      String reasons = targets == null ? "" : targets.reasons();
      LOG.info("Not enough replicas was chosen. Reason: {{}}", reasons);
      throw scarce(
          "found " + (results.size() - before) + " of " + replicas + " targets: " + reasons);
    }
    return before == 0 ? results.get(0).getDatanodeDescriptor() : writer;
  }

  /** Which DataNodes a choice asks, one after the other while it comes out short. */
  private enum Among {
    USUAL,
    WITH_ROOM,
    EVERYONE,
    NOBODY;

    /**
     * In a cluster that is nearly full the usual way gives up before it comes to the few DataNodes
     * that have room. Those that had some when they were last looked at come next, and then all, as
     * in stock, for others may have room by now.
     */
    private Among next(BlockTargets last, DataNodeIndex index, TargetChecks checks) {
      if (this == USUAL && last.gaveUp() && index.haveRoom(checks.wantedTypes())) {
        return WITH_ROOM;
      }
      return this == WITH_ROOM ? EVERYONE : NOBODY;
    }
  }

  /** Without shared hosts, also those that can no longer be used. */
  @Override
  protected int addToExcludedNodes(DatanodeDescriptor node, Set<Node> excluded) {
    int before = excluded.size();
    excluded.add(node);
    if (strict() && nameNode != null) {
      excluded.addAll(index().near(node, false));
      excluded.addAll(dependentsOf(node));
    }
    return excluded.size() - before;
  }

  /** Places the blocks this policy is for. */
  BlockTargets place(DataNodeIndex index, BlockRequest request, TargetChecks checks) {
    return index.engine().replicated(request, checks);
  }

  /** Stock's checks of the DataNodes that are chosen for one block. Confined to one choice. */
  private final class StockChecks implements TargetChecks {
    private final DataNodeIndex index;
    private final EnumMap<StorageType, Integer> wanted;
    private final long blockSize;
    private final boolean avoidStale;
    private final List<DatanodeStorageInfo> results;

    /** Counts {@code wanted} down and adds to {@code results} as storages are taken. */
    StockChecks(
        DataNodeIndex index,
        EnumMap<StorageType, Integer> wanted,
        long blockSize,
        boolean avoidStale,
        List<DatanodeStorageInfo> results) {
      this.index = index;
      this.wanted = wanted;
      this.blockSize = blockSize;
      this.avoidStale = avoidStale;
      this.results = results;
    }

    @Override
    public int wantedTypes() {
      int bits = 0;
      for (StorageType type : wanted.keySet()) {
        bits |= 1 << type.ordinal();
      }
      return bits;
    }

    @Override
    public NotChosenReason take(int number, int type, boolean local) {
      DatanodeDescriptor node = index.node(number);
      if (!nameNode.holds(node) || !node.isInService()) {
        return NotChosenReason.NOT_IN_SERVICE;
      }
      if (!good(node, !local && considerLoad, results, avoidStale)) {
        return reason(node);
      }
      if (storage(node, blockSize, results, TYPES[type]) == null) {
        return NotChosenReason.NOT_ENOUGH_STORAGE_SPACE;
      }
      wanted.computeIfPresent(TYPES[type], (t, count) -> count == 1 ? null : count - 1);
      return null;
    }

    /** Stock does not tell its reason: it is asked again without one rule, in its own order. */
    private NotChosenReason reason(DatanodeDescriptor node) {
      if (!good(node, false, results, false)) {
        return NotChosenReason.NODE_SLOW;
      }
      return good(node, false, results, avoidStale)
          ? NotChosenReason.NODE_TOO_BUSY
          : NotChosenReason.NODE_STALE;
    }

    /** The DataNodes of hosts it was said to depend on (net.topology.dependency.script). */
    @Override
    public int[] dependents(int number) {
      List<DatanodeDescriptor> dependents = dependentsOf(index.node(number));
      return dependents.isEmpty()
          ? NONE
          : dependents.stream().mapToInt(index::number).filter(n -> n >= 0).toArray();
    }
  }

  @Override
  protected final boolean fits(
      DatanodeDescriptor node, int maxPerRack, List<DatanodeStorageInfo> results) {
    return hostIdentity().fits(node, maxPerRack, results);
  }

  @Override
  public BlockPlacementStatus verifyBlockPlacement(DatanodeInfo[] replicas, int wanted) {
    if (deciding() != null) {
      return deciding().verifyBlockPlacement(replicas, wanted);
    }
    DataNodeIndex index = index();
    if (index == null) {
      return new BlockPlacementStatusWithHosts(0, 0, 0, "", false);
    }
    BlockPlacementStatusWithHosts status =
        BlockPlacementStatusWithHosts.of(index, replicas, rules(), wanted, strict());
    if (status.undecided()) {
      nameNode.counters().undecided();
    }
    return status;
  }

  /** Whether replicas never share a host. */
  boolean strict() {
    return inForce().strict();
  }

  /** On how many hosts and racks a complete block should be. */
  final PlacementRules rules() {
    return isStriped() ? PlacementRules.STRIPED : PlacementRules.REPLICATED;
  }

  @Override
  public boolean isMovable(
      Collection<DatanodeInfo> replicas, DatanodeInfo source, DatanodeInfo target) {
    if (deciding() != null) {
      return deciding().isMovable(replicas, source, target);
    }
    return inForce().hostIdentity().movable(replicas, source, target, isStriped());
  }

  @Override
  protected String getRack(DatanodeInfo node) {
    return inForce().hostIdentity().rack(node);
  }

  @Override
  public List<DatanodeStorageInfo> chooseReplicasToDelete(
      Collection<DatanodeStorageInfo> available,
      Collection<DatanodeStorageInfo> candidates,
      int expected,
      List<StorageType> excessTypes,
      DatanodeDescriptor added,
      DatanodeDescriptor hint) {
    if (deciding() != null) {
      return deciding()
          .chooseReplicasToDelete(available, candidates, expected, excessTypes, added, hint);
    }
    return excess(available, candidates).choose(expected, excessTypes, added, hint);
  }

  @Override
  public DatanodeStorageInfo chooseReplicaToDelete(
      Collection<DatanodeStorageInfo> sharingRacks,
      Collection<DatanodeStorageInfo> others,
      List<StorageType> excessTypes,
      Map<String, List<DatanodeStorageInfo>> byRack) {
    List<DatanodeStorageInfo> all = new ArrayList<>(sharingRacks);
    all.addAll(others);
    return excess(all, all).next(excessTypes);
  }

  private ExcessReplicas excess(
      Collection<DatanodeStorageInfo> all, Collection<DatanodeStorageInfo> some) {
    long oldest = Time.monotonicNow() - heartbeatInterval * tolerateHeartbeatMultiplier;
    return new ExcessReplicas(hostIdentity(), all, some, oldest, isStriped());
  }
}
