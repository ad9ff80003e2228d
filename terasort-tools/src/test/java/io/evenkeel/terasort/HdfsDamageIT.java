package io.evenkeel.terasort;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.common.testing.Await;
import io.evenkeel.terasort.HdfsFixture.Outcome;
import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.MiniDFSCluster.DataNodeProperties;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;

/** Validation of files whose replicas are damaged or gone, and of erasure-coded files. */
@Timeout(240)
class HdfsDamageIT {
  private static final int DATA_NODES = 6;
  private static final String EC_POLICY = "RS-3-2-1024k";
  private static final int CELL = 1 << 20;

  private static HdfsFixture hdfs;
  private Path input;

  @BeforeAll
  static void start() throws IOException {
    java.nio.file.Path base =
        Files.createDirectories(Paths.get(System.getProperty("test.build.data", "target/data")));
    hdfs =
        HdfsFixture.start(Files.createTempDirectory(base.toAbsolutePath(), "damage"), DATA_NODES);
    hdfs.fs().enableErasureCodingPolicy(EC_POLICY);
  }

  @AfterAll
  static void stop() {
    hdfs.close();
  }

  @BeforeEach
  void name(TestInfo test) {
    input = new Path("/" + test.getTestMethod().orElseThrow().getName());
  }

  private static void assertSameAsStock(Outcome ours, Outcome stock) {
    assertThat(ours.err()).isEmpty();
    assertThat(ours.report()).isEqualTo(stock.report()).hasSize(1);
    assertThat(ours.code()).isZero();
  }

  /** The files of a block's replicas on the DataNodes' disks. */
  private static List<File> replicas(ExtendedBlock block) {
    List<File> files = new ArrayList<>();
    for (int i = 0; i < DATA_NODES; i++) {
      File file = hdfs.cluster().getBlockFile(i, block);
      if (file != null) {
        files.add(file);
      }
    }
    return files;
  }

  /** Turns a bit of the first record's value. */
  private static void flip(File replica) throws IOException {
    try (RandomAccessFile file = new RandomAccessFile(replica, "rw")) {
      file.seek(150);
      int old = file.read();
      file.seek(150);
      file.write(old ^ 1);
    }
  }

  @Test
  void corruptReplicas_anotherOneIsRead() throws Exception {
    hdfs.write(input, DataSets.sorted(1000, 1), 2);
    Outcome stock = hdfs.stock(input);
    for (LocatedBlock block : hdfs.blocks(HdfsFixture.part(input, 0))) {
      List<File> replicas = replicas(block.getBlock());
      assertThat(replicas).hasSize(3);
      flip(replicas.get(0));
      flip(replicas.get(1));
    }
    assertSameAsStock(hdfs.ours(input.toString()), stock);
  }

  /** The client does not tell the NameNode that all are bad; the log names the file. */
  @Test
  void everyReplicaCorrupt_noVerdict() throws Exception {
    hdfs.write(input, DataSets.sorted(1000, 2), 2);
    Path bad = HdfsFixture.part(input, 1);
    for (File replica : replicas(hdfs.blocks(bad).get(1).getBlock())) {
      flip(replica);
    }
    Outcome outcome = hdfs.ours(input.toString());
    assertThat(outcome.err()).contains("no verdict");
    assertThat(outcome.code()).isEqualTo(1);
    assertThat(outcome.report()).isEmpty();
  }

  /** The NameNode knows that the only replica is gone. */
  @Test
  void blockWithoutLiveReplica_noVerdict() throws Exception {
    hdfs.write(input, DataSets.sorted(1000, 3), 2);
    Path bad = HdfsFixture.part(input, 0);
    String holder = leaveOneReplica(bad, 1);
    DataNodeProperties stopped = hdfs.cluster().stopDataNode(holder);
    hdfs.cluster().setDataNodeDead(stopped.getDatanode().getDatanodeId());
    Outcome outcome = hdfs.ours(input.toString());
    hdfs.cluster().restartDataNode(stopped, true);
    hdfs.cluster().waitActive();
    assertThat(outcome.err()).contains(bad.toString(), "no live replica");
    assertThat(outcome.code()).isEqualTo(1);
    assertThat(hdfs.ours(input.toString()).code()).isZero();
  }

  /** Address of the DataNode that has the only replica of a block; the others' are removed. */
  private static String leaveOneReplica(Path file, int index) throws Exception {
    hdfs.fs().setReplication(file, (short) 1);
    Await.until(
        "one replica of each block of " + file,
        () -> hdfs.blocks(file).stream().allMatch(block -> block.getLocations().length == 1));
    return hdfs.blocks(file).get(index).getLocations()[0].getXferAddr();
  }

  private void writeErasureCoded(List<byte[]> records) throws IOException {
    hdfs.fs().mkdirs(input);
    hdfs.fs().setErasureCodingPolicy(input, EC_POLICY);
    for (int i = 0; i < 2; i++) {
      int half = records.size() / 2;
      try (var out =
          hdfs.fs()
              .createFile(HdfsFixture.part(input, i))
              .ecPolicyName(EC_POLICY)
              .blockSize(CELL)
              .build()) {
        HdfsFixture.put(out, records.subList(i * half, i * half + half));
      }
    }
  }

  @Test
  void erasureCoded_validAlsoWithoutADataNode() throws Exception {
    writeErasureCoded(DataSets.sorted(100_000, 4));
    assertThat(hdfs.blocks(HdfsFixture.part(input, 0))).hasSize(2);
    Outcome stock = hdfs.stock(input);
    assertSameAsStock(hdfs.ours(input.toString()), stock);
    DataNodeProperties stopped = hdfs.cluster().stopDataNode(0);
    Outcome degraded = hdfs.ours(input.toString());
    hdfs.cluster().restartDataNode(stopped, true);
    hdfs.cluster().waitActive();
    assertSameAsStock(degraded, stock);
  }

  @Test
  void erasureCoded_misorderOverTheGroupEdgeIsFound() throws Exception {
    List<byte[]> records = DataSets.sorted(100_000, 5);
    int straddling = 3 * CELL / 100;
    Collections.swap(records, straddling, straddling + 1);
    Collections.swap(records, 700, 701);
    writeErasureCoded(records);
    Outcome ours = hdfs.ours(input.toString());
    Outcome stock = hdfs.stock(input);
    assertThat(ours.report()).containsExactlyInAnyOrderElementsOf(stock.report()).hasSize(3);
    assertThat(ours.code()).isEqualTo(2);
  }
}
