package io.evenkeel.volume.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Two volumes; on v0 a block is open for long. */
@Tag("once")
class IdleUsersTest {
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
  private static final List<String> VOLUMES = List.of("v0", "v1");
  private static final Map<String, Integer> ALL_TO_THE_OTHER = Map.of("v0", 0, "v1", 10);
  private static final Map<String, Integer> IN_TURN = Map.of("v0", 5, "v1", 5);

  private final FakeSignals signals = new FakeSignals();
  private final VolumeGroup<String> group =
      new VolumeGroup<>(
          GroupSettings.defaults(),
          signals,
          new InlineProbes<>(signals, () -> this.now),
          v -> VolumeTraits.NONE);
  private long now = 7 * SECOND;

  @BeforeEach
  void openBlock() {
    VOLUMES.forEach(v -> signals.users(v, 1).unacknowledged(v, 1L << 40)); // one is always there
    choices(2);
    signals.users("v0", 2);
  }

  /** Where so many blocks go that end at once. */
  private Map<String, Integer> choices(int times) {
    Map<String, Integer> counts = new TreeMap<>(Map.of("v0", 0, "v1", 0));
    for (int i = 0; i < times; i++) {
      now += 10 * WorkInFlight.WINDOW;
      counts.merge(choose(), 1, Integer::sum);
    }
    return counts;
  }

  private String choose() {
    try {
      return group.choose(new Request<>(VOLUMES, 1, 1), now).volume();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Samples of v0, between which that many bytes are written and its device is that busy. */
  private void samples(int count, long bytes, double busy) {
    for (int i = 0; i < count; i++) {
      signals.unacknowledged("v0", signals.unacknowledgedBytes("v0") - bytes);
      signals.deviceOf("v0").writes(bytes > 0 ? 1 : 0, 1).busy(1000 * busy).idle();
      tick();
    }
  }

  private void tick() {
    now += SECOND;
    group.tick(now);
  }

  private VolumeView view() {
    VolumeView[] found = new VolumeView[1];
    group.view((v, view) -> found[0] = v.equals("v0") ? view : found[0], now);
    return found[0];
  }

  private void trickle() {
    samples(11, 100_000, 0.1);
    assertThat(view().idleUsers).isOne();
  }

  @Test
  void choose_fewEdits_keepNoBlockAwayAfterFiveSeconds() {
    samples(5, 100_000, 0.1); // the first sample begins
    assertThat(choices(10)).isEqualTo(ALL_TO_THE_OTHER);
    samples(1, 100_000, 0.1);
    assertThat(choices(10)).isEqualTo(IN_TURN);
    assertThat(view().work).isZero();
    assertThat(view().idleUsers).isOne();
  }

  @Test
  void choose_aWriterBesideWorks_counts() {
    trickle();
    signals.users("v0", 3);
    assertThat(choices(10)).isEqualTo(ALL_TO_THE_OTHER);
  }

  @Test
  void choose_itIsClosedAndAnotherOpened_counts() {
    trickle();
    signals.users("v0", 1);
    choices(1);
    signals.users("v0", 2);
    assertThat(choices(10)).isEqualTo(ALL_TO_THE_OTHER);
  }

  @Test
  void choose_itIsWritten_counts() {
    samples(20, 2 << 20, 0.1);
    assertThat(choices(10)).isEqualTo(ALL_TO_THE_OTHER);
  }

  @Test
  void choose_aBlockIsOpenedNowAndThen_noTimeIsCalm() {
    for (int i = 0; i < 20; i++) {
      samples(1, i % 4 == 0 ? -(128L << 20) : 100_000, 0.1);
    }
    assertThat(choices(10)).isEqualTo(ALL_TO_THE_OTHER);
  }

  @Test
  void choose_deviceIsBusy_counts() {
    samples(20, 100_000, 0.6);
    assertThat(choices(10)).isEqualTo(ALL_TO_THE_OTHER);
  }

  @Test
  void choose_writesTakeLongThoughTheDeviceSaysItIsIdle_counts() {
    for (int i = 0; i < 20; i++) {
      signals.deviceOf("v0").writes(1, 600);
      samples(1, 100_000, 0.1);
    }
    assertThat(choices(10)).isEqualTo(ALL_TO_THE_OTHER);
  }

  @Test
  void choose_deviceBecomesBusyUnderLoad_countsAgain() {
    trickle();
    samples(6, 100 << 20, 1);
    assertThat(choices(10)).isEqualTo(ALL_TO_THE_OTHER);
  }

  @Test
  void choose_someLoadForAMinute_countsAgain() {
    trickle();
    samples(55, 10 << 20, 0.2);
    assertThat(choices(10)).isEqualTo(IN_TURN);
    samples(15, 10 << 20, 0.2);
    assertThat(choices(10)).isEqualTo(ALL_TO_THE_OTHER);
  }

  @Test
  void choose_deviceIsStuck_countsAgain() {
    trickle();
    for (int i = 0; i < 2; i++) {
      signals.deviceOf("v0").inFlight(1);
      tick();
    }
    assertThat(view().idleUsers).isZero();
    assertThat(view().work).isEqualTo(1);
  }

  @Test
  void choose_writersWaitForWhatNoCounterShows_count() {
    trickle();
    signals.users("v0", 9);
    samples(30, 0, 0);
    assertThat(view().idleUsers).isOne();
    assertThat(view().work).isEqualTo(7);
  }

  @Test
  void choose_onlyTheDeviceWrites_whoIsThereMayBeReadersAndCounts() {
    for (int i = 0; i < 20; i++) {
      signals.deviceOf("v0").writes(1, 1);
      samples(1, 0, 0.1);
    }
    assertThat(choices(10)).isEqualTo(ALL_TO_THE_OTHER);
  }

  @Test
  void choose_aBurstOfManyWritesAtOnce_keepsTheVerdict() {
    trickle();
    signals.deviceOf("v0").writes(200, 100); // 20 s of requests in one second
    samples(5, 100_000, 0.1);
    assertThat(choices(10)).isEqualTo(IN_TURN);
  }

  @Test
  void choose_samplesOfTwoSecondsThatAreLate_areNotFarApart() {
    for (int i = 0; i < 10; i++) {
      now += SECOND + SECOND / 10;
      samples(1, 100_000, 0.1);
    }
    assertThat(choices(10)).isEqualTo(IN_TURN);
  }

  @Test
  void choose_samplesAreFarApart_counts() {
    for (int i = 0; i < 10; i++) {
      now += 4 * SECOND;
      samples(1, 100_000, 0.1);
    }
    assertThat(choices(10)).isEqualTo(ALL_TO_THE_OTHER);
  }

  @Test
  void choose_deviceDoesNotTellHowLongItWasBusy_counts() {
    for (int i = 0; i < 20; i++) {
      signals.deviceOf("v0").writes(1, 1).idle();
      tick();
    }
    assertThat(choices(10)).isEqualTo(ALL_TO_THE_OTHER);
  }

  @Test
  void choose_usersAreNotKnown_bytesDecide() {
    trickle();
    VOLUMES.forEach(v -> signals.users(v, VolumeSignals.UNKNOWN));
    samples(6, 100_000, 0.1);
    assertThat(view().idleUsers).isZero();
  }

  @Test
  void view_usersAreNotKnownForAMoment_theVerdictStays() {
    trickle();
    signals.users("v0", VolumeSignals.UNKNOWN);
    assertThat(view().idleUsers).isZero();
    signals.users("v0", 2);
    assertThat(view().idleUsers).isOne();
  }

  @Test
  void choose_readersComeAndGoBetweenSamples_noneIsIdle() {
    for (int i = 0; i < 20; i++) {
      signals.users("v0", 1);
      choices(1);
      signals.users("v0", 2);
      samples(1, 100_000, 0.1);
    }
    assertThat(choices(10)).isEqualTo(ALL_TO_THE_OTHER);
  }

  @Test
  void choose_countersStartAgain_anotherTimeBegins() {
    samples(4, 100_000, 0.1);
    signals.noDevice("v0"); // the next ones start at 0
    samples(5, 100_000, 0.01);
    assertThat(choices(10)).isEqualTo(ALL_TO_THE_OTHER);
  }
}
