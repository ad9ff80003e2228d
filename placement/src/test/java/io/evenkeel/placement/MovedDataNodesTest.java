package io.evenkeel.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.common.testing.Await;
import io.evenkeel.common.testing.LogLines;
import io.evenkeel.placement.namenode.HostIdentity;
import io.evenkeel.placement.namenode.NameNodePlacement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.AddBlockFlag;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.PlacementTesting;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * DataNodes whose virtual machine moves to another host while they stay registered: 0 and 1 are on
 * /r0/h0, 2 and 3 on /r0/h1 and so on, 6 to 11 in /r1.
 */
@Timeout(120)
class MovedDataNodesTest {
  private static final String MAPPING = "net.topology.node.switch.mapping.impl";

  private final TestCluster cluster = TestCluster.withNodeGroups(2, 3, 2);
  private final LogLines log = LogLines.of(LocationWatchLog.TYPE);

  /** The class is not public; its name is all that a log has of it. */
  private static final class LocationWatchLog {
    static final Class<?> TYPE = type();

    private static Class<?> type() {
      try {
        return Class.forName("io.evenkeel.placement.namenode.LocationWatch");
      } catch (ClassNotFoundException e) {
        throw new AssertionError(e);
      }
    }
  }

  @BeforeEach
  void map() {
    FakeSite.reset();
    cluster.conf.set(MAPPING, FakeSite.class.getName());
    cluster.conf.set("evenkeel.placement.location-check", "100ms");
    cluster.nodes.forEach(
        node -> FakeSite.TABLE.put(node.getHostName(), node.getNetworkLocation()));
  }

  /** Threads of an earlier test would ask the same site. */
  @AfterEach
  void end() throws Exception {
    log.close();
    Await.until(
        "the policy is collected and its thread ends",
        () -> {
          System.gc();
          return Thread.getAllStackTraces().keySet().stream()
              .noneMatch(thread -> thread.getName().equals("evenkeel-placement-locations"));
        });
    FakeSite.reset();
  }

  private void move(int node, String location) {
    FakeSite.TABLE.put(cluster.nodes.get(node).getHostName(), location);
  }

  private UniformBlockPlacementPolicy ours() {
    UniformBlockPlacementPolicy ours = cluster.ours();
    ours.index();
    return ours;
  }

  private static void waitFor(NameNodePlacement there, int moved) throws Exception {
    Await.until("moved DataNodes are seen", () -> there.movedDataNodes() == moved);
  }

  /** All are asked about twice more. */
  private void waitForTwoQuestions() throws Exception {
    int before = FakeSite.ASKED.size();
    int more = 2 * cluster.nodes.size();
    Await.until("they are asked about", () -> FakeSite.ASKED.size() >= before + more);
  }

  private List<DatanodeDescriptor> nodes(int... numbers) {
    List<DatanodeDescriptor> nodes = new ArrayList<>();
    for (int number : numbers) {
      nodes.add(cluster.nodes.get(number));
    }
    return nodes;
  }

  private DatanodeInfo[] places(int... numbers) {
    return nodes(numbers).toArray(new DatanodeInfo[0]);
  }

  @Test
  void dataNodeOnAnotherHost_newBlocksDoNotShareIt() throws Exception {
    move(2, "/r0/h0");
    UniformBlockPlacementPolicy ours = ours();
    waitFor(ours.nameNode(), 1);
    Set<DatanodeDescriptor> onHost = new HashSet<>(nodes(0, 1, 2));
    int used = 0;
    for (int i = 0; i < 500; i++) {
      DatanodeStorageInfo[] targets = TestCluster.choose(ours, 3, cluster.nodes.get(i % 12));
      List<DatanodeDescriptor> chosen = TestCluster.nodesOf(targets);
      assertThat(chosen).hasSize(3);
      assertThat(chosen.stream().filter(onHost::contains).count()).isLessThanOrEqualTo(1);
      used += chosen.contains(cluster.nodes.get(2)) ? 1 : 0;
    }
    assertThat(used).as("blocks on the DataNode that moved").isBetween(60, 190);
  }

  @Test
  void dataNodeOnAnotherHost_blocksAreJudgedAndMendedByIt() throws Exception {
    move(2, "/r0/h0");
    UniformBlockPlacementPolicy ours = ours();
    assertThat(ours.verifyBlockPlacement(places(0, 2, 6), 3).isPlacementPolicySatisfied()).isTrue();
    waitFor(ours.nameNode(), 1);
    assertThat(ours.verifyBlockPlacement(places(0, 2, 6), 3).isPlacementPolicySatisfied())
        .isFalse();
    assertThat(ours.verifyBlockPlacement(places(2, 3, 6), 3).isPlacementPolicySatisfied())
        .as("2 and 3 were on one host")
        .isTrue();
    List<DatanodeStorageInfo> replicas = new ArrayList<>();
    nodes(0, 2, 4, 6).forEach(node -> replicas.add(node.getStorageInfos()[0]));
    assertThat(
            ours.chooseReplicasToDelete(
                replicas, replicas, 3, new ArrayList<>(List.of(StorageType.DISK)), null, null))
        .singleElement()
        .extracting(DatanodeStorageInfo::getDatanodeDescriptor)
        .isIn(nodes(0, 2));
  }

  @Test
  void dataNodeOnAnotherHost_isToldOnceAndItsBlocksAreCounted() throws Exception {
    for (int i = 0; i < 300; i++) {
      PlacementTesting.addBlock(i, nodes(0, 2, 6));
      PlacementTesting.addBlock(1000 + i, nodes(2, 4, 8));
      PlacementTesting.addBlock(2000 + i, nodes(1, 6));
    }
    move(2, "/r0/h0");
    UniformBlockPlacementPolicy ours = ours();
    NameNodePlacement there = ours.nameNode();
    waitFor(there, 1);
    Await.until("its blocks are counted", () -> there.doubledBlocks() >= 0);
    assertThat(there.doubledBlocks()).isEqualTo(300);
    waitForTwoQuestions();
    assertThat(there.doubledBlocks()).isEqualTo(300);
    assertThat(log.at("WARN"))
        .singleElement()
        .asString()
        .startsWith("1 of 12 DataNodes are on other hosts than when they registered: ")
        .contains(" from /r0/h1 to /r0/h0. ");
  }

  /** Both replicas are on moved DataNodes: it is one block all the same. */
  @Test
  void twoDataNodesOnOneOtherHost_aBlockCountsOnce() throws Exception {
    for (int i = 0; i < 100; i++) {
      PlacementTesting.addBlock(i, nodes(2, 4, 6));
    }
    move(2, "/r0/new");
    move(4, "/r0/new");
    UniformBlockPlacementPolicy ours = ours();
    waitFor(ours.nameNode(), 2);
    Await.until("they are counted", () -> ours.nameNode().doubledBlocks() >= 0);
    assertThat(ours.nameNode().doubledBlocks()).isEqualTo(100);
  }

  @Test
  void dataNodeInAnotherRack_itsRackStays() throws Exception {
    move(2, "/r1/h3");
    UniformBlockPlacementPolicy ours = ours();
    waitFor(ours.nameNode(), 1);
    HostIdentity now = ours.index().hostIdentity();
    assertThat(now.rack(cluster.nodes.get(2))).isEqualTo("/r0");
    assertThat(now.host(cluster.nodes.get(2))).isEqualTo("/r1/h3");
    assertThat(ours.verifyBlockPlacement(places(2, 6, 8), 3).isPlacementPolicySatisfied())
        .as("6 is on /r1/h3")
        .isFalse();
    for (int i = 0; i < 300; i++) {
      List<DatanodeDescriptor> chosen = TestCluster.nodesOf(TestCluster.choose(ours, 3, null));
      chosen.retainAll(nodes(2, 6, 7));
      assertThat(chosen).hasSizeLessThanOrEqualTo(1);
    }
  }

  @Test
  void dataNodeMovesBack_nothingIsLeft() throws Exception {
    move(2, "/r0/h0");
    UniformBlockPlacementPolicy ours = ours();
    waitFor(ours.nameNode(), 1);
    move(2, "/r0/h1");
    waitFor(ours.nameNode(), 0);
    assertThat(ours.verifyBlockPlacement(places(0, 2, 6), 3).isPlacementPolicySatisfied()).isTrue();
    assertThat(log.at("INFO"))
        .containsExactly("All DataNodes are on the hosts again that they registered with");
  }

  @Test
  void dataNodeRegistersAgain_itIsWhereItSays() throws Exception {
    move(2, "/r0/h0");
    UniformBlockPlacementPolicy ours = ours();
    waitFor(ours.nameNode(), 1);
    DatanodeDescriptor node = cluster.nodes.get(2);
    cluster.topology.remove(node);
    node.setNetworkLocation("/r1/h5");
    cluster.topology.add(node);
    FakeSite.TABLE.put(node.getHostName(), "/r1/h5");
    Await.until(
        "its own word counts", () -> ours.index().hostIdentity().host(node).equals("/r1/h5"));
    assertThat(ours.index().hostIdentity().rack(node)).isEqualTo("/r1");
    waitFor(ours.nameNode(), 0);
  }

  static Stream<UnaryOperator<List<String>>> badAnswers() {
    return Stream.of(
        answer -> null,
        answer -> {
          throw new IllegalStateException("no answer");
        },
        answer -> answer.subList(1, answer.size()),
        answer -> Collections.nCopies(answer.size(), null),
        answer -> Collections.nCopies(answer.size(), "/default-rack"),
        answer -> Collections.nCopies(answer.size(), "/default-rack/default-nodegroup"),
        answer -> Collections.nCopies(answer.size(), "/default-rack/unknown-10.0.0.1"),
        answer -> Collections.nCopies(answer.size(), "/NotFound/NotFound"),
        answer -> Collections.nCopies(answer.size(), "/dc/r0/h0"),
        answer -> Collections.nCopies(answer.size(), "h0"));
  }

  @ParameterizedTest
  @MethodSource("badAnswers")
  void answerThatTellsNothing_allStayWhereTheyWere(UnaryOperator<List<String>> bad)
      throws Exception {
    move(2, "/r0/h0");
    UniformBlockPlacementPolicy ours = ours();
    waitFor(ours.nameNode(), 1);
    FakeSite.spoil = bad;
    waitForTwoQuestions();
    assertThat(ours.nameNode().movedDataNodes()).isEqualTo(1);
    assertThat(ours.index().hostIdentity().host(cluster.nodes.get(2))).isEqualTo("/r0/h0");
    assertThat(log.at("WARN")).hasSize(1);
  }

  @Test
  void siteBehindOurMapping_isSeenToo() throws Exception {
    cluster.conf.set(MAPPING, NodeGroupMapping.class.getName());
    cluster.conf.set("evenkeel.placement.mapping.wrapped", FakeSite.class.getName());
    cluster.nodes.forEach(node -> FakeSite.TABLE.put(node.getIpAddr(), node.getNetworkLocation()));
    FakeSite.TABLE.put(cluster.nodes.get(2).getIpAddr(), "/r0/h0");
    UniformBlockPlacementPolicy ours = ours();
    waitFor(ours.nameNode(), 1);
    FakeSite.TABLE.clear(); // it says unknown hosts of all
    waitForTwoQuestions();
    assertThat(ours.nameNode().movedDataNodes()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"location-check=0s", "host-key=address"})
  void switchedOffOrHostsAreAddresses_nobodyAsks(String setting) throws Exception {
    String[] parts = setting.split("=");
    cluster.conf.set("evenkeel.placement." + parts[0], parts[1]);
    move(2, "/r0/h0");
    UniformBlockPlacementPolicy ours = ours();
    long looks = ours.nameNode().looks();
    Await.until("some seconds pass", () -> ours.nameNode().looks() > looks + 3);
    assertThat(FakeSite.ASKED).isEmpty();
    assertThat(ours.nameNode().movedDataNodes()).isZero();
  }

  private void sayOfAll(UnaryOperator<String> location) {
    cluster.nodes.forEach(
        node -> FakeSite.TABLE.put(node.getHostName(), location.apply(node.getNetworkLocation())));
  }

  private List<String> warnings() {
    return log.at("WARN");
  }

  @ParameterizedTest
  @ValueSource(strings = {"best-effort", "strict"})
  void scriptWithoutItsTable_hostsStayAsRegistered(String fewHosts) throws Exception {
    cluster.conf.set("evenkeel.placement.few-hosts", fewHosts);
    sayOfAll(registered -> "/default/default");
    UniformBlockPlacementPolicy ours = ours();
    waitForTwoQuestions();
    waitForTwoQuestions();
    for (int i = 0; i < 100; i++) {
      List<DatanodeDescriptor> chosen = TestCluster.nodesOf(TestCluster.choose(ours, 3, null));
      assertThat(TestCluster.locations(chosen)).hasSize(3);
    }
    assertThat(ours.nameNode().movedDataNodes()).isZero();
    assertThat(warnings())
        .containsExactly(
            "Asked again where DataNodes are: 12 of 12 DataNodes are elsewhere than when they"
                + " registered: that looks like another mapping, not like machines that moved, and"
                + " is not believed");
  }

  @Test
  void allHostsRenamed_hostsStayAsRegistered() throws Exception {
    sayOfAll(registered -> registered.replace("/h", "/host-"));
    UniformBlockPlacementPolicy ours = ours();
    waitForTwoQuestions();
    waitForTwoQuestions();
    assertThat(ours.nameNode().movedDataNodes()).isZero();
    assertThat(warnings()).hasSize(1);
  }

  /** One machine's DataNodes would seem to be apart. */
  @Test
  void neighbourGivesNoAnswer_staysWhereItIs() throws Exception {
    move(2, "/r0/host-1");
    FakeSite.TABLE.remove(cluster.nodes.get(3).getHostName());
    UniformBlockPlacementPolicy ours = ours();
    waitForTwoQuestions();
    waitForTwoQuestions();
    assertThat(ours.nameNode().movedDataNodes()).isZero();
  }

  /** No rack would be left for a second replica on another host. */
  @Test
  void onlyHostOfARackMovesToAnother_strict_blocksAreWhole() throws Exception {
    cluster.nodes.subList(6, 12).forEach(cluster.topology::remove);
    cluster.nodes.subList(6, 12).clear();
    cluster.add("/r1/h9");
    FakeSite.TABLE.put(cluster.nodes.get(6).getHostName(), "/r0/h0");
    cluster.conf.set("evenkeel.placement.few-hosts", "strict");
    UniformBlockPlacementPolicy ours = ours();
    waitForTwoQuestions();
    waitForTwoQuestions();
    for (int i = 0; i < 100; i++) {
      assertThat(TestCluster.choose(ours, 3, cluster.nodes.get(0))).hasSize(3);
    }
    assertThat(ours.nameNode().movedDataNodes()).isZero();
  }

  @Test
  void slashAtTheEnd_nobodyHasMoved() throws Exception {
    sayOfAll(registered -> registered.replace("/h", "//h") + "/");
    UniformBlockPlacementPolicy ours = ours();
    waitForTwoQuestions();
    waitForTwoQuestions();
    assertThat(ours.nameNode().movedDataNodes()).isZero();
    assertThat(warnings()).isEmpty();
  }

  /** A glitch: the next look says as before. */
  @Test
  void oneWrongAnswer_nobodyHasMoved() throws Exception {
    AtomicInteger looks = new AtomicInteger();
    FakeSite.spoil =
        answer -> {
          if (looks.incrementAndGet() == 3) {
            answer.set(2, "/r0/h0");
          }
          return answer;
        };
    UniformBlockPlacementPolicy ours = ours();
    Await.until(
        "some looks",
        () -> {
          assertThat(ours.nameNode().movedDataNodes()).isZero();
          return looks.get() > 7;
        });
  }

  @Test
  void switchedOff_movesAreForgotten() throws Exception {
    move(2, "/r0/h0");
    UniformBlockPlacementPolicy ours = ours();
    waitFor(ours.nameNode(), 1);
    cluster.conf.set("evenkeel.placement.location-check", "0s");
    UniformBlockPlacementPolicy next = ours();
    waitFor(next.nameNode(), 0);
    assertThat(next.verifyBlockPlacement(places(0, 2, 6), 3).isPlacementPolicySatisfied()).isTrue();
  }

  /** A DataNode of another rack is on the writer's host now. */
  @Test
  void noLocalWrite_dataNodeFromAnotherRackOnTheHost_isLeftOut() throws Exception {
    move(6, "/r0/h0");
    UniformBlockPlacementPolicy ours = ours();
    waitFor(ours.nameNode(), 1);
    for (int i = 0; i < 300; i++) {
      DatanodeStorageInfo[] targets =
          TestCluster.choose(ours, 3, cluster.nodes.get(0), AddBlockFlag.NO_LOCAL_WRITE);
      assertThat(TestCluster.nodesOf(targets))
          .hasSize(3)
          .doesNotContainAnyElementsOf(nodes(0, 1, 6));
    }
  }

  @Test
  void mappingThrowsAnError_theNextLookIsMade() throws Exception {
    FakeSite.spoil =
        answer -> {
          throw new AssertionError("of a site's class");
        };
    UniformBlockPlacementPolicy ours = ours();
    waitForTwoQuestions();
    FakeSite.spoil = answer -> answer;
    move(2, "/r0/h0");
    waitFor(ours.nameNode(), 1);
  }
}
