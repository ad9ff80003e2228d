package io.evenkeel.mover.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.mover.core.plan.FileView;
import io.evenkeel.mover.core.task.MoveResult.Kind;
import java.io.OutputStream;
import java.net.URI;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.MiniDFSNNTopology;
import org.apache.hadoop.hdfs.server.namenode.ha.HATestUtil;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two NameNodes, of which the other one becomes active in the middle. */
class FailoverIT {
  @Test
  void failover_betweenListingAndMove_isNotNoticed(@TempDir Path dir) throws Exception {
    Configuration conf = MoverCluster.conf(dir);
    conf.setBoolean("dfs.block.access.token.enable", true);
    conf.setInt("dfs.ha.tail-edits.period", 1);
    StorageType[] each = {StorageType.DISK, StorageType.SSD, StorageType.ARCHIVE};
    try (MoverCluster cluster =
        MoverCluster.of(
            new MiniDFSCluster.Builder(conf)
                .nnTopology(MiniDFSNNTopology.simpleHATopology())
                .numDataNodes(3)
                .storagesPerDatanode(each.length)
                .storageTypes(each)
                .build())) {
      MiniDFSCluster mini = cluster.mini();
      mini.waitActive();
      mini.transitionToActive(0);
      HATestUtil.setFailoverConfigurations(mini, conf, "ns");
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

        mini.transitionToStandby(0);
        mini.transitionToActive(1);

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
}
