package io.evenkeel.volume.core;

import static io.evenkeel.volume.core.AvailableSpace.Estimate.AS_STOCK;
import static io.evenkeel.volume.core.AvailableSpace.Estimate.CAUTIOUS;
import static io.evenkeel.volume.core.AvailableSpace.Estimate.EXACT;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("once")
class AvailableSpaceTest {
  private final AvailableSpace room = new AvailableSpace();

  private void sample(long available) {
    assertThat(room.begin(1)).isTrue();
    room.found(new Space(available, 1000), 2);
  }

  @Test
  void bytes_neverSampled_isNoLimit() {
    room.promise(100);
    assertThat(room.bytes(CAUTIOUS, 1)).isEqualTo(Long.MAX_VALUE);
    assertThat(room.sampled()).isFalse();
  }

  @Test
  void promise_sinceTheSample_isDeducted() {
    sample(500);
    room.promise(100);
    room.promise(50);
    assertThat(room.bytes(CAUTIOUS, 1)).isEqualTo(350);
    assertThat(room.bytes(EXACT, 1)).isEqualTo(350);
    assertThat(room.bytes(AS_STOCK, 1)).isEqualTo(350);
  }

  @Test
  void promise_beforeTheSampleEnds_isNoMatterToStock() {
    room.begin(1);
    room.promise(100);
    room.found(new Space(500, 1000), 2);
    room.promise(50);
    assertThat(room.bytes(AS_STOCK, 1)).isEqualTo(450);
    assertThat(room.bytes(AS_STOCK, 2)).as("a sample from before the block").isEqualTo(350);
  }

  @Test
  void promise_beforeTheNextSample_isDeductedOnceMore() {
    sample(500);
    room.promise(100);
    sample(500); // not announced yet, or a replica copied in, which never is
    assertThat(room.bytes(CAUTIOUS, 1)).isEqualTo(400);
    assertThat(room.bytes(EXACT, 1)).isEqualTo(500);
    sample(400);
    assertThat(room.bytes(CAUTIOUS, 1)).isEqualTo(400);
  }

  @Test
  void promise_whileAProbeIsUnderWay_isDeductedFromOldAndNewSample() {
    sample(500);
    room.promise(100);
    room.begin(3);
    room.promise(10);
    assertThat(room.bytes(CAUTIOUS, 1)).isEqualTo(390);
    assertThat(room.bytes(EXACT, 1)).as("all since the sample").isEqualTo(390);
    room.found(new Space(400, 1000), 4);
    assertThat(room.bytes(CAUTIOUS, 1)).isEqualTo(290);
    assertThat(room.bytes(EXACT, 1)).isEqualTo(390);
  }

  @Test
  void begin_oneIsUnderWay_isRefused() {
    assertThat(room.begin(10)).isTrue();
    assertThat(room.begin(11)).isFalse();
    assertThat(room.probingFor(15)).isEqualTo(5);
    room.found(new Space(1, 1), 20);
    assertThat(room.probingFor(25)).isZero();
    assertThat(room.begin(30)).isTrue();
  }

  @Test
  void failed_keepsTheLastSampleAndItsDeductions() {
    sample(500);
    room.promise(100);
    room.begin(3);
    room.failed(new IOException("statfs"), 4);
    assertThat(room.failure()).hasMessage("statfs");
    assertThat(room.bytes(AS_STOCK, 3)).as("the failure is the answer").isEqualTo(Long.MAX_VALUE);
    assertThat(room.bytes(CAUTIOUS, 1)).isEqualTo(400);
    sample(300);
    assertThat(room.failure()).isNull();
  }

  @Test
  void promise_sumsThatOverflow_areAllTheRoomThereIs() {
    sample(500);
    room.promise(Long.MAX_VALUE);
    room.promise(Long.MAX_VALUE);
    assertThat(room.bytes(CAUTIOUS, 1)).isNegative();
    room.promise(-5);
    assertThat(room.bytes(CAUTIOUS, 1)).isNegative();
  }

  @Test
  void fullerThan_ceiling_looksAtWhatIsLeft() {
    sample(200);
    assertThat(room.fullerThan(0.8)).isFalse();
    room.promise(1);
    assertThat(room.fullerThan(0.8)).isTrue();
    assertThat(room.fullerThan(1)).isFalse();
  }
}
