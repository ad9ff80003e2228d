package io.evenkeel.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.placement.namenode.BlockPlacementStatusWithHosts;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.junit.jupiter.api.Test;

/**
 * What the NameNode makes of a striped block that is complete but badly placed. It copies one
 * internal block and then deletes one of the two; which internal block, it decides itself, by
 * network locations. The policy must not ask for what such a copy does not bring, or copies never
 * end.
 */
class StripedMendingTest {
  private static final int MANY = 30;

  /** The internal block the NameNode copies: the first in the location with the most. */
  private static int source(List<DatanodeDescriptor> units) {
    Map<String, List<Integer>> byLocation = new HashMap<>();
    for (int i = 0; i < units.size(); i++) {
      String location = units.get(i).getNetworkLocation();
      byLocation.computeIfAbsent(location, l -> new ArrayList<>()).add(i);
    }
    List<Integer> most = List.of();
    for (List<Integer> there : byLocation.values()) {
      most = there.size() > most.size() ? there : most;
    }
    return most.get(0);
  }

  private static int missing(
      UniformStripedBlockPlacementPolicy policy, List<DatanodeDescriptor> units, int wanted) {
    return ((BlockPlacementStatusWithHosts)
            policy.verifyBlockPlacement(units.toArray(new DatanodeInfo[0]), wanted))
        .getAdditionalReplicasRequired();
  }

  /** Copies and deletes as the NameNode does until it is content; returns how often. */
  private static int mend(
      UniformStripedBlockPlacementPolicy policy, List<DatanodeDescriptor> units) {
    int wanted = units.size();
    for (int copies = 0; copies < MANY; copies++) {
      int missing = missing(policy, units, wanted);
      DatanodeStorageInfo[] targets =
          missing == 0
              ? DatanodeStorageInfo.EMPTY_ARRAY
              : TestCluster.chooseMore(policy, 1, units.get(0), units, units);
      List<DatanodeDescriptor> more = new ArrayList<>(units);
      more.addAll(TestCluster.nodesOf(targets));
      if (targets.length == 0 || missing(policy, more, wanted) >= missing) {
        return copies;
      }
      deleteOneOfTwo(policy, units, more, source(units));
    }
    return MANY;
  }

  private static void deleteOneOfTwo(
      UniformStripedBlockPlacementPolicy policy,
      List<DatanodeDescriptor> units,
      List<DatanodeDescriptor> more,
      int copied) {
    List<DatanodeStorageInfo> all = new ArrayList<>();
    more.forEach(node -> all.add(node.getStorageInfos()[0]));
    List<DatanodeStorageInfo> two = List.of(all.get(copied), all.get(units.size()));
    List<StorageType> types = new ArrayList<>(List.of(StorageType.DISK));
    List<DatanodeStorageInfo> deleted =
        policy.chooseReplicasToDelete(all, two, 1, types, null, null);
    assertThat(deleted).hasSize(1);
    if (deleted.get(0) == two.get(0)) {
      units.set(copied, more.get(units.size()));
    }
  }

  @Test
  void unitCopiedToAThirdRack_staysThere() {
    TestCluster cluster = TestCluster.flat();
    List<DatanodeDescriptor> units = new ArrayList<>();
    for (int i = 0; i < 9; i++) {
      units.add(cluster.add(i < 8 ? "/a" : "/b"));
    }
    DatanodeDescriptor fullest = cluster.add("/c");
    TestCluster.heartbeat(fullest, 10 * TestCluster.GIB, 0, StorageType.DISK);
    assertThat(mend(cluster.oursStriped(), units)).as("copies").isEqualTo(1);
    assertThat(units).contains(fullest);
  }

  /** The internal block that is copied is seldom one of the two that share the host. */
  @Test
  void unitsOfOneAddress_areNotMendedForEver() {
    TestCluster cluster = TestCluster.flat();
    List<DatanodeDescriptor> units = new ArrayList<>();
    for (int i = 0; i < 9; i++) {
      units.add(cluster.add(i < 6 ? "/a" : "/b", "10.0.0." + Math.min(i, 4), StorageType.DISK));
    }
    cluster.add("/a");
    cluster.add("/b");
    assertThat(mend(cluster.oursStriped(), units)).as("copies").isZero();
  }

  @Test
  void unitsOfOneNodeGroup_areSpread() {
    TestCluster cluster = TestCluster.withNodeGroups();
    List<DatanodeDescriptor> units = new ArrayList<>();
    for (int i = 0; i < 9; i++) {
      units.add(cluster.add("/" + "ab".charAt(i % 2) + "/h" + Math.max(i, 4)));
    }
    for (int i = 0; i < 8; i++) {
      cluster.add("/" + "abc".charAt(i % 3) + "/spare" + i);
    }
    assertThat(mend(cluster.oursStriped(), units)).as("copies").isBetween(1, 5);
    assertThat(TestCluster.locations(units)).hasSize(9);
  }

  /**
   * A group with one internal block is as good a source as another, even if it is alone in its
   * rack.
   */
  @Test
  void racksOfNodeGroups_areNotMendedForEver() {
    for (int shift = 0; shift < 20; shift++) {
      TestCluster cluster = TestCluster.withNodeGroups();
      List<DatanodeDescriptor> units = new ArrayList<>();
      for (int i = 0; i < 5; i++) {
        units.add(cluster.add((i < 4 ? "/a/h" : "/b/h") + (i + shift)));
      }
      cluster.add("/c/h" + shift);
      cluster.add("/c/i" + shift);
      assertThat(mend(cluster.oursStriped(), units)).as("copies").isLessThan(3);
    }
  }

  @Test
  void oneRackOfNodeGroups_becomesTwo() {
    TestCluster cluster = TestCluster.withNodeGroups();
    List<DatanodeDescriptor> units = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      units.add(cluster.add("/a/h" + i));
    }
    cluster.add("/b/h");
    assertThat(mend(cluster.oursStriped(), units)).as("copies").isEqualTo(1);
    assertThat(TestCluster.racks(units)).hasSize(2);
  }
}
