package io.evenkeel.locking;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.junit.jupiter.api.Test;

/** What stock's dataset does in the races that {@link OurRacesIT} wins. */
class StockRacesIT extends RacesCases {
  @Override
  boolean ours() {
    return false;
  }

  @Test
  void twoCreations_bothSucceedAndLeaveTwoFiles() throws Exception {
    ExtendedBlock b = replicas.block();
    assertThat(twoCreations(b)).isEmpty();
    assertThat(replicas.files(b)).hasSize(2);
  }

  @Test
  void twoMoves_leaveTwoFiles() throws Exception {
    ExtendedBlock b = replicas.finalized(StorageType.DISK);
    assertThat(twoMoves(b)).isEmpty();
    assertThat(replicas.files(b)).hasSize(2);
  }

  @Test
  void deletedWhileMoved_nullPointerAndTheCopyStays() throws Exception {
    ExtendedBlock b = replicas.finalized(StorageType.DISK);
    assertThat(deletedWhileMoved(b)).isInstanceOf(NullPointerException.class);
    assertThat(replicas.files(b)).hasSize(1);
  }

  @Test
  void createdWhileDeleted_doesNotWait() throws Exception {
    assertThat(createdWhileDeleted(replicas.finalized(StorageType.DISK))).isFalse();
  }
}
