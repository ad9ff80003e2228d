package io.evenkeel.placement.choice;

import java.util.Set;
import org.apache.hadoop.hdfs.AddBlockFlag;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.net.NetworkTopology;
import org.apache.hadoop.net.Node;

/** Where the pipeline of a block may begin, and in which order it goes. Stateless. */
public final class Pipeline {
  private Pipeline() {}

  /** Whether the client wants no replica on its host; {@code flags} may be null. */
  public static boolean notLocal(Set<AddBlockFlag> flags) {
    return flags != null && flags.contains(AddBlockFlag.NO_LOCAL_WRITE);
  }

  /** Orders targets by nearness, each to the one before it. */
  public static DatanodeStorageInfo[] inOrder(
      NetworkTopology map, Node writer, DatanodeStorageInfo[] ordered) {
    Node last = map.contains(writer) ? writer : ordered[0].getDatanodeDescriptor();
    for (int i = 0; i < ordered.length; i++) {
      int nearest = i;
      for (int j = i + 1; j < ordered.length; j++) {
        nearest =
            distance(map, last, ordered[j]) < distance(map, last, ordered[nearest]) ? j : nearest;
      }
      DatanodeStorageInfo next = ordered[nearest];
      ordered[nearest] = ordered[i];
      ordered[i] = next;
      last = next.getDatanodeDescriptor();
    }
    return ordered;
  }

  private static int distance(NetworkTopology map, Node from, DatanodeStorageInfo to) {
    return map.getDistance(from, to.getDatanodeDescriptor());
  }
}
