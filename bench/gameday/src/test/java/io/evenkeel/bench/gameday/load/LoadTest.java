package io.evenkeel.bench.gameday.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.bench.gameday.history.History;
import io.evenkeel.bench.gameday.history.Timeline;
import io.evenkeel.bench.gameday.schedule.Mix;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("once")
class LoadTest {
  private final Timeline timeline = new Timeline(System::nanoTime, Runnable::run);
  private final History history = new History(timeline);
  private final CountDownLatch hangs = new CountDownLatch(1);

  /** A writer that hangs in its step or at its end, as a client that HDFS does not answer. */
  private final class Hung extends Writer {
    private final boolean inClose;

    Hung(String name, boolean inClose) {
      super(new Recorder(null, history, timeline, name), history, timeline, new Random(1));
      this.inClose = inClose;
    }

    private void hang() throws IOException {
      hangs.countDown();
      try {
        new CountDownLatch(1).await();
      } catch (InterruptedException e) {
        throw new InterruptedIOException("as DFSOutputStream does");
      }
    }

    @Override
    void step() throws IOException {
      if (!inClose) {
        hang();
      }
    }

    @Override
    void close() throws IOException {
      if (inClose) {
        hang();
      }
    }
  }

  @Test
  void finish_writerHangs_isNamedWhereverItHangs() throws Exception {
    LoadPlan plan = new LoadPlan("/g", 1, 1000, Mix.DEFAULT, "x", Duration.ofMillis(5));
    Load load = new Load(null, plan, history, timeline);
    load.start(new Hung("in-step", false));
    load.start(new Hung("in-close", true));
    load.begin();
    hangs.await();
    assertThat(load.finish(Duration.ofMillis(500)))
        .containsExactlyInAnyOrder("in-step", "in-close");
  }
}
