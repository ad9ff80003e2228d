package io.evenkeel.cli.doctor.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What is kept of a DataNode's beans. */
class ReadingTest {
  private static Reading reading(double seconds, Map<String, Object> info) {
    return Reading.of(
        seconds,
        List.of(
            Map.of("name", "Hadoop:service=DataNode,name=DataNodeActivity-dn-1", "BytesRead", 5),
            with("DataNodeInfo", info),
            Map.of("name", "Hadoop:service=DataNode,name=UgiMetrics", "GcTimeMillis", 7)));
  }

  private static Map<String, Object> with(String bean, Map<String, Object> attributes) {
    Map<String, Object> all = new HashMap<>(attributes);
    all.put("name", "Hadoop:service=DataNode,name=" + bean);
    return all;
  }

  @Test
  void reading_knowsWhatItsBeansSay() {
    Reading reading =
        reading(
            1, Map.of("XceiverCount", 3, "SoftwareVersion", "3.4.3", "VolumeInfo", "{\"/1\":{}}"));
    assertThat(reading.number("BytesRead")).isEqualTo(5);
    assertThat(reading.number("XceiverCount")).isEqualTo(3);
    assertThat(reading.text("SoftwareVersion")).isEqualTo("3.4.3");
    assertThat(reading.number("GcTimeMillis")).isNaN();
    assertThat(reading.text("SlowDisks")).isEmpty();
    assertThat(reading.volumes()).extracting(Reading.Volume::path).containsExactly("/1");
  }

  @Test
  void number_thatIsNotKept_isAMistake() {
    Reading reading = reading(1, Map.of());
    assertThatThrownBy(() -> reading.number("GcCount"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("GcCount is not kept");
  }

  @Test
  void numbersOnly_keepsThoseAndTheTime() {
    Reading reading =
        reading(7, Map.of("XceiverCount", 3, "SoftwareVersion", "x", "VolumeInfo", "{\"/1\":{}}"))
            .numbersOnly();
    assertThat(reading.seconds()).isEqualTo(7);
    assertThat(reading.number("XceiverCount")).isEqualTo(3);
    assertThat(reading.text("SoftwareVersion")).isEmpty();
    assertThat(reading.volumes()).isEmpty();
  }
}
