package io.evenkeel.mover.core.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("once") // says nothing about a Hadoop release
class MovesPerDataNodeTest {
  private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);

  private static MovesPerDataNode permits(int limit) {
    return new MovesPerDataNode(limit, new Backoff(new Random(5), 50, 5_000));
  }

  private static int acquireAll(MovesPerDataNode permits, String node) {
    int taken = 0;
    while (permits.isFree(node)) {
      permits.acquire(node);
      taken++;
    }
    for (int i = 0; i < taken; i++) {
      permits.release(node);
    }
    return taken;
  }

  @Test
  void acquire_eachNode_hasItsOwnLimit() {
    MovesPerDataNode permits = permits(3);
    for (int i = 0; i < 3; i++) {
      assertThat(permits.isFree("a")).isTrue();
      permits.acquire("a");
    }
    assertThat(permits.isFree("a")).isFalse();
    assertThat(permits.isFree("b")).isTrue();
    permits.release("a");
    assertThat(permits.isFree("a")).isTrue();
  }

  @Test
  void busy_again_halvesTheLimitDownToOneAndBlocksThatNode() {
    MovesPerDataNode permits = permits(8);
    assertThat(permits.notBefore("a") - Long.MAX_VALUE / 4).isNegative();
    permits.acquire("a");
    permits.busy("a", 1000);
    assertThat(permits.notBefore("a")).isBetween(1000 + MILLI, 1000 + 51 * MILLI);
    permits.release("a");
    assertThat(acquireAll(permits, "a")).isEqualTo(4);
    for (int i = 0; i < 5; i++) {
      permits.busy("a", 1000);
    }
    assertThat(acquireAll(permits, "a")).isEqualTo(1);
    assertThat(acquireAll(permits, "b")).isEqualTo(8);
    assertThat(permits.notBefore("b")).isEqualTo(MovesPerDataNode.NEVER_BLOCKED);
  }

  @Test
  void succeeded_asOftenAsTheLimit_growsItByOneUpToTheLimitOfAll() {
    MovesPerDataNode permits = permits(4);
    for (int i = 0; i < 4; i++) {
      permits.acquire("a");
    }
    permits.busy("a", 0);
    for (int i = 0; i < 4; i++) {
      permits.release("a");
    }
    permits.succeeded("a");
    assertThat(acquireAll(permits, "a")).isEqualTo(2);
    permits.succeeded("a");
    assertThat(acquireAll(permits, "a")).isEqualTo(3);
    for (int i = 0; i < 30; i++) {
      permits.succeeded("a");
    }
    assertThat(acquireAll(permits, "a")).as("four were refused not long ago").isEqualTo(3);
    for (int i = 0; i < 100; i++) {
      permits.succeeded("a");
    }
    assertThat(acquireAll(permits, "a")).isEqualTo(4);
  }

  @Test
  void release_nothingTaken_isAnError() {
    assertThatThrownBy(() -> permits(1).release("a")).hasMessageContaining("a");
    assertThatThrownBy(() -> permits(0)).hasMessageContaining("0");
  }

  @ParameterizedTest
  @CsvSource({"5, 2, 16, 1", "5, 2, 50, 2", "3, 1, 8, 3", "20, 10, 50, 4", "100, 60, 64, 5"})
  void simulation_dataNodeAllowsLessThanTheLimit_isNotFlooded(
      int quota, int othersMost, int limit, long seed) {
    DataNodeSimulation simulation = new DataNodeSimulation(quota, othersMost, seed);
    simulation.run(permits(limit), 20_000);
    assertThat(simulation.refused() / (double) simulation.attempts())
        .as("%d refused of %d", simulation.refused(), simulation.attempts())
        .isLessThanOrEqualTo(0.05);
    assertThat(simulation.used()).as("share of the free places used").isGreaterThan(0.6);
  }
}
