package io.evenkeel.placement.live;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.common.testing.Await;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Two racks of three hosts with two DataNodes each: written, bereft of a host, switched over. */
@Timeout(240)
class UniformClusterIT {
  private static final int FILES = 20;
  private static final int SIZE = 2 * Shape.BLOCK + 1000;

  @Test
  void nodeGroups_hostLost_everyBlockGetsItsReplicasBackByTheRules() throws Exception {
    try (TestCluster cluster = start(new Shape(2, 3, 2))) {
      losesAHost(cluster);
    }
  }

  /** The topology is the default one; hosts are told apart by name, all run on one address. */
  @Test
  @Tag("slow") // node groups are lost and mended in every run
  void plainRacks_hostLost_everyBlockGetsItsReplicasBackByTheRules() throws Exception {
    try (TestCluster cluster = start(new Shape(2, 3, 2).plainRacks())) {
      losesAHost(cluster);
    }
  }

  TestCluster start(Shape shape) throws Exception {
    return shape.ours();
  }

  private static void losesAHost(TestCluster cluster) throws Exception {
    TestFiles files = new TestFiles(cluster.fs());
    files.write("/f", FILES, SIZE);
    Await.until(
        "all replicas reported",
        Duration.ofSeconds(30),
        () -> cluster.survey().good(),
        cluster::survey);
    assertThat(cluster.copies()).isZero();
    try (Tools.Loop fsck = new Tools.Loop("fsck", () -> healthy(cluster))) {
      cluster.kill("n1");
      Await.until(
          "the loss is seen", Duration.ofSeconds(60), () -> cluster.dead() == 2, cluster::dead);
      Await.until(
          "the loss is mended",
          Duration.ofSeconds(90),
          () -> cluster.survey().good(),
          cluster::survey);
      fsck.finish();
    }
    assertThat(healthy(cluster)).containsPattern("Mis-replicated blocks:\\s+0 ");
    files.check();
  }

  private static String healthy(TestCluster cluster) throws Exception {
    String text = Tools.fsck(cluster.clientConf(), "/");
    assertThat(text).contains("is HEALTHY").contains("exit code 0");
    return text;
  }

  /** The mapping gives node groups already, but the policy and topology are still the defaults. */
  @Test
  void switchedOn_afterTheDefaultPolicy_copiesOnceEveryBlockThatIsTwiceOnAHost() throws Exception {
    try (TestCluster cluster = new Shape(2, 3, 2).stock()) {
      TestFiles files = new TestFiles(cluster.fs());
      files.write("/f", FILES, SIZE);
      Await.until(
          "all replicas",
          Duration.ofSeconds(30),
          () -> cluster.survey().notExact() == 0,
          cluster::survey);
      long violating = cluster.survey().onOneHost();
      assertThat(violating).isPositive();
      assertThat(cluster.copies()).isZero();

      cluster.restart(Shape.ourKeys(true));
      Await.until(
          "hosts are apart",
          Duration.ofSeconds(90),
          () -> cluster.survey().good(),
          cluster::survey);
      assertThat(Settled.value("copies", 3, cluster::copies)).isEqualTo(violating);
      assertThat(cluster.survey().good()).isTrue();
      files.check();
      files.write("/g", 5, SIZE);

      Map<String, String> none = new HashMap<>();
      Shape.ourKeys(true).keySet().forEach(key -> none.put(key, null));
      cluster.restart(none);
      files.check();
      assertThat(healthy(cluster)).contains("Missing blocks:\t\t0");
      files.write("/h", 5, SIZE);
      files.check();
    }
  }
}
