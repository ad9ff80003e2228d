package io.evenkeel.locking.dataset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.common.testing.Await;
import io.evenkeel.locking.dataset.AvoidingVolumeChoosingPolicy.Creation;
import io.evenkeel.locking.dataset.PendingDeletions.Deletion;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.VolumeChoosingPolicy;
import org.apache.hadoop.util.DiskChecker.DiskOutOfSpaceException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.mockito.Mockito;

/** Where a replica may be created while files of an earlier one are deleted. */
@Timeout(60)
class PendingDeletionsTest {
  private final PendingDeletions deletions = new PendingDeletions();
  private final FsVolumeSpi first = Mockito.mock(FsVolumeSpi.class);
  private final FsVolumeSpi second = Mockito.mock(FsVolumeSpi.class);
  private final AvoidingVolumeChoosingPolicy<FsVolumeSpi> policy =
      new AvoidingVolumeChoosingPolicy<>();

  /** Takes the first volume it is offered. */
  public static final class First implements VolumeChoosingPolicy<FsVolumeSpi> {
    @Override
    public FsVolumeSpi chooseVolume(List<FsVolumeSpi> volumes, long size, String storageId)
        throws IOException {
      if (volumes.isEmpty()) {
        throw new DiskOutOfSpaceException("No more available volumes");
      }
      return volumes.get(0);
    }
  }

  PendingDeletionsTest() {
    Mockito.when(first.getBaseURI()).thenReturn(URI.create("file:/first/"));
    Mockito.when(second.getBaseURI()).thenReturn(URI.create("file:/second/"));
    Configuration conf = new Configuration(false);
    conf.set(AvoidingVolumeChoosingPolicy.CONFIGURED, First.class.getName());
    policy.setConf(conf);
  }

  private FsVolumeSpi choose(long block, FsVolumeSpi... volumes) throws IOException {
    try (Creation creation =
        AvoidingVolumeChoosingPolicy.begin(() -> deletions.of("pool", block), () -> {})) {
      return policy.chooseVolume(List.of(volumes), 1, null);
    }
  }

  @Test
  void volumeWasRemovedAndAddedAgain_itsFilesAreStillBeingDeleted() throws Exception {
    deletions.begin("pool", 1, first);
    FsVolumeSpi again = Mockito.mock(FsVolumeSpi.class);
    Mockito.when(again.getBaseURI()).thenReturn(URI.create("file:/first/"));
    assertThat(deletions.of("pool", 1)).allMatch(each -> each.isOn(again)).hasSize(1);
    assertThat(choose(1, again, second)).isSameAs(second);
  }

  @Test
  void deletionUnderWay_anotherVolumeIsChosenWithoutWaiting() throws Exception {
    deletions.begin("pool", 1, first);
    assertThat(choose(1, first, second)).isSameAs(second);
    assertThat(choose(2, first, second)).as("another block").isSameAs(first);
    assertThat(policy.chooseVolume(List.of(first, second), 1, null))
        .as("no creation, such as a move")
        .isSameAs(first);
  }

  @Test
  void deletionEnded_itsVolumeIsChosenAgain() throws Exception {
    Deletion old = deletions.begin("pool", 1, first);
    Deletion other = deletions.begin("pool", 1, second);
    old.end();
    assertThat(choose(1, second, first)).isSameAs(first);
    other.end();
    assertThat(choose(1, second, first)).isSameAs(second);
    assertThat(deletions.of("pool", 1)).isEmpty();
  }

  @Test
  void noOtherVolume_refusedAsForAFullDisk() {
    deletions.begin("pool", 1, first);
    assertThatThrownBy(() -> choose(1, first))
        .isInstanceOf(DiskOutOfSpaceException.class)
        .hasMessageContaining("are being deleted");
  }

  @Test
  void deletionEndsAfterTheBlockWasLocked_itsVolumeIsChosen() throws Exception {
    Deletion old = deletions.begin("pool", 1, first);
    try (Creation creation =
        AvoidingVolumeChoosingPolicy.begin(() -> deletions.of("pool", 1), () -> {})) {
      old.end();
      assertThat(policy.chooseVolume(List.of(first), 1, null)).isSameAs(first);
    }
  }

  @Test
  void awaitOne_untilOneHasEnded_orTheTimeIsUp() throws Exception {
    Deletion old = deletions.begin("pool", 1, first);
    Deletion other = deletions.begin("pool", 1, second);
    deletions.awaitOne(List.of(old, other), 1);
    assertThat(old.hasEnded()).isFalse();
    CompletableFuture<Void> waits =
        CompletableFuture.runAsync(
            () -> {
              try {
                deletions.awaitOne(List.of(old, other), TimeUnit.MINUTES.toNanos(1));
              } catch (IOException e) {
                throw new IllegalStateException(e);
              }
            });
    assertThatThrownBy(() -> waits.get(100, TimeUnit.MILLISECONDS)).as("it waits").isNotNull();
    other.end();
    waits.get();
  }

  /** Its replica never comes into the map once its volume has gone, so nothing is to be kept. */
  @Test
  void volumeOfAReservationWasRemovedAndAnotherIsThere_itIsNotBarred() throws Exception {
    deletions.reserve("pool", 1, first);
    assertThatThrownBy(() -> choose(1, first)).isInstanceOf(DiskOutOfSpaceException.class);
    FsVolumeSpi again = Mockito.mock(FsVolumeSpi.class);
    Mockito.when(again.getBaseURI()).thenReturn(URI.create("file:/first/"));
    assertThat(choose(1, again)).isSameAs(again);
  }

  /** A disk that hangs ends none, and whoever waits looks again and again. */
  @Test
  void awaitOne_timeIsUpManyTimes_leavesNothing() throws Exception {
    List<Deletion> hangs = List.of(deletions.begin("pool", 1, first));
    long before = usedBytes();
    for (int i = 0; i < 200_000; i++) {
      deletions.awaitOne(hangs, 0);
    }
    assertThat(usedBytes() - before).isLessThan(5L << 20);
    assertThat(hangs).noneMatch(Deletion::hasEnded);
  }

  private static long usedBytes() throws InterruptedException {
    long least = Long.MAX_VALUE;
    for (int i = 0; i < 3; i++) {
      System.gc();
      Await.pause(20);
      least =
          Math.min(least, Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory());
    }
    return least;
  }
}
