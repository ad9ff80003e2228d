package io.evenkeel.mover.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class UpgradeWatchTest {
  private static final long FRESH = TimeUnit.SECONDS.toNanos(UpgradeWatch.FRESH_SECONDS);

  private long now = 77;
  private int asked;
  private String answer;
  private boolean fails;

  private final UpgradeWatch watch = new UpgradeWatch(this::ask, () -> now);

  private String ask() throws IOException {
    asked++;
    if (fails) {
      throw new IOException("failover");
    }
    return answer;
  }

  @Test
  void refusal_justChecked_asksNobody() {
    now += FRESH;
    assertThat(watch.refusal()).isNull();
    assertThat(asked).isZero();
  }

  @Test
  void refusal_upgradeBegunAndEnded_isToldOnceTheAnswerIsOld() {
    answer = "an upgrade";
    now += FRESH + 1;
    assertThat(watch.refusal()).isEqualTo("an upgrade");
    answer = null;
    assertThat(watch.refusal()).isEqualTo("an upgrade");
    assertThat(asked).isEqualTo(1);
    now += FRESH + 1;
    assertThat(watch.refusal()).isNull();
    assertThat(asked).isEqualTo(2);
  }

  @Test
  void refusal_theCallFails_theLastAnswerHoldsAndIsNotAskedForAtOnce() {
    answer = "an upgrade";
    now += FRESH + 1;
    watch.refusal();
    fails = true;
    now += FRESH + 1;
    assertThat(watch.refusal()).isEqualTo("an upgrade");
    assertThat(watch.refusal()).isEqualTo("an upgrade");
    assertThat(asked).isEqualTo(2);
  }
}
