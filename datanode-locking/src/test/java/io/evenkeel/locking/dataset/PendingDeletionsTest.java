package io.evenkeel.locking.dataset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.verifyNoMoreInteractions;
import static org.mockito.Mockito.when;

import java.io.IOException;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hdfs.server.datanode.ReplicaInfo;
import org.junit.jupiter.api.Test;

class PendingDeletionsTest {
  private static final String POOL = "BP-1";
  private static final long BLOCK = 7;
  private static final long OTHER = 8;

  private final AtomicInteger looks = new AtomicInteger();
  private volatile Thread deleting;
  private volatile int until = Integer.MAX_VALUE;
  private final PendingDeletions deletions =
      new PendingDeletions(thread -> thread == deleting && looks.incrementAndGet() < until);

  private ReplicaInfo removed(long block) {
    ReplicaInfo old = mock(ReplicaInfo.class);
    when(old.getBlockId()).thenReturn(block);
    deletions.removed(POOL, old);
    return old;
  }

  @Test
  void await_itsThreadIsInTheDeletion_waitsUntilItIsOut() throws Exception {
    deleting = Thread.currentThread();
    until = 4;
    ReplicaInfo old = removed(BLOCK);

    deletions.await(POOL, BLOCK, 60_000);

    assertThat(looks).hasValue(4);
    assertThat(deletions.size()).isZero();
    verify(old).getBlockId();
    verifyNoMoreInteractions(old); // its disk may hang
  }

  @Test
  void await_itsThreadDeletesNothing_goesOn() throws Exception {
    removed(BLOCK);
    deletions.await(POOL, BLOCK, 0);
    assertThat(deletions.size()).isZero();
  }

  @Test
  void await_itsThreadDeletesAnotherBlockByNow_waitsForThatOneOnly() throws Exception {
    deleting = Thread.currentThread();
    removed(BLOCK);
    removed(OTHER);

    deletions.await(POOL, BLOCK, 0);

    assertThatThrownBy(() -> deletions.await(POOL, OTHER, 0)).isInstanceOf(IOException.class);
  }

  @Test
  void await_itsThreadHasBegunTheNextAndNotRemovedItsReplica_goesOn() throws Exception {
    deleting = Thread.currentThread();
    removed(BLOCK);
    deletions.begins();

    deletions.await(POOL, BLOCK, 0);
  }

  @Test
  void finished_whileALaterDeletionOfTheBlockIsUnderWay_thatOneIsWaitedFor() throws Exception {
    Thread other = new Thread(() -> removed(BLOCK));
    other.start();
    other.join();
    deleting = other;

    deletions.finished(POOL, Set.of(BLOCK));
    assertThatThrownBy(() -> deletions.await(POOL, BLOCK, 0)).isInstanceOf(IOException.class);

    deleting = Thread.currentThread();
    removed(OTHER);
    deletions.finished(POOL, Set.of(OTHER)); // by the thread that has just done it
    assertThat(deletions.size()).isZero();
  }

  @Test
  void await_anotherThreadDeletesAnotherBlock_isNotWaitedFor() throws Exception {
    removed(BLOCK);
    Thread other = new Thread(() -> removed(OTHER));
    other.start();
    other.join();
    deleting = other;

    deletions.await(POOL, BLOCK, 0);

    assertThatThrownBy(() -> deletions.await(POOL, OTHER, 0)).isInstanceOf(IOException.class);
  }

  @Test
  void await_deletionHangs_givenUpOnceAndNotWaitedForAgain() throws Exception {
    deleting = Thread.currentThread();
    removed(BLOCK);

    assertThatThrownBy(() -> deletions.await(POOL, BLOCK, 0))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("still being deleted");
    deletions.await(POOL, BLOCK, 0);
    assertThat(looks).hasValue(1);
  }
}
