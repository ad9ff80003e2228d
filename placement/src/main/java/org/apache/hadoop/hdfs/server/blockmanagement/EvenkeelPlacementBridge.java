package org.apache.hadoop.hdfs.server.blockmanagement;

import io.evenkeel.common.log.LogLimiter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.AddBlockFlag;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorage;
import org.apache.hadoop.net.NetworkTopology;
import org.apache.hadoop.net.Node;
import org.apache.hadoop.net.NodeBase;

/**
 * Stock's path to the targets of a block, with the package-private parts of {@link
 * BlockPlacementPolicyDefault} that a placement policy needs. It stands in Hadoop's package because
 * {@link Host2NodesMap}, {@code isGoodDatanode}, {@code chooseStorage4Block}, the choice with
 * favored nodes and the constructor of NotEnoughReplicasException are package-private in every
 * release from 3.0 to 3.5. It depends on no other class of this module.
 *
 * <p>Stock's path is kept: what a good DataNode is, and which storage of it is used, stock decides.
 */
public abstract class EvenkeelPlacementBridge extends BlockPlacementPolicyDefault {
  private FSClusterStats stats;
  private boolean prefersLocal;

  /** Decides in place of this policy, which only looks on; null while this one decides. */
  private BlockPlacementPolicy deciding;

  /**
   * Tells {@link #chooseTargetInOrder} of a second attempt: between that and {@link #chooseTarget}
   * lies stock's private ladder of retries and storage types, which hands nothing through.
   */
  private final ThreadLocal<Boolean> lastResort = ThreadLocal.withInitial(() -> false);

  private final LogLimiter unknownDependencies = new LogLimiter(TimeUnit.MINUTES.toNanos(1));

  @Override
  public void initialize(
      Configuration conf,
      FSClusterStats clusterStats,
      NetworkTopology topology,
      Host2NodesMap hosts) {
    super.initialize(conf, clusterStats, topology, hosts);
    stats = clusterStats;
    prefersLocal =
        conf.getBoolean(
            DFSConfigKeys.DFS_NAMENODE_BLOCKPLACEMENTPOLICY_DEFAULT_PREFER_LOCAL_NODE_KEY, true);
    initialized(conf, clusterStats != null, topology);
  }

  /**
   * The policy was given its surroundings.
   *
   * @param inNameNode whether it will choose; false in Balancer, Mover and fsck
   * @param topology null in tools
   */
  protected abstract void initialized(
      Configuration conf, boolean inNameNode, NetworkTopology topology);

  /** From now on {@code other} decides about everything, and this policy only looks on. */
  protected final void leaveTo(BlockPlacementPolicy other, Configuration conf) {
    start(other, conf);
    deciding = other;
  }

  /** Starts another policy with the surroundings of this one. */
  protected final void start(BlockPlacementPolicy other, Configuration conf) {
    other.initialize(conf, stats, clusterMap, host2datanodeMap);
  }

  /** The policy that decides in place of this one, or null. */
  protected final BlockPlacementPolicy deciding() {
    return deciding;
  }

  /**
   * The policy that decides in place of this one chose {@code targets}.
   *
   * @param chosen where the block was already
   * @param replicas wanted beside those
   * @param choice has another policy choose for the same block, once
   */
  protected abstract void looksOn(
      List<DatanodeStorageInfo> chosen,
      int replicas,
      DatanodeStorageInfo[] targets,
      Function<BlockPlacementPolicy, DatanodeStorageInfo[]> choice);

  @Override
  public final void setExcludeSlowNodesEnabled(boolean enable) {
    super.setExcludeSlowNodesEnabled(enable);
    if (deciding != null) {
      deciding.setExcludeSlowNodesEnabled(enable);
    }
  }

  @Override
  public final void setMinBlocksForWrite(int blocks) {
    super.setMinBlocksForWrite(blocks);
    if (deciding != null) {
      deciding.setMinBlocksForWrite(blocks);
    }
  }

  /** Whether the writer's own DataNode is wanted at all, as in stock. */
  protected final boolean prefersLocal() {
    return prefersLocal;
  }

  private boolean avoidsStaleNodes() {
    return stats != null && stats.isAvoidingStaleDataNodesForWrite();
  }

  /** Whether two replicas on one host are better than one replica less. */
  protected abstract boolean mayShareHosts();

  /** Whether this thread's choice is for replicas that no other host took, of any storage type. */
  protected final boolean isLastResort() {
    return lastResort.get();
  }

  /** {@inheritDoc} Fallbacks of the storage policy come before a second replica on a host. */
  @Override
  public DatanodeStorageInfo[] chooseTarget(
      String src,
      int replicas,
      Node writer,
      List<DatanodeStorageInfo> chosen,
      boolean withChosen,
      Set<Node> excluded,
      long size,
      BlockStoragePolicy policy,
      EnumSet<AddBlockFlag> flags) {
    DatanodeStorageInfo[] first =
        super.chooseTarget(
            src, replicas, writer, chosen, withChosen, excluded, size, policy, flags);
    int missing = replicas - (first.length - (withChosen ? chosen.size() : 0));
    // without any replica no rule kept another away, so asking again without it finds no more;
    // stock also answers with none, not even the chosen ones, where nothing is asked for
    boolean none = first.length == 0 && (withChosen || chosen.isEmpty());
    if (missing <= 0 || none || !mayShareHosts()) {
      return first;
    }
    List<DatanodeStorageInfo> targets = new ArrayList<>(Arrays.asList(first));
    List<DatanodeStorageInfo> all = withChosen ? new ArrayList<>() : new ArrayList<>(chosen);
    all.addAll(targets);
    BlockStoragePolicy types = chosen.isEmpty() ? atCreation(policy) : policy;
    lastResort.set(true);
    try {
      targets.addAll(
          Arrays.asList(
              super.chooseTarget(src, missing, writer, all, false, excluded, size, types, flags)));
      return targets.toArray(DatanodeStorageInfo.EMPTY_ARRAY);
    } finally {
      lastResort.remove();
    }
  }

  /** Whether {@code node} keeps the rules that span hosts and racks beside {@code results}. */
  protected abstract boolean fits(
      DatanodeDescriptor node, int maxPerRack, List<DatanodeStorageInfo> results);

  /**
   * {@inheritDoc}
   *
   * <p>Stock counts replicas per network location, which is the node group where there is one; here
   * the rule is that of the policy.
   */
  @Override
  boolean isGoodDatanode(
      DatanodeDescriptor node,
      int maxTargetPerRack,
      boolean considerLoad,
      List<DatanodeStorageInfo> results,
      boolean avoidStaleNodes) {
    return fits(node, maxTargetPerRack, results)
        && good(node, considerLoad, results, avoidStaleNodes);
  }

  /** Stock's view of one DataNode: in service, not stale, not busy, not slow. */
  protected final boolean good(
      DatanodeDescriptor node,
      boolean byLoad,
      List<DatanodeStorageInfo> results,
      boolean avoidStaleNodes) {
    return super.isGoodDatanode(node, Integer.MAX_VALUE, byLoad, results, avoidStaleNodes);
  }

  /**
   * Stock's checks write down for the log why a DataNode is not good, in a text of the thread that
   * only stock's own draw empties. Drawing nothing does so too: else the text grows for as long as
   * the log is on DEBUG.
   */
  protected final void dropDebugText() {
    if (!LOG.isDebugEnabled()) {
      return;
    }
    try {
      chooseRandom(
          0,
          NodeBase.ROOT,
          Collections.emptySet(),
          0,
          0,
          Collections.emptyList(),
          false,
          new EnumMap<>(StorageType.class));
    } catch (NotEnoughReplicasException e) {
      LOG.debug("Nothing was asked for", e);
    }
  }

  /** Stock's choice of a storage with room; adds it to {@code results}; null without any. */
  protected final DatanodeStorageInfo storage(
      DatanodeDescriptor node,
      long blockSize,
      List<DatanodeStorageInfo> results,
      StorageType type) {
    return chooseStorage4Block(node, blockSize, results, type);
  }

  /** DataNodes that the site says share the fate of {@code node}; usually none. */
  protected final List<DatanodeDescriptor> dependentsOf(DatanodeDescriptor node) {
    List<String> hosts = node.getDependentHostNames();
    if (hosts.isEmpty()) {
      return Collections.emptyList();
    }
    List<DatanodeDescriptor> found = new ArrayList<>();
    for (String host : hosts) {
      DatanodeDescriptor other =
          host2datanodeMap == null ? null : host2datanodeMap.getDataNodeByHostName(host);
      if (other == null) {
        warnOfDependency(node, host);
      } else {
        found.add(other);
      }
    }
    return found;
  }

  /** For each block that goes to it, so once a minute is enough. */
  private void warnOfDependency(DatanodeDescriptor node, String host) {
    long withheld = unknownDependencies.permit(System.nanoTime());
    if (withheld != LogLimiter.QUIET) {
      LOG.warn(
          "The mapping says that DataNode {} depends on {}, but no DataNode has that host name, so"
              + " it is not kept from having replicas of the same blocks; correct the mapping. {}"
              + " more such warnings since the last one.",
          node,
          host,
          withheld);
    }
  }

  /** Whether a storage works. */
  public static boolean isNormal(DatanodeStorageInfo storage) {
    return storage.getState() == DatanodeStorage.State.NORMAL;
  }

  /**
   * Some blocks of a storage. Read without the namesystem's lock, so it may miss blocks and ends
   * where the list changes under it: for an estimate only.
   *
   * @param skip blocks left out at the beginning
   */
  public static List<BlockInfo> someBlocks(DatanodeStorageInfo storage, int skip, int most) {
    List<BlockInfo> found = new ArrayList<>();
    try {
      Iterator<BlockInfo> blocks = storage.getBlockIterator();
      for (int i = 0; i < skip + most && blocks.hasNext(); i++) {
        BlockInfo block = blocks.next();
        if (i >= skip) {
          found.add(block);
        }
      }
    } catch (RuntimeException | AssertionError e) {
      LOG.debug("The blocks of {} changed while they were read", storage, e);
    }
    return found;
  }

  /** Replicas on a storage, as far as reported. */
  public static int blocks(DatanodeStorageInfo storage) {
    return storage.numBlocks();
  }

  /** Bytes of a storage, as last reported. */
  public static long capacity(DatanodeStorageInfo storage) {
    return storage.getCapacity();
  }

  /** Bytes free on a storage, as last reported. */
  public static long remaining(DatanodeStorageInfo storage) {
    return storage.getRemaining();
  }

  /** The one exception Hadoop wants when replicas are missing. */
  protected static NotEnoughReplicasException scarce(String reasons) {
    return new NotEnoughReplicasException(reasons);
  }

  @Override
  DatanodeStorageInfo[] chooseTarget(
      String src,
      int replicas,
      Node writer,
      Set<Node> excluded,
      long blockSize,
      List<DatanodeDescriptor> favored,
      BlockStoragePolicy storagePolicy,
      EnumSet<AddBlockFlag> flags) {
    if (deciding != null) {
      Set<Node> out = excluded == null ? new HashSet<>() : new HashSet<>(excluded);
      List<DatanodeDescriptor> wanted = favored == null ? null : new ArrayList<>(favored);
      EnumSet<AddBlockFlag> wishes = flags == null ? null : flags.clone();
      DatanodeStorageInfo[] targets =
          deciding.chooseTarget(
              src, replicas, writer, excluded, blockSize, favored, storagePolicy, flags);
      looksOn(
          Collections.emptyList(),
          replicas,
          targets,
          other ->
              other.chooseTarget(
                  src, replicas, writer, out, blockSize, wanted, storagePolicy, wishes));
      return targets;
    }
    List<DatanodeStorageInfo> chosen = new ArrayList<>(replicas);
    if (favored != null && !favored.isEmpty()) {
      Set<Node> taken = excluded == null ? new HashSet<>() : new HashSet<>(excluded);
      FavoredChoice choice = new FavoredChoice(replicas, blockSize, storagePolicy, chosen, taken);
      choice.choose(src, favored);
      for (DatanodeDescriptor node : favored) {
        if (fits(node, Integer.MAX_VALUE, chosen)) {
          choice.choose(src, onHostOf(node)); // as stock does with node groups
        }
      }
      count(chosen, true);
      DatanodeStorageInfo[] all = choice.withOthers(src, writer, flags);
      if (all.length == replicas) {
        return inPipelineOrder(writer, all);
      }
    }
    return chooseTarget(
        src,
        replicas - chosen.size(),
        writer,
        chosen,
        !chosen.isEmpty(),
        excluded == null ? null : new HashSet<>(excluded),
        blockSize,
        chosen.isEmpty() ? storagePolicy : atCreation(storagePolicy),
        flags);
  }

  /**
   * The same policy with the fallbacks of a new block only, for a block that is being created and
   * whose first replicas have their targets. Stock takes a block with a replica for an old one and
   * then falls back to the storage types for copies: HOT, which is created on DISK only, would be
   * created on ARCHIVE too.
   */
  private static BlockStoragePolicy atCreation(BlockStoragePolicy policy) {
    return new BlockStoragePolicy(
        policy.getId(),
        policy.getName(),
        policy.getStorageTypes(),
        policy.getCreationFallbacks(),
        policy.getCreationFallbacks());
  }

  /** How many storages of each type a block wants, as stock counts them down. */
  private static EnumMap<StorageType, Integer> typesOfBlock(
      BlockStoragePolicy policy, int replicas) {
    EnumMap<StorageType, Integer> types = new EnumMap<>(StorageType.class);
    for (StorageType type : policy.chooseStorageTypes((short) replicas)) {
      types.merge(type, 1, Integer::sum);
    }
    return types;
  }

  /**
   * A storage policy for the replicas a block still needs when others of it have their storages: it
   * asks for the types that are left, with the policy's own fallbacks.
   *
   * <p>Stock's choice can be given the types since Hadoop 3.1. Before, it asks for those of a block
   * of its own, and a ONE_SSD block gets two SSDs; and in every release it does so when it tries
   * again with stale DataNodes. Immutable.
   */
  private static final class TypesLeft extends BlockStoragePolicy {
    private final List<StorageType> taken = new ArrayList<>();

    /** What {@code policy} still wants of a block with replicas on {@code chosen}. */
    TypesLeft(BlockStoragePolicy policy, List<DatanodeStorageInfo> chosen) {
      super(
          policy.getId(),
          policy.getName(),
          policy.getStorageTypes(),
          policy.getCreationFallbacks(),
          policy.getReplicationFallbacks());
      chosen.forEach(storage -> taken.add(storage.getStorageType()));
    }

    @Override
    public List<StorageType> chooseStorageTypes(
        short replicas,
        Iterable<StorageType> chosen,
        EnumSet<StorageType> unavailable,
        boolean newBlock) {
      List<StorageType> all = new ArrayList<>(taken);
      chosen.forEach(all::add);
      return super.chooseStorageTypes(
          (short) (replicas + taken.size()), all, unavailable, newBlock);
    }
  }

  /** Whether the client wants no replica on its host; {@code flags} may be null. */
  protected static boolean noLocalWrite(Set<AddBlockFlag> flags) {
    return flags != null && flags.contains(AddBlockFlag.NO_LOCAL_WRITE);
  }

  /** Orders targets by nearness, each to the one before it. */
  private DatanodeStorageInfo[] inPipelineOrder(Node writer, DatanodeStorageInfo[] targets) {
    Node last = clusterMap.contains(writer) ? writer : targets[0].getDatanodeDescriptor();
    for (int i = 0; i < targets.length; i++) {
      int nearest = i;
      for (int j = i + 1; j < targets.length; j++) {
        nearest = distance(last, targets[j]) < distance(last, targets[nearest]) ? j : nearest;
      }
      DatanodeStorageInfo next = targets[nearest];
      targets[nearest] = targets[i];
      targets[i] = next;
      last = next.getDatanodeDescriptor();
    }
    return targets;
  }

  private int distance(Node from, DatanodeStorageInfo to) {
    return clusterMap.getDistance(from, to.getDatanodeDescriptor());
  }

  /** Whether replicas are internal blocks of striped ones. */
  protected boolean isStriped() {
    return false;
  }

  /** The DataNodes on the host of {@code node}. */
  protected abstract List<DatanodeDescriptor> onHostOf(DatanodeDescriptor node);

  /** Fills {@code chosen} with DataNodes that are wanted for what they are. */
  private final class FavoredChoice {
    private final int replicas;
    private final long blockSize;
    private final List<DatanodeStorageInfo> chosen;
    private final Set<Node> taken;
    private final BlockStoragePolicy policy;

    /** Counted down over all favored nodes and their hosts. */
    private final EnumMap<StorageType, Integer> types;

    FavoredChoice(
        int replicas,
        long blockSize,
        BlockStoragePolicy policy,
        List<DatanodeStorageInfo> chosen,
        Set<Node> taken) {
      this.replicas = replicas;
      this.blockSize = blockSize;
      this.chosen = chosen;
      this.taken = taken;
      this.policy = policy;
      this.types = typesOfBlock(policy, replicas);
    }

    void choose(String src, List<DatanodeDescriptor> nodes) {
      dropDebugText();
      boolean avoid = avoidsStaleNodes();
      int limit = getMaxNodesPerRack(0, replicas)[1];
      try {
        chooseFavouredNodes(src, replicas, nodes, taken, blockSize, limit, chosen, avoid, types);
      } catch (NotEnoughReplicasException e) {
        LOG.debug("Not all replicas of {} on favored nodes", src, e);
      }
    }

    /**
     * The favored ones and, on other hosts, those of a block of its own with the shape that has, as
     * in stock. Fewer than wanted when that is not possible, or would leave the block in one rack.
     */
    DatanodeStorageInfo[] withOthers(String src, Node writer, EnumSet<AddBlockFlag> flags) {
      List<DatanodeStorageInfo> all = new ArrayList<>(chosen);
      int missing = replicas - chosen.size();
      if (isStriped() && missing > 0) {
        return DatanodeStorageInfo.EMPTY_ARRAY; // or the others would pile up on what is left
      }
      if (missing > 0 && !chosen.isEmpty()) {
        chosen.forEach(storage -> taken.addAll(onHostOf(storage.getDatanodeDescriptor())));
        if (writer instanceof DatanodeDescriptor && noLocalWrite(flags)) {
          taken.addAll(onHostOf((DatanodeDescriptor) writer));
        }
        List<DatanodeStorageInfo> none = new ArrayList<>();
        BlockStoragePolicy left = new TypesLeft(policy, chosen);
        DatanodeStorageInfo[] others =
            EvenkeelPlacementBridge.super.chooseTarget(
                src, missing, writer, none, false, taken, blockSize, left, flags);
        all.addAll(Arrays.asList(others));
        if (all.size() < replicas || racks(all) < 2) {
          count(Arrays.asList(others), false);
          return DatanodeStorageInfo.EMPTY_ARRAY;
        }
      }
      return all.toArray(new DatanodeStorageInfo[0]);
    }

    private long racks(List<DatanodeStorageInfo> storages) {
      return storages.stream().map(s -> getRack(s.getDatanodeDescriptor())).distinct().count();
    }
  }

  /** Targets were chosen without the policy's own choice, or are not used: {@code more} false. */
  protected abstract void count(List<DatanodeStorageInfo> targets, boolean more);
}
