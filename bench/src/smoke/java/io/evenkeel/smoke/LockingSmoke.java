package io.evenkeel.smoke;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A DataNode with locks by block while eight clients write, read and delete. */
@Timeout(600)
class LockingSmoke {
  private static final String FACTORY = "io.evenkeel.locking.FineGrainedDatasetFactory";
  private static final int CLIENTS = 8;
  private static final int FILES = 25;
  private static final int SIZE = Smoke.BLOCK + 1000;

  @Test
  void locksByBlock_eightClients_nothingLost() throws Exception {
    Configuration conf = Smoke.conf("locking");
    conf.set("dfs.datanode.fsdataset.factory", FACTORY);
    MiniDFSCluster cluster =
        new MiniDFSCluster.Builder(conf).numDataNodes(1).storagesPerDatanode(4).build();
    ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
    try {
      cluster.waitActive();
      assertThat(cluster.getDataNodes().get(0).getFSDataset().getClass().getName())
          .isEqualTo("org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.FineGrainedDataset");
      Smoke.assertActive("locking", FACTORY);
      DistributedFileSystem fs = cluster.getFileSystem();
      List<Future<?>> ends = new ArrayList<>();
      for (int client = 0; client < CLIENTS; client++) {
        String directory = "/" + client + "/";
        ends.add(clients.submit(() -> use(fs, directory)));
      }
      for (Future<?> end : ends) {
        end.get(120, TimeUnit.SECONDS);
      }
      for (int client = 0; client < CLIENTS; client++) {
        assertThat(fs.listStatus(Smoke.path("/" + client))).hasSize(FILES / 2 + 1);
      }
    } finally {
      clients.shutdownNow();
      cluster.shutdown();
    }
  }

  /** Writes and reads files; deletes every second one. */
  private static Void use(DistributedFileSystem fs, String directory) throws Exception {
    for (int i = 0; i < FILES; i++) {
      Smoke.write(fs, directory + i, SIZE, 1);
      Smoke.assertReads(fs, directory + i, SIZE);
      if (i % 2 == 1) {
        assertThat(fs.delete(Smoke.path(directory + i), false)).isTrue();
      }
    }
    for (int i = 0; i < FILES; i += 2) {
      Smoke.assertReads(fs, directory + i, SIZE);
    }
    return null;
  }
}
