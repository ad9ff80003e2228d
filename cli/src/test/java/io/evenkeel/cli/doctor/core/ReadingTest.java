package io.evenkeel.cli.doctor.core;

import static org.assertj.core.api.Assertions.assertThat;

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
            Map.of("name", "Hadoop:service=DataNode,name=UgiMetrics", "GcCount", 7)));
  }

  private static Map<String, Object> with(String bean, Map<String, Object> attributes) {
    Map<String, Object> all = new HashMap<>(attributes);
    all.put("name", "Hadoop:service=DataNode,name=" + bean);
    return all;
  }

  @Test
  void reading_knowsWhatItsBeansSay() {
    Reading reading = reading(1, Map.of("XceiverCount", 3, "Version", "3.4.3"));
    assertThat(reading.number("BytesRead")).isEqualTo(5);
    assertThat(reading.number("XceiverCount")).isEqualTo(3);
    assertThat(reading.text("Version")).isEqualTo("3.4.3");
    assertThat(reading.number("GcCount")).isNaN();
    assertThat(reading.text("ClusterId")).isEmpty();
  }

  @Test
  void sharing_changesNothing() {
    Reading before = reading(1, Map.of("XceiverCount", 3, "Version", "3.4.3", "Id", "a"));
    for (Map<String, Object> info :
        List.<Map<String, Object>>of(
            Map.of("XceiverCount", 4, "Version", "3.4.3", "Id", "a"),
            Map.of("XceiverCount", 4, "Version", "3.5.0", "Id", "a"),
            Map.of("Other", 4, "Version", "3.4.3"))) {
      Reading plain = reading(2, info);
      Reading shared = plain.sharing(before);
      assertThat(shared.seconds()).isEqualTo(2);
      for (String name : List.of("XceiverCount", "Other", "BytesRead")) {
        assertThat((Object) shared.number(name)).as(name).isEqualTo(plain.number(name));
      }
      for (String name : List.of("Version", "Id")) {
        assertThat(shared.text(name)).as(name).isEqualTo(plain.text(name));
      }
    }
    assertThat(before.sharing(null)).isSameAs(before);
  }
}
