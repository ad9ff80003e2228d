package io.evenkeel.locking.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("once")
class SlowHoldersTest {
  private static final long MS = 1_000_000;

  private final AtomicLong now = new AtomicLong(-500 * MS); // System.nanoTime may be negative
  private final SlowHolders slow = new SlowHolders(1000 * MS, 60_000 * MS);
  private final Operations operations =
      new Operations(true, now::get, new LockStatistics(now::get, slow));
  private final List<Operation> open = new ArrayList<>();

  @AfterEach
  void end() {
    while (!open.isEmpty()) { // the innermost first
      open.remove(open.size() - 1).close();
    }
  }

  private Operation hold(long block, String volume) {
    Operation operation = operations.begin(OperationKind.FINALIZE, "BP-1", block);
    open.add(operation);
    operation.keepLock();
    operation.on(volume);
    return operation;
  }

  private void release(Operation operation) {
    open.remove(operation);
    operation.close();
  }

  private List<SlowHold> look() {
    return slow.look(now.get(), operations.holdings());
  }

  private void pass(long millis) {
    now.addAndGet(TimeUnit.MILLISECONDS.toNanos(millis));
  }

  @Test
  void look_holdBelowTheLimit_saysNothing() {
    Operation operation = hold(1, "DS-a");
    pass(999);
    assertThat(look()).isEmpty();
    release(operation);
    pass(10_000);
    assertThat(look()).isEmpty();
  }

  @Test
  void look_holdThatGoesOn_isToldWhileItHolds() {
    hold(17, "DS-a");
    pass(1000);
    assertThat(look())
        .singleElement()
        .satisfies(hold -> assertThat(hold.operation()).isEqualTo("finalizeBlock of BP-1:17"))
        .satisfies(hold -> assertThat(hold.volume()).isEqualTo("DS-a"))
        .satisfies(hold -> assertThat(hold.heldNanos()).isEqualTo(1000 * MS))
        .satisfies(hold -> assertThat(hold.ended()).isFalse())
        .satisfies(hold -> assertThat(hold.others()).isZero())
        .satisfies(
            hold -> assertThat(hold.threadName()).isEqualTo(Thread.currentThread().getName()));
  }

  @Test
  void look_sameHolderWithinTheInterval_isNotToldAgain() {
    hold(1, "DS-a");
    pass(1000);
    assertThat(look()).hasSize(1);
    pass(59_999);
    assertThat(look()).isEmpty();
    pass(1);
    assertThat(look()).singleElement().extracting(SlowHold::heldNanos).isEqualTo(61_000 * MS);
  }

  @Test
  void look_holdEndedBetweenTwoLooks_isToldAfterwards() {
    Operation operation = hold(1, "DS-a");
    pass(2500);
    release(operation);
    pass(500);
    assertThat(look())
        .singleElement()
        .satisfies(hold -> assertThat(hold.ended()).isTrue())
        .satisfies(hold -> assertThat(hold.heldNanos()).isEqualTo(2500 * MS));
    pass(100_000);
    assertThat(look()).isEmpty();
  }

  @Test
  void look_heldWhenToldAndEndedLater_isToldWithItsLengthAfterTheInterval() {
    Operation operation = hold(1, "DS-a");
    pass(1200);
    assertThat(look()).hasSize(1);
    pass(3800);
    release(operation);
    assertThat(look()).isEmpty();
    pass(60_000);
    assertThat(look()).singleElement().extracting(SlowHold::heldNanos).isEqualTo(5000 * MS);
    pass(60_000);
    assertThat(look()).isEmpty();
  }

  @Test
  void look_manyOnOneVolume_tellsTheLongestAndCountsTheOthers() {
    for (int i = 0; i < 5; i++) {
      Operation operation = hold(i, "DS-a");
      pass(i == 2 ? 4000 : 1500);
      release(operation);
    }
    assertThat(look())
        .singleElement()
        .satisfies(hold -> assertThat(hold.operation()).endsWith(":2"))
        .satisfies(hold -> assertThat(hold.others()).isEqualTo(4));
    Operation next = hold(9, "DS-a");
    pass(60_000);
    release(next);
    assertThat(look()).singleElement().extracting(SlowHold::others).isEqualTo(0L);
  }

  @Test
  void look_twoVolumes_areToldEach() {
    Operation a = hold(1, "DS-a");
    pass(1500);
    release(a);
    assertThat(look()).hasSize(1);
    Operation b = hold(2, "DS-b");
    pass(1500);
    release(b);
    assertThat(look()).singleElement().extracting(SlowHold::volume).isEqualTo("DS-b");
  }

  @Test
  void look_noVolumeYet_isToldAsSuch() {
    hold(1, null);
    pass(1000);
    assertThat(look()).singleElement().extracting(SlowHold::volume).isEqualTo("");
  }
}
