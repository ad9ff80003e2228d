package io.evenkeel.locking.dataset;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.apache.hadoop.hdfs.protocol.Block;
import org.junit.jupiter.api.Test;

class DeletionFailuresTest {
  private static final Block BLOCK = new Block(1, 2, 3);

  private final DeletionFailures failures = new DeletionFailures();

  @Test
  void throwIfAny_withoutFailures_doesNothing() {
    assertThatCode(() -> failures.throwIfAny(5)).doesNotThrowAnyException();
  }

  @Test
  void throwIfAny_refusedOneByOne_saysItAsStockForAll() {
    failures.add(new IOException("Failed to delete 1 (out of 1) replica(s):\n0) stamp of b"));
    failures.add(new IOException("another text"));
    failures.add(new IOException((String) null));
    assertThatThrownBy(() -> failures.throwIfAny(5))
        .isInstanceOf(IOException.class)
        .hasMessage(
            "Failed to delete 3 (out of 5) replica(s):\n0) stamp of b\n1) another text\n2) null");
  }

  @Test
  void ignoreIfItsVolumeGoes_withoutThreadForIt_isIgnored() {
    RuntimeException failure = new RuntimeException("Cannot find volume /v for execution of task");
    assertThatCode(() -> failures.ignoreIfItsVolumeGoes(BLOCK, failure)).doesNotThrowAnyException();
    assertThatCode(() -> failures.throwIfAny(1)).doesNotThrowAnyException();
  }

  @Test
  void ignoreIfItsVolumeGoes_otherFailure_isThrown() {
    RuntimeException failure = new RuntimeException("AsyncDiskService is already shutdown");
    assertThatThrownBy(() -> failures.ignoreIfItsVolumeGoes(BLOCK, failure)).isSameAs(failure);
    RuntimeException silent = new RuntimeException();
    assertThatThrownBy(() -> failures.ignoreIfItsVolumeGoes(BLOCK, silent)).isSameAs(silent);
  }
}
