package io.evenkeel.placement.namenode;

import io.evenkeel.placement.core.BlockRequest;
import io.evenkeel.placement.core.ClusterView;
import io.evenkeel.placement.core.Spread;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.EvenkeelPlacementBridge;
import org.apache.hadoop.net.Node;

/**
 * Translates what a NameNode asks for, in descriptors, into a {@link BlockRequest}, in numbers of a
 * {@link ClusterIndex}. Stateless. Separate from the policy, since it decides nothing.
 */
public final class BlockRequests {
  private BlockRequests() {}

  /** A request for more replicas beside {@code results}, not on {@code excluded}. */
  public static BlockRequest of(
      ClusterIndex index,
      int replicas,
      List<DatanodeStorageInfo> results,
      Collection<Node> excluded) {
    BlockRequest request = new BlockRequest(replicas);
    request.chosen(numbers(index, results));
    int[] out = new int[excluded.size()];
    int outs = 0;
    for (Node node : excluded) {
      int number = index.number(node);
      if (number >= 0) {
        out[outs++] = number;
      }
      occupiesHost(index, request, node, number);
    }
    return request.excluded(Arrays.copyOf(out, outs));
  }

  /**
   * Those of replicas. One whose DataNode is not in the index yet, or has moved since, is told by
   * another DataNode of its host or rack: neither may get too many.
   */
  private static int[] numbers(ClusterIndex index, List<DatanodeStorageInfo> replicas) {
    int[] found = new int[replicas.size()];
    int count = 0;
    List<DatanodeDescriptor> unknown = Collections.emptyList();
    for (DatanodeStorageInfo replica : replicas) {
      int number = index.number(replica.getDatanodeDescriptor());
      if (number >= 0) {
        found[count++] = number;
      } else {
        unknown = unknown.isEmpty() ? new ArrayList<>() : unknown;
        unknown.add(replica.getDatanodeDescriptor());
      }
    }
    for (DatanodeDescriptor node : unknown) {
      int[] known = Arrays.copyOf(found, count);
      int standIn = index.standIn(node, other -> Arrays.stream(known).noneMatch(n -> n == other));
      if (standIn >= 0) {
        found[count++] = standIn;
      }
    }
    return Arrays.copyOf(found, count);
  }

  /**
   * How many hosts a block has to be on before it may share one: those of its replicas and all that
   * could take one. Which storage types they have does not matter: a storage policy that fits none
   * of a host falls back to others, and that comes before a second replica on a host. A host that
   * is of no use all the same, as one whose DataNodes are excluded, costs a second attempt (see
   * {@link EvenkeelPlacementBridge#chooseTarget}) but no replica.
   */
  public static int hostsToUse(
      ClusterIndex index, BlockRequest request, List<DatanodeStorageInfo> results) {
    Spread eligible = index.eligible();
    if (results.isEmpty() || eligible.hosts() >= request.total()) {
      return eligible.hosts();
    }
    return eligible.hostsWith(used(index, results));
  }

  /**
   * Whether a block has to share hosts unless it uses full ones: its own and those with room for
   * one of these storage types are fewer than its replicas.
   */
  public static boolean fewHosts(
      ClusterIndex index, BlockRequest request, List<DatanodeStorageInfo> results, int typeBits) {
    return index.eligible().fewerHosts(used(index, results), typeBits, request.total());
  }

  private static Set<String> used(ClusterIndex index, List<DatanodeStorageInfo> results) {
    ClusterView view = index.engine().view();
    Set<String> used = new HashSet<>();
    for (int number : numbers(index, results)) {
      used.add(view.hostKey(view.hostOf(number)));
    }
    return used;
  }

  /**
   * A replica in maintenance comes back: as long as there are other hosts its own is taken, also
   * while its DataNode is switched off, which the topology does not have then.
   */
  private static void occupiesHost(
      ClusterIndex index, BlockRequest request, Node node, int number) {
    if (node instanceof DatanodeDescriptor && ((DatanodeDescriptor) node).isMaintenance()) {
      int host =
          number >= 0
              ? index.engine().view().hostOf(number)
              : index.hostOf((DatanodeDescriptor) node);
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
  public static void writer(
      ClusterIndex index, BlockRequest request, Node writer, boolean preferLocal) {
    if (writer == null) {
      return;
    }
    ClusterView view = index.engine().view();
    int number = index.number(writer);
    if (number >= 0) {
      onDataNode(index, request, number, preferLocal);
      return;
    }
    String location = writer.getNetworkLocation();
    int rack = view.rackOf(index.hostIdentity().rackOf(location));
    int host = rack < 0 ? -1 : view.hostOf(view.rackKey(rack), location);
    if (host >= 0) {
      request.writtenOnHost(view, host, true);
    } else if (rack >= 0) {
      request.writtenInRack(rack, true);
    }
  }

  private static void onDataNode(
      ClusterIndex index, BlockRequest request, int number, boolean preferLocal) {
    ClusterView view = index.engine().view();
    int host = view.hostOf(number);
    if (!preferLocal) {
      request.writtenInRack(view.rackOf(number), false);
    } else if (index.hostIdentity().kind() == HostIdentity.Kind.NODE_GROUP
        || view.firstNodeOfHost(host + 1) - view.firstNodeOfHost(host) == 1) {
      request.writtenOn(view, number);
    } else {
      // the NameNode knows the writer by its address only, which all DataNodes there share
      request.writtenOnHost(view, host, false);
    }
  }
}
