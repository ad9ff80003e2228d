package io.evenkeel.placement.live;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.common.testing.Await;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo.AdminStates;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A HOT block has two replicas on one host, on DataNodes with DISK and ARCHIVE. To the NameNode,
 * which does not tell which of them a replica has, it may be a COLD one that has no other host.
 */
@Tag("slow")
@Timeout(300)
class UndecidedBlocksIT {
  private static final StorageType[] BOTH = {StorageType.DISK, StorageType.ARCHIVE};
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final Path FILE = new Path("/f/0");
  private static final String[] WITH_DISK_ONLY = {"n2", "n3", "n5", "n6"};

  private static long undecidedChecks() throws Exception {
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    long checks = 0;
    for (ObjectName name :
        server.queryNames(new ObjectName("io.evenkeel:type=Placement,*"), null)) {
      checks += (Long) server.getAttribute(name, "UndecidedChecks");
    }
    return checks;
  }

  private static void all(TestCluster cluster, AdminStates state) throws Exception {
    for (String host : WITH_DISK_ONLY) {
      cluster.admin(host, state);
      Await.until(host + " is " + state, () -> cluster.in(host, state));
    }
  }

  @Test
  void hotBlockOnTheHostsWithBothTypes_isCountedNamedByFsckAndMendedBySetrep() throws Exception {
    Shape shape =
        new Shape(2, 3, 2)
            .storage(StorageType.DISK, StorageType.DISK)
            .storage("n1", BOTH)
            .storage("n4", BOTH);
    try (TestCluster cluster = shape.ours()) {
      all(cluster, AdminStates.DECOMMISSIONED);
      TestFiles files = new TestFiles(cluster.fs());
      files.write("/f/", 1, Shape.BLOCK);
      assertThat(cluster.survey().mostOnOneHost()).isEqualTo(2);
      all(cluster, AdminStates.NORMAL);
      long before = undecidedChecks();

      Await.until(
          "fsck names it",
          LIMIT,
          () -> fsck(cluster).contains("It should be on 1 more host"),
          () -> fsck(cluster));
      Tools.fsck(cluster.clientConf(), "/f", "-replicate");
      assertThat(undecidedChecks()).as("checks of the NameNode").isGreaterThan(before);

      cluster.fs().setReplication(FILE, (short) 4);
      Await.until("a fourth", LIMIT, () -> replicas(cluster) == 4, cluster::survey);
      cluster.fs().setReplication(FILE, (short) 3);
      Await.until("three again", LIMIT, () -> replicas(cluster) == 3, cluster::survey);
      assertThat(cluster.survey().mostOnOneHost()).isEqualTo(1);
      assertThat(fsck(cluster)).doesNotContain("more host");
      files.check();
    }
  }

  private static String fsck(TestCluster cluster) throws Exception {
    return Tools.fsck(cluster.clientConf(), "/f", "-files", "-blocks");
  }

  private static int replicas(TestCluster cluster) throws Exception {
    return cluster.fs().getFileBlockLocations(FILE, 0, 1)[0].getNames().length;
  }
}
