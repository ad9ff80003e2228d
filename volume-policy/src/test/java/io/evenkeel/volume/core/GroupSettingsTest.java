package io.evenkeel.volume.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.common.config.Settings;
import io.evenkeel.volume.VolumeKeys;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("once")
class GroupSettingsTest {
  private final GroupSettings defaults = GroupSettings.defaults();
  private final Settings keys = VolumeKeys.TABLE.readOrFail(List.of(), key -> null, warning -> {});

  @Test
  void defaults_everyKey_isThatOfTheKeyTable() {
    assertThat(defaults.ejects).isEqualTo(keys.get(VolumeKeys.EJECTS));
    assertThat(defaults.multiplier).isEqualTo(keys.get(VolumeKeys.MULTIPLIER));
    assertThat((long) defaults.minPeers).isEqualTo(keys.get(VolumeKeys.MIN_PEERS));
    assertThat(defaults.ejectBase).isEqualTo(keys.get(VolumeKeys.EJECT_BASE).toNanos());
    assertThat(defaults.ejectMax).isEqualTo(keys.get(VolumeKeys.EJECT_MAX).toNanos());
  }
}
