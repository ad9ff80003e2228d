package io.evenkeel.locking;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.evenkeel.locking.ProvidedCall.End;
import io.evenkeel.locking.ProvidedDataNode.Gap;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CyclicBarrier;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.ReplicaAlreadyExistsException;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.AsyncDeletions;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.FineGrainedDataset;
import org.apache.hadoop.util.VersionInfo;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A volume of PROVIDED storage, whose replicas stock reads and otherwise mostly ignores. */
@Timeout(300)
class ProvidedStorageIT {
  private static final int COPIES = 8;

  @TempDir private static Path dir;
  private static Map<ProvidedCall, End> stock;
  private static Map<ProvidedCall, End> ours;

  @TempDir private Path own;

  @BeforeAll
  static void call() throws IOException {
    stock = calls(false);
    ours = calls(true);
  }

  @AfterAll
  static void open() {
    Gap.open();
  }

  private static Map<ProvidedCall, End> calls(boolean withOurs) throws IOException {
    Map<ProvidedCall, End> ends = new EnumMap<>(ProvidedCall.class);
    try (ProvidedDataNode node =
        ProvidedDataNode.start(dir.resolve(withOurs ? "ours" : "stock"), withOurs)) {
      assertThat(node.dataset() instanceof FineGrainedDataset).isEqualTo(withOurs);
      for (ProvidedCall each : ProvidedCall.values()) {
        assertThat(node.inMap(node.block(each.ordinal()))).isEqualTo(ProvidedDataNode.UNTOUCHED);
        ends.put(each, each.on(node));
        if (withOurs) {
          assertThat(node.one().operations().liveLocks()).as(each + " leaves locks").isZero();
        }
      }
      if (withOurs) {
        assertThat(node.one().locks().operations().lastBrokenRule()).isEmpty();
      }
    }
    return ends;
  }

  @ParameterizedTest
  @EnumSource
  void call_withOurs_endsAsWithStock(ProvidedCall each) {
    boolean mended = // HDFS-17342
        each == ProvidedCall.INVALIDATE_MISSING && VersionInfo.getVersion().startsWith("3.4.");
    assumeThat(mended).isFalse();
    assertThat(ours.get(each)).isEqualTo(stock.get(each));
  }

  @ParameterizedTest
  @EnumSource
  void call_withOurs_endsAsItShould(ProvidedCall each) {
    assertThat(ours.get(each).text()).startsWith(each.expected().text());
    assertThat(ours.get(each).inMap()).isEqualTo(each.expected().inMap());
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void volumeRemoved_onlyTheCopiesOfItsBlocksStay(boolean withOurs) throws Exception {
    try (ProvidedDataNode node = ProvidedDataNode.start(own, withOurs)) {
      ExtendedBlock copied = node.block(0);
      ExtendedBlock other = node.block(1);
      finalizedCopy(node, copied, 1001);
      node.removeProvided();
      assertThat(node.inMap(copied)).isEqualTo("FINALIZED 1001 DISK");
      assertThat(node.inMap(other)).isEqualTo(ProvidedDataNode.UNKNOWN);
      finalizedCopy(node, other, 999);
      assertThat(node.inMap(other)).isEqualTo("FINALIZED 999 DISK");
    }
  }

  /** With both, what is added wins, unlike what comes back on a disk with ours. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void volumeAdded_itsReplicasAreKnown(boolean withOurs) throws Exception {
    try (ProvidedDataNode node = ProvidedDataNode.startWithout(own, withOurs)) {
      ExtendedBlock newer = node.block(0);
      ExtendedBlock older = node.block(1);
      finalizedCopy(node, newer, 1001);
      finalizedCopy(node, older, 999);
      node.addProvided();
      for (ExtendedBlock each : List.of(newer, older, node.block(2))) {
        assertThat(node.inMap(each)).isEqualTo(ProvidedDataNode.UNTOUCHED);
      }
      assertThat(AsyncDeletions.await(node.dataset())).isTrue();
      assertThat(node.replicas().files(newer)).hasSize(1);
      assertThat(node.replicas().files(older)).hasSize(1);
    }
  }

  private static void finalizedCopy(ProvidedDataNode node, ExtendedBlock b, long stamp)
      throws Exception {
    Calls<Void> copy =
        Calls.start(
            "copy", // its own thread: a volume that goes interrupts writers
            () -> {
              node.copyIn(b, stamp, false);
              node.dataset().finalizeBlock(Replicas.at(b, stamp), false);
              return null;
            });
    assertThat(copy.failure()).isNull();
  }

  /** All see the provided replica, which is no reason to refuse, before one has made its. */
  @Test
  void copiesComingInAtOnce_stockHasOneOnEachVolume() throws Exception {
    try (ProvidedDataNode node = ProvidedDataNode.start(own, false)) {
      ExtendedBlock b = node.block(0);
      assertThat(refused(node, b, COPIES)).hasSize(COPIES - 2);
      assertThat(node.replicas().files(b)).hasSize(2);
    }
  }

  @Test
  void copiesComingInAtOnce_oursHasOneAsStockOneAfterTheOther() throws Exception {
    try (ProvidedDataNode node = ProvidedDataNode.start(own, true)) {
      ExtendedBlock b = node.block(0);
      assertThat(refused(node, b, 1))
          .hasSize(COPIES - 1)
          .allSatisfy(e -> assertThat(e).isInstanceOf(ReplicaAlreadyExistsException.class));
      assertThat(node.replicas().files(b)).hasSize(1);
      for (int i = 1; i < ProvidedRegions.BLOCKS; i++) {
        ExtendedBlock next = node.block(i);
        CyclicBarrier start = new CyclicBarrier(COPIES);
        assertThat(failures(copies(node, next, start)))
            .hasSize(COPIES - 1)
            .allSatisfy(e -> assertThat(e).isInstanceOf(ReplicaAlreadyExistsException.class));
        assertThat(node.inMap(next)).isEqualTo("TEMPORARY 1000 DISK");
        assertThat(node.replicas().files(next)).hasSize(1);
      }
      assertThat(node.one().operations().liveLocks()).isZero();
      assertThat(node.one().locks().operations().lastBrokenRule()).isEmpty();
    }
  }

  /** Copies that come in while {@code inGap} of them have looked and not created; the failures. */
  private static List<Throwable> refused(ProvidedDataNode node, ExtendedBlock b, int inGap)
      throws Exception {
    Gap.shut();
    List<Calls<String>> copies = copies(node, b, new CyclicBarrier(COPIES));
    for (Calls<String> copy : copies) {
      assertThat(copy.waits()).isTrue();
    }
    assertThat(Gap.inside()).isEqualTo(inGap);
    Gap.open();
    return failures(copies);
  }

  private static List<Calls<String>> copies(
      ProvidedDataNode node, ExtendedBlock b, CyclicBarrier start) {
    List<Calls<String>> copies = new ArrayList<>();
    for (int i = 0; i < COPIES; i++) {
      copies.add(
          Calls.start(
              "copy " + i,
              () -> {
                start.await();
                return node.copyIn(b, ProvidedRegions.STAMP, false);
              }));
    }
    return copies;
  }

  private static List<Throwable> failures(List<Calls<String>> copies) throws Exception {
    List<Throwable> failures = new ArrayList<>();
    for (Calls<String> copy : copies) {
      Throwable failure = copy.failure();
      if (failure != null) {
        failures.add(failure);
      }
    }
    return failures;
  }
}
