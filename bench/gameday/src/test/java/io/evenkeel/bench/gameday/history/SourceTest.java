package io.evenkeel.bench.gameday.history;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("once")
class SourceTest {
  private static final Source SOURCE = new Source("/a", 1);

  private static byte[] bytes(Source source, int length) {
    byte[] bytes = new byte[length];
    source.fill(0, bytes, 0, length);
    return bytes;
  }

  @Test
  void bytes_fromAnyPosition_areTheSame() {
    byte[] all = bytes(SOURCE, 1000);
    Random random = new Random(7);
    for (int i = 0; i < 200; i++) {
      int from = random.nextInt(1000);
      int length = random.nextInt(1000 - from + 1);
      byte[] part = new byte[length + 3];
      SOURCE.fill(from, part, 3, length);
      assertThat(Arrays.copyOfRange(part, 3, length + 3))
          .isEqualTo(Arrays.copyOfRange(all, from, from + length));
      assertThat(SOURCE.matching(from, all, from, length)).isEqualTo(length);
    }
  }

  @Test
  void wrongByte_anywhere_isTheFirstThatDoesNotMatch() {
    for (int at = 0; at < 100; at++) {
      byte[] bytes = bytes(SOURCE, 100);
      bytes[at]++;
      bytes[99] -= 7;
      assertThat(SOURCE.matching(0, bytes, 0, 100)).isEqualTo(at);
    }
  }

  @Test
  void otherNameGenerationOrPosition_givesOtherBytes() {
    byte[] bytes = bytes(SOURCE, 64);
    assertThat(new Source("/a", 2).matching(0, bytes, 0, 64)).isLessThan(4);
    assertThat(new Source("/b", 1).matching(0, bytes, 0, 64)).isLessThan(4);
    assertThat(SOURCE.matching(8, bytes, 0, 56)).isLessThan(4);
    assertThat(SOURCE.matching(1, bytes, 0, 63)).isLessThan(4);
    assertThat(SOURCE.matching(1 << 20, bytes, 0, 64)).isLessThan(4);
  }
}
