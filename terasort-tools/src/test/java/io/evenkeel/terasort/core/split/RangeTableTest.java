package io.evenkeel.terasort.core.split;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("once") // says nothing about a Hadoop release
class RangeTableTest {
  @Test
  void get_anyRanges_comeBack() {
    Random random = new Random(1);
    List<Range> ranges = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      List<String> hosts = new ArrayList<>();
      for (int more = random.nextInt(5); more > 0; more--) {
        hosts.add("host-" + random.nextInt(8)); // some twice
      }
      long start = random.nextLong() >>> 1;
      ranges.add(new Range(random.nextInt(1 << 20), start, 1 + (random.nextLong() >>> 1), hosts));
    }
    RangeTable table = RangeTable.of(ranges);
    assertThat(table).hasSize(ranges.size());
    for (int i = 0; i < ranges.size(); i++) {
      assertThat(table.get(i)).hasToString(ranges.get(i).toString());
      assertThat(table.get(i).hosts()).isEqualTo(ranges.get(i).hosts());
    }
    assertThat(RangeTable.of(table)).isSameAs(table);
  }

  @Test
  void get_outside_isRefused() {
    RangeTable table = RangeTable.of(List.of(new Range(0, 0, 1, List.of("a"))));
    assertThatThrownBy(() -> table.get(1)).isInstanceOf(IndexOutOfBoundsException.class);
    List<String> hosts = table.get(0).hosts();
    assertThatThrownBy(() -> hosts.get(1)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> hosts.add("b")).isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(() -> table.add(0, 5, 0, List.of()))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
