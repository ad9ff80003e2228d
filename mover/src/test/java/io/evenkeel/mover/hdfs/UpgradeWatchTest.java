package io.evenkeel.mover.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.common.testing.LogLines;
import java.io.IOException;
import java.net.URI;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hdfs.protocol.RollingUpgradeInfo;
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
  void upgrade_isNotFinalised_isNamedAsWhatItIs() {
    URI nameNode = URI.create("hdfs://ns1");
    RollingUpgradeInfo on = new RollingUpgradeInfo("pool", true, 1, 0);
    RollingUpgradeInfo ended = new RollingUpgradeInfo("pool", true, 1, 2);
    String ofOther = "hdfs://ns1: an upgrade is not finalised";
    String ofRolling = "hdfs://ns1: a rolling upgrade is not finalised";

    assertThat(UpgradeWatch.upgrade(nameNode, true, null)).isNull();
    assertThat(UpgradeWatch.upgrade(nameNode, true, ended)).isNull();
    assertThat(UpgradeWatch.upgrade(nameNode, false, null)).startsWith(ofOther);
    assertThat(UpgradeWatch.upgrade(nameNode, false, ended)).startsWith(ofOther);
    assertThat(UpgradeWatch.upgrade(nameNode, true, on)).startsWith(ofRolling);
    assertThat(UpgradeWatch.upgrade(nameNode, false, on)).startsWith(ofRolling);
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

  /** A NameNode may be away for hours. */
  @Test
  void refusal_theCallFailsAgainAndAgain_isSaidOnceUntilItIsAnswered() {
    try (LogLines log = LogLines.of(UpgradeWatch.class)) {
      for (boolean failing : new boolean[] {true, true, true, false, true, true}) {
        fails = failing;
        now += FRESH + 1;
        watch.refusal();
      }
      assertThat(log.at("INFO")).hasSize(2).allMatch(line -> line.contains("failover"));
    }
  }

  /** When an upgrade ends, the NameNode may be of a version that is not known. */
  @Test
  void refusal_anotherReason_isSaidAsWell() {
    try (LogLines log = LogLines.of(UpgradeWatch.class)) {
      for (String reason : new String[] {"an upgrade", "an upgrade", "a version"}) {
        answer = reason;
        now += FRESH + 1;
        watch.refusal();
      }
      assertThat(log.at("WARN"))
          .containsExactly(
              "Nothing is moved from now on: an upgrade",
              "Nothing is moved from now on: a version");
    }
  }
}
