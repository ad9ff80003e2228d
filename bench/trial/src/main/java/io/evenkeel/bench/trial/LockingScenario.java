package io.evenkeel.bench.trial;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.reflect.Constructor;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.server.datanode.ReplicaInfo;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;

/**
 * Three DataNodes with locks by block and four volumes each, while eight clients work. Apart from
 * {@link Trial}, which loads one of them at a time: this Hadoop may lack what another needs.
 */
final class LockingScenario {
  private static final String FACTORY = "io.evenkeel.locking.FineGrainedDatasetFactory";
  private static final String DATASET =
      "org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.FineGrainedDataset";
  private static final int DATA_NODES = 3;
  private static final int CLIENTS = 8;
  private static final int FILES = 20;
  private static final int SIZE = Hdfs.BLOCK + 1000;

  private final Hdfs hdfs;
  private final ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
  private final AtomicInteger rounds = new AtomicInteger();

  private LockingScenario(Path dir) throws IOException {
    hdfs = new Hdfs(dir, DATA_NODES, i -> "/r" + i, "DISK", "DISK", "SSD", "SSD");
  }

  static Scenario in(Path dir) throws IOException {
    LockingScenario locking = new LockingScenario(dir);
    return new Scenario()
        .step("eight clients write, read, append, truncate and delete", locking::work)
        .step("volumes are taken out and put back meanwhile", locking::changeVolumes)
        .step("a DataNode is lost meanwhile and comes back", locking::loseDataNode)
        .step("a file whose client is gone is recovered", locking::recover)
        .step("replicas are moved to another storage type", locking::move)
        .step("memory and disk agree", locking::compare)
        .step("all is read after a restart", locking::restart)
        .step("stock reads and appends on the same directories", locking::back)
        .atEnd(
            () -> {
              locking.clients.shutdownNow();
              locking.hdfs.close();
            });
  }

  private void work() throws Exception {
    hdfs.set("dfs.datanode.fsdataset.factory", FACTORY);
    hdfs.set("dfs.client.block.write.replace-datanode-on-failure.enable", "false");
    hdfs.create();
    for (int i = 0; i < DATA_NODES; i++) {
      String dataset = hdfs.dataNode(i).getFSDataset().getClass().getName();
      Check.that(dataset.equals(DATASET), "the dataset is " + dataset);
    }
    Check.active("locking", FACTORY);
    meanwhile(() -> {});
  }

  /** Does something while all clients work, and more of it until they are through. */
  private void meanwhile(Scenario.Step step) throws Exception {
    int round = rounds.incrementAndGet();
    CountDownLatch begun = new CountDownLatch(CLIENTS);
    List<Future<?>> ends = new ArrayList<>();
    for (int client = 0; client < CLIENTS; client++) {
      String directory = "/" + round + "/" + client + "/";
      ends.add(clients.submit(() -> use(directory, begun)));
    }
    begun.await(60, TimeUnit.SECONDS);
    step.run();
    for (Future<?> end : ends) {
      end.get(240, TimeUnit.SECONDS);
    }
    hdfs.readAll();
  }

  /** Of four files one stays as it is written, one grows, one shrinks, one goes. */
  private Void use(String directory, CountDownLatch begun) throws Exception {
    for (int i = 0; i < FILES; i++) {
      String name = directory + i;
      hdfs.write(name, SIZE, 2);
      hdfs.read(name);
      begun.countDown();
      if (i % 4 == 1) {
        append(name, SIZE);
      } else if (i % 4 == 2) {
        shrink(name);
      } else if (i % 4 == 3) {
        hdfs.delete(name);
      }
    }
    return null;
  }

  private void append(String name, int size) throws IOException {
    byte[] whole = hdfs.content(name, size + 500);
    try (OutputStream out = hdfs.fs().append(Hdfs.path(name))) {
      out.write(whole, size, 500);
    }
    hdfs.wrote(name, size + 500);
    hdfs.read(name);
  }

  private void shrink(String name) throws Exception {
    int size = SIZE - 700;
    if (!hdfs.fs().truncate(Hdfs.path(name), size)) { // a block is to be recovered
      Await.until(120, name + " is not truncated", () -> hdfs.fs().isFileClosed(Hdfs.path(name)));
    }
    hdfs.wrote(name, size);
    hdfs.read(name);
  }

  private void changeVolumes() throws Exception {
    // the first one only: of two replicas one stays
    meanwhile(
        () -> {
          for (int i = 0; i < 2; i++) {
            hdfs.reconfigureVolumes(0, hdfs.volumes(0).subList(1, 4));
            hdfs.reconfigureVolumes(0, hdfs.volumes(0));
          }
        });
    hdfs.awaitEnoughReplicas(120, 2, hdfs.names());
  }

  private void loseDataNode() throws Exception {
    meanwhile(
        () -> {
          hdfs.stopDataNode(2);
          hdfs.startDataNode(2);
        });
    hdfs.awaitEnoughReplicas(120, 2, hdfs.names());
  }

  private void recover() throws Exception {
    String name = "/abandoned";
    DistributedFileSystem other = hdfs.client();
    FSDataOutputStream out = other.create(Hdfs.path(name), (short) 3);
    out.write(hdfs.content(name, SIZE));
    out.hflush();
    hdfs.fs().recoverLease(Hdfs.path(name));
    Await.until(120, name + " is not closed", () -> hdfs.fs().isFileClosed(Hdfs.path(name)));
    hdfs.wrote(name, SIZE);
    hdfs.read(name);
    try {
      out.close();
      throw new AssertionError("a client without its lease could close " + name);
    } catch (IOException e) {
      hdfs.read(name);
    } finally {
      other.close();
    }
  }

  private void move() throws Exception {
    String directory = "/1/0";
    hdfs.fs().setStoragePolicy(Hdfs.path(directory), "ALL_SSD");
    meanwhile(
        () -> {
          // Hadoop's own mover; its Tool is not public
          Constructor<?> mover =
              Class.forName("org.apache.hadoop.hdfs.server.mover.Mover$Cli")
                  .getDeclaredConstructor();
          mover.setAccessible(true);
          String[] arguments = {"-p", directory};
          int code = ToolRunner.run(hdfs.conf(), (Tool) mover.newInstance(), arguments);
          Check.that(code == 0, "hdfs mover ended with " + code);
        });
    for (String name : hdfs.names()) {
      if (name.startsWith(directory + "/")) {
        for (BlockLocation block : hdfs.blocks(name)) {
          Check.that(
              Arrays.stream(block.getStorageTypes()).allMatch(StorageType.SSD::equals),
              name + " is on " + Arrays.toString(block.getStorageTypes()));
        }
      }
    }
  }

  private void compare() throws Exception {
    hdfs.awaitEnoughReplicas(120, 2, namesBut("/abandoned"));
    for (int i = 0; i < DATA_NODES; i++) {
      FsDatasetSpi<?> dataset = hdfs.dataNode(i).getFSDataset();
      String pool = hdfs.blockPool();
      int number = i;
      // by block: stock, too, keeps a second file of one that it was sent while the volume with
      // the first was out
      Await.until(
          60,
          "DataNode " + i + " knows of other replicas than are on its volumes",
          () ->
              dataset.getFinalizedBlocks(pool).stream()
                  .map(ReplicaInfo::getBlockId)
                  .collect(Collectors.toSet())
                  .equals(hdfs.finalized(number)));
    }
  }

  private List<String> namesBut(String name) {
    List<String> names = hdfs.names();
    names.remove(name);
    return names;
  }

  private void restart() throws Exception {
    hdfs.stop();
    hdfs.start();
    hdfs.readAll();
    meanwhile(() -> {});
  }

  private void back() throws Exception {
    hdfs.stop();
    hdfs.unset("dfs.datanode.fsdataset.factory");
    hdfs.start();
    hdfs.readAll();
    append("/abandoned", SIZE);
    meanwhile(() -> {});
  }
}
