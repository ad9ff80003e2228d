package io.evenkeel.locking;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.locking.HungBlock.Where;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.util.VersionInfo;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The I/O of one block hangs, something else begins, then others create, finalize and open blocks:
 * each of them ends, or is found waiting for a lock. No clock decides.
 */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class NoBlockWaitsForAnotherIT {
  private static final List<List<Where>> BOTH = List.of(List.of(Where.CREATE, Where.FINALIZE));
  private static final List<List<Where>> EACH_ON_ITS_OWN =
      List.of(List.of(Where.CREATE), List.of(Where.FINALIZE));

  @TempDir private Path dir;

  @ParameterizedTest
  @EnumSource(Background.class)
  void otherVolume_ours_neverWaits(Background event) throws Exception {
    for (List<Where> onOneNode : event.mayComeTwice() ? BOTH : EACH_ON_ITS_OWN) {
      try (OneDataNode one = start(true, onOneNode.get(0))) {
        DatasetCalls calls = new DatasetCalls(one);
        for (Where where : onOneNode) {
          assertThat(waiting(calls, event, where)).as("%s", where).isEmpty();
          assertThat(one.operations().liveLocks()).isZero();
          assertThat(one.locks().operations().lastBrokenRule()).isEmpty();
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Background.class)
  void otherVolume_stockCreates_waitsAfterEveryPoolWideWriteLock(Background event)
      throws Exception {
    assertStockWaits(event, Where.CREATE);
  }

  @Tag("slow")
  @ParameterizedTest
  @EnumSource(Background.class)
  void otherVolume_stockFinalizes_waitsAfterEveryPoolWideWriteLock(Background event)
      throws Exception {
    assertStockWaits(event, Where.FINALIZE);
  }

  private void assertStockWaits(Background event, Where where) throws Exception {
    try (OneDataNode one = start(false, where)) {
      List<String> waiting = waiting(new DatasetCalls(one), event, where);
      if (event.stallsStock(VersionInfo.getVersion())) {
        assertThat(waiting).contains("write", "open");
      } else {
        assertThat(waiting).isEmpty();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void nextIdOnEachVolumeOfTheType_waitsWithStockOnly(boolean ours) throws Exception {
    try (OneDataNode one = start(ours, Where.CREATE)) {
      DatasetCalls calls = new DatasetCalls(one);
      for (Where where : Where.values()) {
        ParkedIo io = ParkedIo.of(calls.node());
        Step slow = HungBlock.hang(calls, io, where);
        Step next =
            Step.start(
                "next",
                () -> {
                  calls.finalized(StorageType.DISK); // the two volumes take turns
                  calls.finalized(StorageType.DISK);
                });
        boolean waits = next.waitsForLock();
        io.close();
        next.end();
        slow.end();
        assertThat(waits).as("%s", where).isEqualTo(!ours);
      }
    }
  }

  private OneDataNode start(boolean ours, Where where) throws Exception {
    Configuration conf = OneDataNode.conf(ours);
    conf.setInt("dfs.datanode.failed.volumes.tolerated", 1);
    return OneDataNode.start(dir.resolve(where.name()), conf);
  }

  /** Names of those that wait for a lock while the I/O hangs; all have ended when it returns. */
  private static List<String> waiting(DatasetCalls calls, Background event, Where where)
      throws Exception {
    ExtendedBlock read = calls.toRead();
    Step.Action action = event.prepare(calls);
    ParkedIo io = ParkedIo.of(calls.node());
    Step slow = HungBlock.hang(calls, io, where);
    Step background = Step.start("background", action);
    background.waitsForLock();
    List<Step> probes =
        List.of(
            Step.start("write", () -> calls.finalized(StorageType.SSD)),
            Step.start("open", () -> calls.open(read)));
    List<String> waiting = Step.waiting(probes).stream().map(Thread::getName).toList();
    io.close();
    for (Step probe : probes) {
      probe.end();
    }
    slow.end();
    background.end();
    return waiting;
  }
}
