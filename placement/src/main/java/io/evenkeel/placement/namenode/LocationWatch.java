package io.evenkeel.placement.namenode;

import io.evenkeel.common.config.OneLine;
import io.evenkeel.placement.core.mapping.MovedNodes;
import io.evenkeel.placement.namenode.HostIdentity.Move;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.EvenkeelPlacementBridge;
import org.apache.hadoop.net.CachedDNSToSwitchMapping;
import org.apache.hadoop.net.DNSToSwitchMapping;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the mapping again, now and then, where the DataNodes of a NameNode are, for a virtual
 * machine or pod may move to another host while its DataNode stays registered. Stock learns of it
 * when that DataNode registers again.
 *
 * <p>It has a mapping of its own, so that the NameNode's cache stays as it is, and a thread of its
 * own, so that a script which hangs holds up nobody. What is believed {@link MovedNodes} decides.
 * Afterwards it counts the blocks that have two replicas on one host because of a move, in pieces
 * with pauses and without the namesystem's lock, so that the count is about right.
 *
 * <p>The thread does not keep the rest alive, see {@link NameNodePlacement}. Apart from it, which
 * must not wait for a mapping. Confined to its thread.
 */
final class LocationWatch implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(LocationWatch.class);

  /** Hosts in a question: a script that fails then leaves only these without an answer. */
  private static final int BATCH = 100;

  private static final int MOST_NAMED = 10;

  /** Blocks of a storage in a piece. */
  private static final int PIECE = 10_000;

  /**
   * A piece that ended early, since the list of blocks changed under it, is read again so often.
   */
  private static final int TRIES = 3;

  /** After a piece it rests so many times as long as that took, and at least so long. */
  private static final long REST = 9;

  /** After a count it only looks for so many times as long as that took. */
  private static final long COUNT_REST = 20;

  private static final long LEAST_REST_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  /** So soon after it the thread notices that a NameNode is gone, or its key has changed. */
  private static final long MOST_PAUSE_MS = 1_000;

  private final WeakReference<NameNodePlacement> nameNode;
  private final MovedNodes nodes = new MovedNodes();
  private DNSToSwitchMapping mapping; // null before the first question
  private long countedAt; // nanoseconds
  private long countTook;
  private boolean failed;

  LocationWatch(NameNodePlacement nameNode) {
    this.nameNode = new WeakReference<>(nameNode);
  }

  /** Starts the thread. */
  void start() {
    Thread thread = new Thread(this, "evenkeel-placement-locations");
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public void run() {
    long waited = 0;
    for (long pause = 1; pause > 0; pause = nameNode.get() == null ? 0 : pause) {
      Thread.interrupted(); // nobody has a reason to, and an interrupted thread would not pause
      LockSupport.parkNanos(this, TimeUnit.MILLISECONDS.toNanos(pause));
      waited += pause;
      long every = everyMillis();
      if (every > 0 && waited >= every) {
        look();
        waited = 0;
      }
      pause = every == 0 ? MOST_PAUSE_MS : Math.min(every, MOST_PAUSE_MS);
    }
  }

  private long everyMillis() {
    NameNodePlacement there = nameNode.get();
    return there == null ? 0 : there.locationCheckMillis();
  }

  private void look() {
    try {
      NameNodePlacement there = nameNode.get();
      if (there != null) {
        check(there);
        failed = false;
      }
    } catch (RuntimeException | Error e) { // a site's class may throw anything; the thread goes on
      if (!failed) {
        failed = true;
        LOG.warn(
            "The mapping could not be asked again where DataNodes are; what was known stays", e);
      }
    }
  }

  /** Asks once where all are, and counts where somebody has moved. */
  void check(NameNodePlacement there) {
    DataNodeIndex seen = there.latest();
    if (seen == null) {
      return;
    }
    Map<String, Move> before = there.moves();
    Map<String, Move> now = moves(there, seen);
    if (!nodes.doubt().isEmpty() && there.locationDoubt().isEmpty()) {
      LOG.warn("Asked again where DataNodes are: {}", OneLine.of(nodes.doubt()));
    }
    there.locationDoubt(nodes.doubt());
    boolean changed = !now.equals(before);
    if (changed && there.moved(now)) {
      say(seen, before, now);
    }
    long due = countedAt + COUNT_REST * countTook;
    if (changed || !now.isEmpty() && System.nanoTime() - due > 0) {
      long from = System.nanoTime();
      there.doubled(count(there));
      countedAt = System.nanoTime();
      countTook = countedAt - from;
    }
  }

  private Map<String, Move> moves(NameNodePlacement there, DataNodeIndex seen) {
    if (mapping == null) {
      mapping = there.newMapping();
    }
    mapping.reloadCachedMappings();
    List<DatanodeDescriptor> all = seen.all();
    List<MovedNodes.Asked> asked = new ArrayList<>();
    Map<String, String> registered = new HashMap<>();
    for (int from = 0; from < all.size(); from += BATCH) {
      List<DatanodeDescriptor> batch = all.subList(from, Math.min(all.size(), from + BATCH));
      List<String> said = said(batch);
      for (int i = 0; i < batch.size(); i++) {
        String uuid = batch.get(i).getDatanodeUuid();
        registered.put(uuid, batch.get(i).getNetworkLocation());
        asked.add(new MovedNodes.Asked(uuid, registered.get(uuid), said.get(i)));
      }
    }
    Map<String, Move> moves = new TreeMap<>();
    nodes.look(asked).forEach((uuid, to) -> moves.put(uuid, new Move(registered.get(uuid), to)));
    return moves;
  }

  /** As Hadoop asks when a DataNode registers: an answer for each, of which some may be null. */
  private List<String> said(List<DatanodeDescriptor> nodes) {
    boolean byAddress = mapping instanceof CachedDNSToSwitchMapping;
    List<String> names = new ArrayList<>();
    nodes.forEach(node -> names.add(byAddress ? node.getIpAddr() : node.getHostName()));
    List<String> said = null;
    try {
      said = mapping.resolve(names);
    } catch (RuntimeException | Error e) {
      LOG.debug("{} did not say where {} are", mapping, names, e);
    }
    return said == null || said.size() != nodes.size()
        ? Collections.nCopies(nodes.size(), null)
        : said;
  }

  private static void say(DataNodeIndex seen, Map<String, Move> before, Map<String, Move> now) {
    if (now.isEmpty()) {
      LOG.info("All DataNodes are on the hosts again that they registered with");
      return;
    }
    List<String> named = new ArrayList<>();
    for (DatanodeDescriptor node : seen.all()) {
      Move move = now.get(node.getDatanodeUuid());
      if (move != null && named.size() < MOST_NAMED) {
        named.add(node + " from " + move.from() + " to " + move.to());
      }
    }
    LOG.warn(
        "{} of {} DataNodes are{} on other hosts than when they registered: {}{}. From now on no"
            + " two replicas are placed on one of these hosts. Their racks stay as they were until"
            + " they register again (restart them). The blocks that now have two replicas on one"
            + " host are being counted.",
        now.size(),
        seen.size(),
        !before.isEmpty() ? " now" : "",
        OneLine.of(String.join(", ", named)),
        now.size() > named.size() ? " and others" : "");
  }

  /** Blocks of DataNodes that have moved of which another replica is on the same host. */
  private long count(NameNodePlacement there) {
    DataNodeIndex seen = there.latest();
    long doubled = 0;
    for (DatanodeDescriptor node : seen.all()) {
      if (seen.hostIdentity().moves().containsKey(node.getDatanodeUuid())) {
        for (DatanodeStorageInfo storage : node.getStorageInfos()) {
          doubled += count(seen.hostIdentity(), node, storage);
        }
      }
    }
    return doubled;
  }

  private static long count(
      HostIdentity hosts, DatanodeDescriptor node, DatanodeStorageInfo storage) {
    long doubled = 0;
    int tries = 0;
    for (int done = 0; done < EvenkeelPlacementBridge.blocks(storage); ) {
      long from = System.nanoTime();
      List<BlockInfo> blocks = EvenkeelPlacementBridge.someBlocks(storage, done, PIECE);
      boolean early =
          blocks.size() < Math.min(PIECE, EvenkeelPlacementBridge.blocks(storage) - done);
      if (!early || ++tries >= TRIES) {
        doubled += blocks.stream().filter(block -> isDoubled(hosts, node, block)).count();
        done += PIECE;
        tries = 0;
      }
      long rest = Math.max(LEAST_REST_NANOS, REST * (System.nanoTime() - from));
      LockSupport.parkNanos(rest);
    }
    return doubled;
  }

  /** Whether another replica is on its host; a block that two moves double counts at the first. */
  private static boolean isDoubled(HostIdentity hosts, DatanodeDescriptor node, BlockInfo block) {
    String host = hosts.host(node);
    boolean doubled = false;
    try {
      for (DatanodeDescriptor other : MisplacedEstimate.places(block)) {
        if (other != node && hosts.host(other).equals(host)) {
          String uuid = other.getDatanodeUuid();
          doubled = true;
          if (hosts.moves().containsKey(uuid) && uuid.compareTo(node.getDatanodeUuid()) < 0) {
            return false;
          }
        }
      }
    } catch (RuntimeException | AssertionError e) {
      LOG.debug("{} changed while it was looked at", block, e);
    }
    return doubled;
  }

  /** What a status shows of moves; {@code blocks} is -1 before they were counted. */
  static String finding(DataNodeIndex seen, long blocks) {
    Map<String, Move> moves = seen.hostIdentity().moves();
    String named =
        seen.all().stream()
            .filter(node -> moves.containsKey(node.getDatanodeUuid()))
            .limit(MOST_NAMED)
            .map(node -> node + " to " + moves.get(node.getDatanodeUuid()).to())
            .collect(Collectors.joining(", "));
    return OneLine.of(
        moves.size()
            + " DataNodes are on other hosts than when they registered ("
            + named
            + "): restart them to correct their racks"
            + (blocks > 0
                ? "; about "
                    + blocks
                    + " blocks have two replicas on one host since: 'hdfs fsck / -replicate' (3.2 and"
                    + " later) or a failover has them copied"
                : ""));
  }
}
