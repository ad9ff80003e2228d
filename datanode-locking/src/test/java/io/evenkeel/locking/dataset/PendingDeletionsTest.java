package io.evenkeel.locking.dataset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hdfs.server.datanode.ReplicaInfo;
import org.junit.jupiter.api.Test;

class PendingDeletionsTest {
  private static final String POOL = "BP-1";
  private static final long BLOCK = 7;

  private final Deque<Long> counts = new ArrayDeque<>();
  private final AtomicInteger looks = new AtomicInteger();
  private final ReplicaInfo old = mock(ReplicaInfo.class);
  private final PendingDeletions deletions =
      new PendingDeletions(
          () -> {
            looks.incrementAndGet();
            return counts.size() > 1 ? counts.poll() : counts.peek();
          });

  private void filesAreThereFor(int asked) {
    AtomicInteger times = new AtomicInteger();
    when(old.getBlockId()).thenReturn(BLOCK);
    when(old.blockDataExists()).thenAnswer(call -> times.incrementAndGet() <= asked);
    deletions.removed(POOL, old);
  }

  @Test
  void await_countIsTooLowOnce_waitsUntilTheFilesAreGone() throws Exception {
    filesAreThereFor(4);
    counts.addAll(List.of(1L, 0L, 1L, 1L, 0L));

    deletions.await(POOL, BLOCK, 60_000);

    assertThat(looks).hasValue(4);
    assertThat(deletions.size()).isZero();
  }

  @Test
  void await_nobodyDeletesAny_goesOnAfterTheSecondLook() throws Exception {
    filesAreThereFor(Integer.MAX_VALUE);
    counts.add(0L);

    deletions.await(POOL, BLOCK, 60_000);

    assertThat(looks).hasValue(2);
    assertThat(deletions.size()).isZero();
  }

  @Test
  void await_deletionHangs_givenUpOnceAndNotWaitedForAgain() throws Exception {
    filesAreThereFor(Integer.MAX_VALUE);
    counts.add(1L);

    assertThatThrownBy(() -> deletions.await(POOL, BLOCK, 0))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("still being deleted");
    deletions.await(POOL, BLOCK, 0);
    assertThat(looks).hasValue(1);
  }
}
