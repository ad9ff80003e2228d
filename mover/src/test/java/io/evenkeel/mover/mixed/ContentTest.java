package io.evenkeel.mover.mixed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Arrays;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What the mixed load compares with notices every wrong byte. */
@Tag("once")
class ContentTest {
  private final Content content =
      Content.EMPTY.plus(1, 100).plus(2, 50_000).cut(40_000).plus(3, 7).plus(4, 13);

  private static long check(Content content, byte[] bytes) throws IOException {
    return content.check("f", new ByteArrayInputStream(bytes));
  }

  private byte[] all() {
    return content.bytes(0, (int) content.length());
  }

  @Test
  void bytes_anyRange_isThatOfTheWhole() throws IOException {
    assertThat(content.length()).isEqualTo(40_020);
    assertThat(check(content, all())).isEqualTo(40_020);
    for (int from : new int[] {0, 1, 99, 100, 101, 39_999, 40_000, 40_007, 40_019}) {
      int count = Math.min(9, 40_020 - from);
      assertThat(content.bytes(from, count))
          .isEqualTo(Arrays.copyOfRange(all(), from, from + count));
    }
  }

  @Test
  void check_aPrefix_givesItsLength() throws IOException {
    assertThat(check(content, Arrays.copyOf(all(), 33_000))).isEqualTo(33_000);
    assertThat(check(content, new byte[0])).isZero();
    assertThat(all()).startsWith(content.cut(50).bytes(0, 50));
  }

  @Test
  void check_oneByteDiffersOrIsTooMuch_fails() {
    for (int at : new int[] {0, 100, 32_768, 40_019}) {
      byte[] wrong = all();
      wrong[at]++;
      assertThatThrownBy(() -> check(content, wrong))
          .isInstanceOf(AssertionError.class)
          .hasMessageContaining("byte " + at + " ");
    }
    assertThatThrownBy(() -> check(content, Arrays.copyOf(all(), 40_021)))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("more than its 40020 bytes");
  }

  @Test
  void plus_afterCut_isNotWhatStoodThere() {
    byte[] before = Content.EMPTY.plus(5, 100).bytes(0, 100);
    byte[] after = Content.EMPTY.plus(5, 100).cut(50).plus(6, 50).bytes(0, 100);
    assertThat(Arrays.copyOf(after, 50)).isEqualTo(Arrays.copyOf(before, 50));
    assertThat(Arrays.copyOfRange(after, 50, 100))
        .isNotEqualTo(Arrays.copyOfRange(before, 50, 100));
  }
}
