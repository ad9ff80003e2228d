package io.evenkeel.placement.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.evenkeel.placement.core.BlockTargets.Relaxation;
import io.evenkeel.placement.core.TargetChecks.NotChosenReason;
import java.util.Arrays;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every ladder on a cluster so small that the rules leave little to chance. */
@Tag("once")
class ReplicaSearchTest {
  private static final int SEEDS = 25;

  private static Arguments row(
      String cluster, int replicas, String ask, String hosts, String relaxed) {
    return arguments(cluster, replicas, ask, hosts, relaxed);
  }

  /** Hosts as a pattern: {@code a0} is the first host of rack a. */
  static Stream<Arguments> shapes() {
    return Stream.of(
        row("a:1,1 b:1,1 c:1,1", 3, "on=a0", "a0 ([bc])(\\d) \\1(?!\\2)\\d", ""),
        row("a:1,1 b:1,1 c:1,1", 3, "", "(.)\\d (?!\\1)(.)(\\d) \\2(?!\\3)\\d", ""),
        row("a:3,3 b:3,3", 4, "on=a1", "a1 (b0 b1|b1 b0) a0", ""),
        row("a:1,1,1", 3, "on=a0", "a0 (a1 a2|a2 a1)", "ONE_RACK=2"),
        row("a:1 b:1 c:1", 3, "on=a0", "a0 (b0 c0|c0 b0)", "SHAPE=1"),
        row("a:1 b:1 c:1", 1, "on=c0", "c0", ""),
        row("a:1,1 b:1", 3, "on=a0", "a0 b0 a1", "SHAPE=1"),
        row("a:2 b:2", 3, "on=a0", "a0 b0 b0", "SHARED_HOST=1"),
        row("a:2 b:2", 3, "on=a0 strict", "a0 b0", ""),
        row("a:2,1", 3, "on=a0", "a0 a1 a0", "ONE_RACK=2 SHARED_HOST=1"),
        row("a:2,1", 3, "on=a0 strict", "a0 a1", "ONE_RACK=1"),
        row("a:3", 3, "on=a0", "a0 a0 a0", "ONE_RACK=2 SHARED_HOST=2"),
        row("a:3", 3, "on=a0 strict", "a0", ""),
        row("a:1 b:1", 3, "on=a0", "a0 b0", ""));
  }

  static Stream<Arguments> writers() {
    return Stream.of(
        row("a:3,1 b:1", 1, "host=a0", "a0", ""),
        row("a:1,1 b:1", 1, "rack=b", "b0", ""),
        row("a:1,1 b:1", 2, "rack=b", "b0 a\\d", ""),
        row("a:1,1 b:1", 1, "rack=b out=b0", "a\\d", "NOT_LOCAL=1"),
        row("a:1,1 b:1", 1, "on=a0 out=a0", "a1", "NOT_LOCAL=1"),
        row("a:1,1 b:1", 1, "on=a0 out=a0,a1", "b0", "NOT_LOCAL=1"),
        row("a:1,1 b:1", 1, "host=a1 out=a1", "a0", "NOT_LOCAL=1"),
        row("a:1,1 b:1", 1, "host=a1 out=a0,a1", "b0", "NOT_LOCAL=1"),
        row("a:1 b:1", 1, "out=b0", "a0", ""));
  }

  static Stream<Arguments> copies() {
    return Stream.of(
        row("a:1,1 b:1,1", 2, "have=a0 on=a0", "b\\d a1", ""),
        row("a:1,1 b:1,1", 2, "have=a0", "(b0 b1|b1 b0)", ""),
        row("a:1,1 b:1,1", 1, "have=a0,b0 on=a0", "a1", ""),
        row("a:1,1 b:1,1", 1, "have=a0,b0 on=b0", "b1", ""),
        row("a:1,1 b:1,1", 1, "have=a0,b0", "b1", ""),
        row("a:1,1 b:1,1 c:1", 1, "have=a0,b0 on=c0", "b1", ""),
        row("a:1,1 b:1,1", 1, "have=a0,b0 on=b0 out=b1", "a1", "SHAPE=1"),
        row("a:1,1,1 b:1", 1, "have=a0,a1 on=a0", "b0", ""),
        row("a:1,1,1 b:1", 2, "have=a0,a1 out=b0", "a2", "ONE_RACK=1"),
        row("a:2 b:1,1", 1, "have=a0,b0 on=a0", "b1", "SHAPE=1"),
        row("a:2 b:1", 1, "have=a0,b0 on=a0", "a0", "SHARED_HOST=1"),
        row("a:2 b:1", 1, "have=a0,b0 on=a0 strict", "", ""));
  }

  /** A host is shared once as many are in use as said, with those that have a replica already. */
  static Stream<Arguments> sharedHostsAfter() {
    return Stream.of(
        row("a:3 b:1", 3, "on=a0 after=2", "a0 b0 a0", "SHAPE=1 SHARED_HOST=1"),
        row("a:3 b:1", 3, "on=a0 after=2 out=b0", "a0", ""),
        row("a:3 b:1", 3, "on=a0 after=1 out=b0", "a0 a0 a0", "ONE_RACK=2 SHARED_HOST=2"),
        row("a:3 b:1", 3, "on=a0 after=0 out=b0", "a0 a0 a0", "ONE_RACK=2 SHARED_HOST=2"),
        row("a:3 b:1", 3, "on=a0 after=3", "a0 b0", ""),
        row("a:2 b:2 c:1", 3, "have=a0 on=a0 after=3 out=c0", "b0", ""),
        row("a:2 b:2 c:1", 1, "have=a0,b0 on=a0 after=2 out=c0", "a0", "SHARED_HOST=1"),
        row("a:2 b:2 c:1", 1, "have=a0,b0 on=a0 after=3 out=c0", "", ""));
  }

  static Stream<Arguments> limits() {
    return Stream.of(
        row("a:1,1 b:1,1", 2, "on=a0 out=b0,b1", "a0 a1", "ONE_RACK=1"),
        row("a:1,1 b:1,1", 2, "on=a0 out=b0", "a0 b1", ""),
        row("a:1,1 b:1,1", 4, "on=a0 out=b0", "a0 b1 a1", "SHAPE=1"),
        row("a:1,1,1,1 b:1", 5, "on=a0 limit=3", "a0 b0 a\\d a\\d", "SHAPE=1"),
        row("a:4 b:1,1", 4, "on=a0 limit=2", "a0 b\\d b\\d a0", "SHARED_HOST=1"),
        row("a:4 b:1,1", 5, "on=a0 limit=2", "a0 b\\d b\\d a0", "SHARED_HOST=1"),
        row("a:1,1 b:1 c:1", 3, "on=a0 limit=1", "a0 [bc]0 [bc]0", "SHAPE=1"),
        row("a:1,1", 2, "on=a0 limit=1", "a0", ""));
  }

  static Stream<Arguments> maintenance() {
    return Stream.of(
        row("a:1,1 b:1,1", 2, "on=a0 soft=b0", "a0 b1", ""),
        row("a:1,1 b:1,1", 3, "on=a0 soft=b0", "a0 b1 a1", "SHAPE=1"),
        row("a:1,1 b:1,1", 4, "on=a0 soft=b0", "a0 b1 a1 b0", "MAINTENANCE_HOST=1 SHAPE=1"),
        row("a:1,1 b:1", 2, "on=a0 soft=b0", "a0 b0", "MAINTENANCE_HOST=1"),
        row("a:2 b:1", 2, "on=a0 soft=b0", "a0 b0", "MAINTENANCE_HOST=1"),
        row("a:2,1", 2, "on=a0 soft=a1", "a0 a1", "MAINTENANCE_HOST=1 ONE_RACK=1"),
        row("a:1,1", 1, "on=a0 soft=a0", "a1", "NOT_LOCAL=1"),
        row("a:2", 2, "on=a0 soft=a0", "a0 a0", "MAINTENANCE_HOST=1 ONE_RACK=1 SHARED_HOST=1"),
        row("a:1,1 b:1", 1, "soft=a0,b0", "a1", ""));
  }

  static Stream<Arguments> maintenanceInOneRack() {
    return Stream.of(
        row("a:1,1,1", 2, "on=a0 soft=a2", "a0 a1", "ONE_RACK=1"),
        row("a:1,1,1 b:1", 2, "on=a0 soft=a2 out=b0", "a0 a1", "ONE_RACK=1"),
        row("a:1,1,1", 3, "on=a0 soft=a2", "a0 a1 a2", "MAINTENANCE_HOST=1 ONE_RACK=2"),
        row("a:1,1,1 b:1", 2, "have=a0 out=b0 soft=a1", "a2 a1", "MAINTENANCE_HOST=1 ONE_RACK=2"));
  }

  @ParameterizedTest
  @MethodSource({"shapes", "writers", "copies", "limits", "maintenance", "maintenanceInOneRack"})
  @MethodSource("sharedHostsAfter")
  void replicated_ladder(String spec, int replicas, String ask, String hosts, String relaxed) {
    FakeCluster cluster = FakeCluster.of(spec);
    for (int seed = 0; seed < SEEDS; seed++) {
      BlockTargets placement =
          cluster
              .engine(seed)
              .replicated(Asked.request(cluster, replicas, ask), new FakeChecks(cluster, replicas));
      assertThat(cluster.hosts(placement.nodes())).matches(hosts);
      assertThat(placement.nodes()).doesNotHaveDuplicates();
      assertThat(Asked.relaxed(placement)).isEqualTo(relaxed);
    }
  }

  private static BlockTargets place(
      FakeCluster cluster, FakeChecks targets, BiConsumer<BlockRequest, HostTopology> ask) {
    BlockRequest request = new BlockRequest(3);
    ask.accept(request, cluster.topology);
    return cluster.engine(1).replicated(request, targets);
  }

  @Test
  void replicated_oneSsdWanted_takesTheOnlyOneAndDisksForTheRest() {
    FakeCluster cluster = FakeCluster.of("a:1,1 b:1,1 c:1,1");
    Arrays.fill(cluster.types, 0b10);
    cluster.types[cluster.node("b1")] = 0b11;
    FakeChecks targets = new FakeChecks(cluster, 1, 2);
    BlockTargets placement = place(cluster, targets, (r, v) -> r.writtenOn(v, cluster.node("a0")));
    assertThat(placement.size()).isEqualTo(3);
    assertThat(placement.nodes()).contains(cluster.node("a0"), cluster.node("b1"));
    assertThat(targets.typesTaken).containsExactlyInAnyOrder(1, 0, 1);
  }

  @Test
  void replicated_typeNobodyHas_isARefusalAndNoReplica() {
    FakeCluster cluster = FakeCluster.of("a:1,1 b:1,1");
    BlockTargets placement = place(cluster, new FakeChecks(cluster, 0, 3), (r, v) -> {});
    assertThat(placement.nodes()).isEmpty();
    assertThat(placement.refusals(NotChosenReason.NO_REQUIRED_STORAGE_TYPE)).isPositive();
    assertThat(placement.mostOnOneHost()).isZero();
  }

  @Test
  void replicated_writerLacksTheType_anotherOfItsHostTakesIt() {
    FakeCluster cluster = FakeCluster.of("a:2,1 b:1,1");
    cluster.types[0] = 0b10;
    BlockTargets placement =
        place(cluster, new FakeChecks(cluster, 3), (r, v) -> r.writtenOn(v, 0));
    assertThat(placement.nodes()[0]).isEqualTo(1);
    assertThat(placement.refusals(NotChosenReason.NOT_ENOUGH_STORAGE_SPACE)).isEqualTo(1);
    assertThat(placement.relaxations(Relaxation.NOT_LOCAL)).isZero();
  }

  @Test
  void replicated_refusal_isAskedOnceAndAnotherTakesIt() {
    FakeCluster cluster = FakeCluster.of("a:1 b:1,1,1");
    FakeChecks targets = new FakeChecks(cluster, 3);
    targets.refused.set(cluster.node("b0"));
    targets.refused.set(cluster.node("a0"));
    BlockTargets placement = place(cluster, targets, (r, v) -> r.writtenOn(v, cluster.node("a0")));
    assertThat(cluster.hosts(placement.nodes())).matches("(b1 b2|b2 b1)");
    assertThat(placement.refusals(NotChosenReason.NODE_TOO_BUSY)).isEqualTo(2);
  }

  @Test
  void replicated_dependents_areNotUsedBeside() {
    FakeCluster cluster = FakeCluster.of("a:1 b:1,1 c:1");
    FakeChecks targets =
        new FakeChecks(cluster, 3).dependents(cluster.node("b0"), cluster.node("c0"));
    BlockTargets placement = place(cluster, targets, (r, v) -> r.writtenOn(v, cluster.node("a0")));
    assertThat(cluster.hosts(placement.nodes())).isEqualTo("a0 b1");
  }

  @Test
  void replicated_dependentsOfReplicasThatExist_areNotUsedBeside() {
    FakeCluster cluster = FakeCluster.of("a:1 b:1,1 c:1");
    FakeChecks targets =
        new FakeChecks(cluster, 2).dependents(cluster.node("b0"), cluster.node("c0"));
    BlockTargets placement = place(cluster, targets, (r, v) -> r.chosen(cluster.node("a0")));
    assertThat(cluster.hosts(placement.nodes())).isEqualTo("b1");
  }

  @Test
  void replicated_writersHost_isLocalUnlessLoadMatters() {
    FakeCluster cluster = FakeCluster.of("a:3,1 b:1,1");
    for (boolean byLoad : new boolean[] {true, false}) {
      FakeChecks targets = new FakeChecks(cluster, 3);
      place(cluster, targets, (r, v) -> r.writtenOnHost(v, cluster.host("a0"), byLoad));
      assertThat(targets.locals).containsExactly(!byLoad, false, false);
    }
  }

  @Test
  void replicated_oneHostInTwoRacks_isUsedOnce() {
    FakeCluster cluster =
        new FakeCluster(
            Arrays.asList(
                new HostTopology.Place("a", "h"),
                new HostTopology.Place("b", "h"),
                new HostTopology.Place("b", "g")));
    BlockTargets strict =
        place(
            cluster,
            new FakeChecks(cluster, 3),
            (r, v) -> r.writtenOn(v, 0).sharedHostsAfter(Integer.MAX_VALUE));
    assertThat(cluster.hosts(strict.nodes())).isEqualTo("h g");
    BlockTargets shared = place(cluster, new FakeChecks(cluster, 3), (r, v) -> r.writtenOn(v, 0));
    assertThat(cluster.hosts(shared.nodes())).isEqualTo("h g h");
    assertThat(shared.mostOnOneHost()).isEqualTo(2);
  }

  @Test
  void replicated_existingReplicas_countForMostOnOneHost() {
    FakeCluster cluster = FakeCluster.of("a:2,1 b:1");
    BlockTargets placement =
        place(cluster, new FakeChecks(cluster, 3), (r, v) -> r.chosen(cluster.nodes("a0")));
    assertThat(cluster.hosts(placement.nodes())).isEqualTo("b0 a1");
    assertThat(placement.mostOnOneHost()).isEqualTo(2);
  }

  @Test
  void replicated_twoMoreInOneRack_bothItsHostsCountButOneAloneIsTheLeastLoaded() {
    FakeCluster cluster = FakeCluster.of("a:1 b:1,1 c:1,1");
    for (int replicas = 2; replicas <= 3; replicas++) {
      PlacementEngine engine = cluster.engine(1);
      for (int i = 0; i < 25; i++) {
        engine.give(cluster.node("b1"), 0);
        engine.give(cluster.node(i < 10 ? "c0" : "a0"), 0);
        engine.give(cluster.node(i < 10 ? "c1" : "a0"), 0);
      }
      BlockTargets placement =
          engine.replicated(
              Asked.request(cluster, replicas, "on=a0"), new FakeChecks(cluster, replicas));
      assertThat(cluster.hosts(placement.nodes()))
          .matches(replicas == 2 ? "a0 b0" : "a0 (c0 c1|c1 c0)");
    }
  }
}
