package io.evenkeel.volume.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A device of 100 MB/s; times in seconds, sizes in MB. */
@Tag("once")
class EvenFillTest {
  private static final double ANY = 1e9;
  private static final double PACE = 100;

  private final EvenFill fill = new EvenFill();
  private double now = 5;
  private long unacknowledged;
  private double written;
  private double read;
  private double busy;

  private static long mb(double mb) {
    return (long) (mb * 1e6);
  }

  private static long nanos(double seconds) {
    return (long) (seconds * TimeUnit.SECONDS.toNanos(1));
  }

  /** A second passes; the device does that and is sampled. */
  private void second(double writes, double reads) {
    second(writes, reads, (writes + reads) / PACE);
  }

  private void second(double writes, double reads, double busySeconds) {
    now++;
    written += writes;
    read += reads;
    busy += busySeconds;
    fill.observe(
        new DeviceCounters(0, 0, 0, 0, 1000 * busy, mb(written), mb(read)),
        mb(unacknowledged),
        nanos(now));
  }

  private boolean atRest(double after) {
    return fill.allows(mb(unacknowledged), ANY, nanos(now + after));
  }

  private boolean allows(double most) {
    return fill.allows(0, most, nanos(now + 0.5));
  }

  @Test
  void allows_nothingIsKnown_yes() {
    assertThat(atRest(0)).isTrue();
  }

  @Test
  void allows_writerIsAtThePaceOfTheDevice_atRestWithItsLastByte() {
    second(0, 0);
    fill.promise(mb(200), nanos(now));
    unacknowledged = 200;
    for (int i = 0; i < 2; i++) {
      unacknowledged -= 100;
      second(100, 0);
    }
    assertThat(atRest(0)).isTrue();
    fill.promise(mb(150), nanos(now));
    unacknowledged = 50;
    second(100, 0);
    unacknowledged = 0;
    assertThat(atRest(0.5)).isTrue();
  }

  @Test
  void allows_blockIsInThePageCache_notUntilTheDeviceHasWrittenIt() {
    second(0, 0);
    fill.promise(mb(250), nanos(now)); // and all of it came within a moment
    assertThat(atRest(0.1)).isFalse();
    second(100, 0);
    assertThat(atRest(0.1)).isFalse();
    second(100, 0);
    assertThat(atRest(0.1)).isFalse();
    assertThat(atRest(0.48)).isTrue();
    second(50, 0);
    assertThat(atRest(0)).isTrue();
  }

  @Test
  void allows_blockStaysInMemoryAndNobodyWritesIt_isNoHindrance() {
    second(0, 0);
    fill.promise(mb(250), nanos(now));
    second(0, 0);
    assertThat(atRest(0)).as("it may just have come").isFalse();
    second(0, 0);
    assertThat(atRest(0)).isTrue();
  }

  @Test
  void allows_deviceWritesWhatNoClientBrought_notBeforeItIsQuiet() {
    second(0, 0);
    second(100, 0);
    assertThat(atRest(0.1)).isFalse();
    second(20, 0);
    assertThat(atRest(0.1)).isTrue();
  }

  @Test
  void allows_deviceIsBusyWithSmallReads_notBeforeItIsQuiet() {
    second(0, 0);
    second(0, 1, 0.9);
    assertThat(atRest(0.1)).isFalse();
    second(0, 0.1, 0.1);
    assertThat(atRest(0.1)).isTrue();
  }

  @Test
  void allows_logKeepsABlockOpen_isNoHindrance() {
    fill.promise(mb(128), nanos(now));
    unacknowledged = 128;
    for (int i = 0; i < 5; i++) {
      unacknowledged--;
      second(1, 0);
    }
    assertThat(atRest(0.1)).isTrue();
  }

  @Test
  void allows_blockIsNotAnnouncedYetWhenSampled_countsOnce() {
    second(0, 0);
    fill.promise(mb(200), nanos(now));
    second(60, 0);
    unacknowledged = 140;
    second(100, 0);
    unacknowledged = 0;
    assertThat(atRest(0)).isFalse();
    second(40, 0);
    assertThat(atRest(0)).isTrue();
  }

  @Test
  void allows_noCounters_takenForAHundredMegabytesPerSecond() {
    fill.observe(null, 0, nanos(now));
    fill.promise(mb(250), nanos(now));
    assertThat(atRest(2)).isFalse();
    now += 1;
    fill.observe(null, 0, nanos(now));
    assertThat(atRest(1)).isFalse();
    assertThat(atRest(1.5)).isTrue();
  }

  @Test
  void allows_countersBeginAnew_areNotCompared() {
    second(0, 0);
    second(90, 0);
    written = 0;
    second(0, 0, 1);
    second(10, 0);
    assertThat(atRest(0)).isTrue();
  }

  @Test
  void allows_moreThanItsShareWhereNobodyReads_yes() {
    for (int i = 0; i < 60; i++) {
      fill.promise(mb(80), nanos(now));
      second(80, 10);
    }
    assertThat(allows(10)).isTrue();
  }

  @Test
  void allows_moreThanItsShareWhereBlocksAreRead_notUntilItIsNoMore() {
    for (int i = 0; i < 60; i++) {
      fill.promise(mb(40), nanos(now));
      second(40, 40);
    }
    second(0, 0);
    assertThat(fill.blocks()).isBetween(50.0, 60.0);
    assertThat(allows(fill.blocks())).isTrue();
    assertThat(allows(50)).isFalse();
    for (int i = 0; i < 600; i++) {
      second(0, 0);
    }
    assertThat(allows(50)).isTrue();
  }

  @Test
  void allows_moreThanItsShareWithoutCounters_no() {
    fill.observe(null, 0, nanos(now));
    fill.promise(0, nanos(now));
    fill.promise(0, nanos(now));
    assertThat(allows(1)).isFalse();
    assertThat(allows(2)).isTrue();
  }
}
