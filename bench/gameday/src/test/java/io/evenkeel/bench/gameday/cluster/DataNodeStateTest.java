package io.evenkeel.bench.gameday.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.common.json.Json;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("once")
class DataNodeStateTest {
  private static final String BEAN =
      """
      {"name": "io.evenkeel.bench:type=Disks", "Version": 3, "Problem": "", "Waiting": 1,
       "Met": 5, "LockedMemory": 4096,
       "Volumes": [
        {"directory": "ssd", "storage": "DS-1", "type": "SSD", "removed": false,
         "references": 2, "reservedForReplicas": 1048576},
        {"directory": "disk", "storage": "DS-2", "type": "DISK", "removed": true,
         "references": 1, "reservedForReplicas": 0}],
       "Threads": [{"key": "PacketResponder", "value": 4}]}
      """;

  @SuppressWarnings("unchecked")
  private static Map<String, Object> bean(String text) {
    return (Map<String, Object>) Json.parse(text);
  }

  @Test
  void of_bean_isWhatItSays() {
    DataNodeState state = DataNodeState.of(bean(BEAN));
    assertThat(state)
        .isEqualTo(
            new DataNodeState(
                3,
                "",
                1,
                5,
                4096,
                List.of(
                    new DataNodeState.Volume("ssd", "DS-1", "SSD", false, 2, 1 << 20),
                    new DataNodeState.Volume("disk", "DS-2", "DISK", true, 1, 0)),
                Map.of("PacketResponder", 4L)));
    assertThat(state.volumeNames()).containsExactly("ssd");
  }

  @Test
  void of_beanWithoutAnAttribute_isRefusedAndNamed() {
    assertThatThrownBy(() -> DataNodeState.of(bean(BEAN.replace("Waiting", "Waits"))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("no Waiting");
  }
}
