package io.evenkeel.bench.mover;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class CallsTest {
  private static final Calls BEFORE =
      Calls.of(Map.of("GetListing", 2L, "SendHeartbeat", 7L, "GetBlockKeys", 1L));

  @Test
  void of_callsOfDataNodes_leavesThemOut() {
    assertThat(BEFORE.all()).isEqualTo(3);
    assertThat(Calls.of(Map.of("blockReceivedAndDeleted", 5L)).all()).isZero();
  }

  @Test
  void since_anEarlierCount_isTheDifference() {
    Calls now = Calls.of(Map.of("GetListing", 5L, "GetBlockKeys", 1L, "SendHeartbeat", 9L));
    Calls between = now.since(BEFORE);
    assertThat(between.byMethod()).containsExactly(Map.entry("getlisting", 3L));
    assertThat(between.listings()).isEqualTo(3);
  }

  @Test
  void view_tooManyReplicas_isNotComplete() {
    assertThat(new View(2, 6, 6, 3, 3).complete()).isTrue();
    assertThat(new View(2, 7, 7, 3, 4).complete()).isFalse();
    assertThat(new View(2, 6, 5, 3, 3).complete()).isFalse();
    assertThat(View.NOTHING.complete()).isFalse();
  }
}
