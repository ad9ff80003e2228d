package io.evenkeel.placement;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicy;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.net.Node;
import org.apache.hadoop.net.NodeBase;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Two racks, written from outside: the rack without the first replica gets two, so the first one
 * decides how even they are. Stock draws it by chance.
 */
class TwoRacksTest {
  private static final int BLOCKS = 4000;

  private static TestCluster cluster(int hostsOfTheFirst, int hostsOfTheSecond) {
    TestCluster cluster = TestCluster.withNodeGroups();
    for (int i = 0; i < 2 * (hostsOfTheFirst + hostsOfTheSecond); i++) {
      int host = i / 2;
      cluster.add((host < hostsOfTheFirst ? "/r0/h" : "/r1/h") + host);
    }
    return cluster;
  }

  /** Replicas on the DataNode that has most over the mean. */
  private static double maxOverMean(
      TestCluster cluster, BlockPlacementPolicy policy, int replicas, Node writer) {
    Map<DatanodeDescriptor, Integer> counts = new HashMap<>();
    for (int i = 0; i < BLOCKS; i++) {
      TestCluster.nodesOf(TestCluster.choose(policy, replicas, writer))
          .forEach(node -> counts.merge(node, 1, Integer::sum));
    }
    int most = counts.values().stream().max(Integer::compare).orElseThrow();
    return (double) most * cluster.nodes.size() / (BLOCKS * replicas);
  }

  @ParameterizedTest
  @CsvSource({"3, 3, 3", "5, 5, 3", "3, 3, 2", "4, 4, 4", "5, 5, 5"})
  void writerOutside_racksAreEven(int first, int second, int replicas) {
    TestCluster cluster = cluster(first, second);
    assertThat(maxOverMean(cluster, cluster.ours(), replicas, null)).isLessThan(1.03);
  }

  @ParameterizedTest
  @CsvSource({"3, 3", "3, 4", "3, 5", "3, 9"})
  void writerOutside_isNoWorseThanStock(int first, int second) {
    TestCluster cluster = cluster(first, second);
    double stock = maxOverMean(cluster, cluster.stock(), 3, null);
    assertThat(maxOverMean(cluster, cluster.ours(), 3, null)).isLessThan(stock);
  }

  /** A client in one of the racks, on none of the hosts: near is nice, even is better. */
  @Test
  void writerInOneOfTheRacks_racksAreEven() {
    TestCluster cluster = cluster(3, 3);
    Node client = new NodeBase("client", "/r0/client");
    assertThat(maxOverMean(cluster, cluster.ours(), 3, client)).isLessThan(1.03);
  }

  /** Replicas by rack and storage type. */
  private static Map<String, Integer> counts(BlockPlacementPolicy policy, String storagePolicy) {
    Map<String, Integer> counts = new TreeMap<>();
    for (int i = 0; i < BLOCKS; i++) {
      for (DatanodeStorageInfo target :
          TestCluster.choose(
              policy, 3, null, TestCluster.storagePolicy(storagePolicy), new ArrayList<>())) {
        String rack = TestCluster.rack(target.getDatanodeDescriptor());
        counts.merge(rack + " " + target.getStorageType(), 1, Integer::sum);
      }
    }
    return counts;
  }

  /** The pair is of another type than the first replica, and lightens no DataNode of that one's. */
  @ParameterizedTest
  @CsvSource({"ONE_SSD, SSD, DISK, 2", "ONE_SSD, SSD, DISK, 4", "WARM, DISK, ARCHIVE, 2"})
  void firstReplicaOfAnotherType_racksAreEven(
      String policy, StorageType first, StorageType pair, int racks) {
    TestCluster cluster = TestCluster.withNodeGroups();
    for (int i = 0; i < 12 * racks; i++) {
      StorageType type = i % 12 < 10 ? pair : first;
      cluster.add("/r" + i / 12 + "/h" + i / 2, type);
    }
    Map<String, Integer> stock = counts(cluster.stock(), policy);
    Map<String, Integer> ours = counts(cluster.ours(), policy);
    assertThat(ours).hasSameSizeAs(stock).hasSize(2 * racks);
    ours.forEach(
        (key, count) -> {
          int share = (key.endsWith(first.name()) ? 1 : 2) * BLOCKS / racks;
          assertThat(count).as(key).isBetween(share * 9 / 10, share * 11 / 10);
        });
  }

  /** The pair's type has loads of its own then, which say nothing of where the first one goes. */
  @ParameterizedTest
  @ValueSource(strings = {"volumes", "remaining"})
  void clientInARack_firstReplicaIsThereWhereRacksAreAlike(String weight) {
    TestCluster cluster = TestCluster.withNodeGroups();
    cluster.conf.set("evenkeel.placement.weight", weight);
    for (int i = 0; i < 36; i++) {
      cluster.add("/r" + i / 12 + "/h" + i / 2, i % 12 < 6 ? StorageType.DISK : StorageType.SSD);
    }
    UniformBlockPlacementPolicy ours = cluster.ours();
    int near = 0;
    for (int i = 0; i < 3000; i++) {
      String rack = "/r" + i % 3;
      DatanodeStorageInfo[] targets =
          TestCluster.choose(
              ours,
              3,
              new NodeBase("client", rack + "/client"),
              TestCluster.storagePolicy("ONE_SSD"),
              new ArrayList<>());
      near += TestCluster.rack(targets[0].getDatanodeDescriptor()).equals(rack) ? 1 : 0;
    }
    assertThat(near).isGreaterThan(2900);
  }
}
