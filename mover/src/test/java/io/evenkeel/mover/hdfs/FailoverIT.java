package io.evenkeel.mover.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.mover.FileMover;
import io.evenkeel.mover.core.plan.FileView;
import io.evenkeel.mover.core.task.MoveResult.Kind;
import io.evenkeel.mover.engine.LocalMoveLease.State;
import io.evenkeel.mover.request.FileOutcome;
import io.evenkeel.mover.request.MoveListener;
import io.evenkeel.mover.request.MoveReport;
import io.evenkeel.mover.request.MoveRequest;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.MiniDFSNNTopology;
import org.apache.hadoop.hdfs.server.namenode.ha.HATestUtil;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Two NameNodes, of which the other one becomes active in the middle. */
@Timeout(300)
class FailoverIT {
  private static final int FILES = 6;
  private static final int BLOCKS = 4;

  @Test
  void failover_betweenListingAndMove_isNotNoticedAndTheLeaseStays(@TempDir Path dir)
      throws Exception {
    Configuration conf = MoverCluster.conf(dir);
    conf.setBoolean("dfs.block.access.token.enable", true);
    conf.setInt("dfs.ha.tail-edits.period", 1);
    StorageType[] each = {StorageType.DISK, StorageType.SSD, StorageType.ARCHIVE};
    try (MoverCluster cluster = start(conf, new StorageType[][] {each, each, each})) {
      MiniDFSCluster mini = cluster.mini();
      URI service = URI.create("hdfs://ns");
      org.apache.hadoop.fs.Path path = new org.apache.hadoop.fs.Path("/f");
      try (HdfsConnection connection = HdfsConnection.open(conf, service);
          DistributedFileSystem fs =
              (DistributedFileSystem) FileSystem.newInstance(service, conf)) {
        try (OutputStream out = fs.create(path, (short) 3)) {
          out.write(new byte[MoverCluster.BLOCK + 5]);
        }
        fs.setStoragePolicy(path, "ALL_SSD");
        HdfsNamespace namespace = new HdfsNamespace(connection);
        connection.checkUpgrade(false);
        namespace.cluster();
        FileView file = MoverCluster.file(namespace, "/f");
        HdfsLocalMoveLease lease = new HdfsLocalMoveLease(connection);
        HdfsLocalMoveLease other = new HdfsLocalMoveLease(connection);
        assertThat(lease.take()).isNull();
        assertThat(lease.look()).isEqualTo(State.HELD);

        mini.transitionToStandby(0);
        mini.transitionToActive(1);

        assertThat(lease.look()).isEqualTo(State.HELD);
        assertThat(other.take()).contains("held by another mover");
        assertThat(lease.look()).isEqualTo(State.WANTED);
        lease.release();
        assertThat(other.take()).isNull();
        lease.close(false);
        other.close(false);
        assertThat(MoverCluster.moveAll(connection, file, "SSD"))
            .hasSize(6)
            .allMatch(r -> r.kind() == Kind.DONE);
        MoverCluster.awaitAll(namespace, "/f", "SSD", 3);
        assertThat(connection.pathOf(new org.apache.hadoop.fs.Path("hdfs://ns/f"))).isEqualTo("/f");
        assertThat(namespace.cluster().nodes()).hasSize(3);
      }
      try (HdfsConnection standby = HdfsConnection.open(conf, mini.getURI(0))) {
        assertThatThrownBy(() -> new HdfsNamespace(standby).list("/", null))
            .hasMessageContaining("standby")
            .hasMessageContaining(mini.getURI(0).getAuthority());
      }
    }
  }

  /** Between DataNodes with disks and those with SSDs. */
  @Test
  void threeFailovers_inTheMiddleOfAMove_allMovedAndEveryByteThere(@TempDir Path dir)
      throws Exception {
    threeFailovers(true, dir);
  }

  /** The first test has a failover before moves inside DataNodes, the second one three. */
  @Test
  @Tag("slow")
  void threeFailovers_inTheMiddleOfAMoveInsideDataNodes_allMovedAndEveryByteThere(@TempDir Path dir)
      throws Exception {
    threeFailovers(false, dir);
  }

  private static void threeFailovers(boolean apart, Path dir) throws Exception {
    Configuration conf = MoverCluster.conf(dir);
    conf.setInt("dfs.ha.tail-edits.period", 1);
    // a NameNode that became active deletes no replica in excess before it has such a report
    conf.setInt("dfs.blockreport.intervalMsec", 2000);
    conf.setInt("dfs.blockreport.initialDelay", 0);
    StorageType[] disk = {StorageType.DISK, StorageType.DISK};
    StorageType[] ssd = {StorageType.SSD, StorageType.SSD};
    StorageType[] both = {StorageType.DISK, StorageType.SSD};
    StorageType[][] types =
        apart
            ? new StorageType[][] {disk, disk, disk, ssd, ssd, ssd}
            : new StorageType[][] {both, both, both};
    try (MoverCluster cluster = start(conf, types)) {
      MiniDFSCluster mini = cluster.mini();
      URI service = URI.create("hdfs://ns");
      try (DistributedFileSystem fs =
          (DistributedFileSystem) FileSystem.newInstance(service, conf)) {
        Map<String, byte[]> written = write(fs);
        fs.setStoragePolicy(new org.apache.hadoop.fs.Path("/m"), "ALL_SSD");
        FailingOver failingOver = new FailingOver(mini);
        try (FileMover mover = FileMover.open(conf)) {
          MoveReport report =
              mover
                  .move(
                      MoveRequest.of("/m")
                          .bytesPerSecond(10L * MoverCluster.BLOCK) // all long before the end
                          .listener(failingOver)
                          .build())
                  .get(200, TimeUnit.SECONDS);
          assertThat(failingOver.movedBefore).hasSize(3);
          assertThat(report.isSatisfied()).as(report.listed().toString()).isTrue();
          assertThat(report.files(FileOutcome.MOVED)).isEqualTo(FILES);
        }
        try (HdfsConnection connection = HdfsConnection.open(conf, service)) {
          HdfsNamespace namespace = new HdfsNamespace(connection);
          for (Map.Entry<String, byte[]> file : written.entrySet()) {
            MoverCluster.awaitAll(namespace, file.getKey(), "SSD", 3);
            try (InputStream in = fs.open(new org.apache.hadoop.fs.Path(file.getKey()))) {
              assertThat(in.readAllBytes()).as(file.getKey()).isEqualTo(file.getValue());
            }
          }
        }
      }
    }
  }

  /** Two NameNodes, the first one active, and the nameservice ns in the configuration. */
  private static MoverCluster start(Configuration conf, StorageType[][] types) throws Exception {
    MoverCluster cluster =
        MoverCluster.of(
            new MiniDFSCluster.Builder(conf)
                .nnTopology(MiniDFSNNTopology.simpleHATopology())
                .numDataNodes(types.length)
                .storagesPerDatanode(types[0].length)
                .storageTypes(types)
                .build());
    cluster.mini().waitActive();
    cluster.mini().transitionToActive(0);
    HATestUtil.setFailoverConfigurations(cluster.mini(), conf, "ns");
    return cluster;
  }

  private static Map<String, byte[]> write(DistributedFileSystem fs) throws IOException {
    Map<String, byte[]> written = new TreeMap<>();
    for (int f = 0; f < FILES; f++) {
      byte[] data = new byte[BLOCKS * MoverCluster.BLOCK - 11];
      new Random(f).nextBytes(data);
      written.put("/m/f" + f, data);
      try (OutputStream out = fs.create(new org.apache.hadoop.fs.Path("/m/f" + f), (short) 3)) {
        out.write(data);
      }
    }
    return written;
  }

  /**
   * Makes the other NameNode active after one replica, after a third and after two thirds. The
   * mover makes its calls one after another.
   */
  private static final class FailingOver implements MoveListener {
    private final MiniDFSCluster mini;
    private final List<Integer> movedBefore = new CopyOnWriteArrayList<>();
    private int moved;

    FailingOver(MiniDFSCluster mini) {
      this.mini = mini;
    }

    @Override
    public void replicaMoved(String path, boolean local, long bytes) {
      moved++;
      if (moved == 1 || moved == FILES * BLOCKS || moved == 2 * FILES * BLOCKS) {
        int from = movedBefore.size() % 2;
        try {
          mini.transitionToStandby(from);
          mini.transitionToActive(1 - from);
          movedBefore.add(moved);
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      }
    }
  }
}
