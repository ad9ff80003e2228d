package io.evenkeel.placement.live;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.common.testing.Await;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A virtual machine moves to another host while its DataNode runs on. */
@Timeout(240)
class MovedHostIT {
  private static final int FILES = 60;

  private static List<Long> shown(String attribute) throws Exception {
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    List<Long> found = new ArrayList<>();
    for (ObjectName name :
        server.queryNames(new ObjectName("io.evenkeel:type=Placement,*"), null)) {
      found.add(((Number) server.getAttribute(name, attribute)).longValue());
    }
    return found;
  }

  @Test
  void dataNodeMoves_blocksAreCountedAndMendedAndNewOnesAreApart() throws Exception {
    Shape shape = new Shape(2, 2, 2).set("evenkeel.placement.location-check", "2s");
    try (TestCluster cluster = shape.ours()) {
      TestFiles files = new TestFiles(cluster.fs());
      files.write("/before", FILES, Shape.BLOCK / 4);
      Await.until("all replicas", () -> cluster.survey().notExact() == 0);
      assertThat(cluster.survey().onOneHost()).isZero();

      cluster.move(2, "/r1", "n1"); // from n2 in the same rack
      long doubled = cluster.survey().onOneHost();
      assertThat(doubled).as("blocks twice on a host").isPositive();
      Await.until(
          "they are counted",
          Duration.ofSeconds(60),
          () -> shown("BlocksDoubledByMoves").contains(doubled),
          () -> shown("BlocksDoubledByMoves"));
      assertThat(shown("MovedDataNodes")).contains(1L);
      assertThat(Tools.fsck(cluster.clientConf(), "/"))
          .contains("Mis-replicated blocks:\t\t" + doubled);

      files.write("/after", FILES, Shape.BLOCK / 4);
      assertThat(cluster.survey().onOneHost()).isEqualTo(doubled);

      cluster.lookAgain(0);
      Await.until(
          "hosts are apart",
          Duration.ofSeconds(100),
          () -> cluster.survey().onOneHost() + cluster.survey().notExact() == 0,
          cluster::survey);
      files.check();
    }
  }
}
