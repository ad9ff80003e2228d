package io.evenkeel.volume.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("once")
class OutlierDetectorTest {
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  private final FakeSignals signals = new FakeSignals();
  private final List<String> volumes = List.of("v0", "v1", "v2", "v3");
  private final VolumeGroup<String> group =
      new VolumeGroup<>(
          GroupSettings.defaults(),
          signals,
          new InlineProbes<>(signals, () -> 0),
          v -> VolumeTraits.NONE);

  /** Each second the peers complete 100 writes of 10 ms in 500 ms, v0 others in a full one. */
  private Health afterTenSeconds(int writes, double millis, boolean tellsBusy) throws IOException {
    for (int i = 0; i < 4; i++) {
      group.choose(new Request<>(volumes, 1, 1), 0);
    }
    for (int second = 1; second <= 10; second++) {
      for (String volume : volumes) {
        boolean first = volume.equals("v0");
        FakeSignals.Device device = signals.deviceOf(volume);
        device.writes(first ? writes : 100, first ? millis : 10);
        if (tellsBusy) {
          device.busy(first ? 1000 : 500);
        }
      }
      group.tick(second * SECOND);
    }
    return healthOf("v0");
  }

  private Health healthOf(String volume) {
    Health[] health = new Health[1];
    group.view((v, view) -> health[0] = v.equals(volume) ? view.health : health[0], 10 * SECOND);
    return health[0];
  }

  @Test
  void judge_waitsBecauseItHasMoreToDo_isNoOutlier() throws IOException {
    assertThat(afterTenSeconds(200, 300, true)).isEqualTo(Health.IN_USE);
  }

  @Test
  void judge_getsLessDoneAndWaits_isEjected() throws IOException {
    assertThat(afterTenSeconds(20, 300, true)).isEqualTo(Health.EJECTED);
  }

  @Test
  void judge_asManyWritesAsItsPeersButAlwaysBusy_isEjected() throws IOException {
    assertThat(afterTenSeconds(90, 300, true)).isEqualTo(Health.EJECTED);
  }

  @Test
  void judge_deviceDoesNotTellHowBusyItWas_latencyDecides() throws IOException {
    assertThat(afterTenSeconds(200, 300, false)).isEqualTo(Health.EJECTED);
  }

  /** One disk streams in requests of 512 KB, the others have small synced writes of 4 KB. */
  private Health besideSmallWrites(int writes, double millis, double busy) throws IOException {
    for (int i = 0; i < 4; i++) {
      group.choose(new Request<>(volumes, 1, 1), 0);
    }
    for (int second = 1; second <= 10; second++) {
      for (String volume : volumes) {
        FakeSignals.Device device = signals.deviceOf(volume);
        if (volume.equals("v0")) {
          device.writes(writes, millis).bytes(writes * 524_288.0).busy(busy);
        } else {
          device.writes(1500, 0.5).bytes(1500 * 4096.0).busy(150);
        }
      }
      group.tick(second * SECOND);
    }
    return healthOf("v0");
  }

  @Test
  void judge_streamsBesideSmallWrites_bytesSayThatItKeepsPace() throws IOException {
    assertThat(besideSmallWrites(400, 40, 600)).isEqualTo(Health.IN_USE);
  }

  /** 20 KB per busy ms, where the small writes of its peers make 41. */
  @Test
  void judge_streamsBesideSmallWritesAtASlowDisksPace_isEjected() throws IOException {
    assertThat(besideSmallWrites(39, 400, 1000)).isEqualTo(Health.EJECTED);
  }
}
