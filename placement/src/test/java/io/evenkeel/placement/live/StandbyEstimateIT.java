package io.evenkeel.placement.live;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.common.testing.Await;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * How many blocks the first failover to the policy will have copied: the standby that has it says
 * so before, and that many are copied.
 */
@Tag("slow")
@Timeout(400)
class StandbyEstimateIT {
  private static final int FILES = 800;

  /** What NameNodes of this JVM say, those of earlier tests included, which have fewer blocks. */
  private static List<Long> estimates() throws Exception {
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    List<Long> found = new ArrayList<>();
    for (ObjectName name :
        server.queryNames(new ObjectName("io.evenkeel:type=Placement,*"), null)) {
      found.add((Long) server.getAttribute(name, "MisplacedBlocksEstimate"));
    }
    return found;
  }

  @Test
  void standbyHasThePolicy_saysWhatItsFailoverWillCopy() throws Exception {
    try (TestCluster cluster = new Shape(2, 3, 2).withTwoNameNodes().stock()) {
      TestFiles files = new TestFiles(cluster.fs());
      files.write("/f", FILES, Shape.BLOCK / 4);
      Await.until(
          "all replicas",
          Duration.ofSeconds(60),
          () -> cluster.survey().notExact() == 0,
          cluster::survey);
      long shared = cluster.survey().onOneHost();
      assertThat(shared).as("blocks twice on a host").isPositive();

      Configuration standby = cluster.mini().getConfiguration(1);
      Shape.ourKeys(true).forEach(standby::set);
      cluster.mini().getNameNodeRpc(0).rollEditLog(); // a standby reads whole segments only
      cluster.mini().restartNameNode(1, true);
      Await.until(
          "the standby says how many",
          Duration.ofSeconds(150),
          () -> estimates().stream().anyMatch(e -> Math.abs(e - shared) <= shared / 5),
          StandbyEstimateIT::estimates);
      assertThat(cluster.copies()).as("a standby copies nothing").isZero();

      cluster.mini().transitionToStandby(0);
      cluster.mini().transitionToActive(1);
      Await.until(
          "hosts are apart",
          Duration.ofSeconds(120),
          () -> cluster.survey().good(),
          cluster::survey);
      assertThat(Settled.value("copies", 5, cluster::copies)).isEqualTo(shared);
      files.check();
    }
  }
}
