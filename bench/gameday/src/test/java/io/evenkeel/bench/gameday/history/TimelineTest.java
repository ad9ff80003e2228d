package io.evenkeel.bench.gameday.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.common.testing.Await;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("once")
class TimelineTest {
  private final AtomicLong nanos = new AtomicLong(-17);
  private final List<String> done = new ArrayList<>();
  private final Timeline timeline = new Timeline(nanos::get, Runnable::run);

  private void seconds(long seconds) {
    nanos.addAndGet(Duration.ofSeconds(seconds).toNanos());
  }

  @Test
  void actions_runOnceAtTheirAcknowledgement_inOrder() {
    timeline.when(2, () -> done.add("2"));
    timeline.when(3, () -> done.add("3"));
    timeline.when(2, () -> done.add("2 again"));
    timeline.when("/a", 2, () -> done.add("a2"));
    timeline.acknowledged("w", "/a");
    assertThat(done).isEmpty();
    timeline.acknowledged("w", "/b");
    assertThat(done).containsExactly("2", "2 again");
    timeline.acknowledged("w", "/a");
    assertThat(done).containsExactly("2", "2 again", "3", "a2");
    timeline.acknowledged("w", "/a");
    assertThat(done).hasSize(4);
    assertThat(timeline.total()).isEqualTo(4);
    assertThat(timeline.total("/a")).isEqualTo(3);
    assertThat(timeline.total("/c")).isZero();
  }

  @Test
  void action_forWhatWasReached_runsAtOnce() {
    timeline.when(0, () -> done.add("0"));
    timeline.acknowledged("w", "/a");
    timeline.when(1, () -> done.add("1"));
    timeline.when("/a", 1, () -> done.add("a1"));
    assertThat(done).containsExactly("0", "1", "a1");
  }

  @Test
  void action_withAnExecutorOfItsOwn_doesNotHoldUpTheWriter() throws Exception {
    ConcurrentLinkedQueue<Thread> threads = new ConcurrentLinkedQueue<>();
    ExecutorService executor = Executors.newSingleThreadExecutor();
    try {
      Timeline own = new Timeline(nanos::get, executor);
      own.when(1, () -> threads.add(Thread.currentThread()));
      own.acknowledged("w", "/a");
      Await.until("the action has run", () -> !threads.isEmpty());
      assertThat(threads).doesNotContain(Thread.currentThread());
    } finally {
      executor.shutdown();
    }
  }

  @Test
  void pauses_areTheLongestOfEachWriterBetweenTwoMoments() {
    timeline.begun("w");
    seconds(2);
    timeline.acknowledged("w", "/a"); // at 2
    timeline.acknowledged("v", "/b");
    seconds(5);
    timeline.acknowledged("w", "/a"); // at 7
    seconds(1);
    timeline.ended("w");
    seconds(12);
    Duration end = timeline.now(); // at 20
    assertThat(timeline.longestPauses(Duration.ZERO, end))
        .isEqualTo(Map.of("w", Duration.ofSeconds(5), "v", Duration.ofSeconds(18)));
    assertThat(timeline.longestPauses(Duration.ofSeconds(1), Duration.ofSeconds(4)))
        .isEqualTo(Map.of("w", Duration.ofSeconds(2), "v", Duration.ofSeconds(2)));
  }

  @Test
  void rateAndRefusals_haveTheirTimes() {
    timeline.acknowledged("w", "/a");
    timeline.acknowledged("w", "/a");
    seconds(3);
    timeline.acknowledged("w", "/a");
    timeline.refused("w", "Append", "ConnectException", "refused");
    seconds(1);
    assertThat(timeline.last()).isEqualTo(Duration.ofSeconds(3));
    assertThat(timeline.perSecond()).isEqualTo(Map.of(0L, 2L, 3L, 1L));
    assertThat(timeline.refusals())
        .containsExactly(
            new Timeline.Refusal(
                Duration.ofSeconds(3), "w", "Append", "ConnectException", "refused"));
  }
}
