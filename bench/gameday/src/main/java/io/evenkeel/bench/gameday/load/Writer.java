package io.evenkeel.bench.gameday.load;

import io.evenkeel.bench.gameday.history.Content;
import io.evenkeel.bench.gameday.history.History;
import io.evenkeel.bench.gameday.history.Timeline;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Does one operation after the other on files of its own until the load ends. After an error it
 * goes on with other files, and looks at what is in doubt from time to time. Confined to its
 * thread.
 */
abstract class Writer {
  /** With more doubts than this it waits until they are settled. */
  private static final int DOUBTS = 8;

  /** It does not look at doubts more often. */
  private static final long SETTLE_NANOS = 200_000_000;

  private final History history;
  private final Timeline timeline;
  private final Recorder recorder;
  private final Random random;
  private final List<String> files = new ArrayList<>();
  private volatile boolean closed;
  private long settled = System.nanoTime() - SETTLE_NANOS;

  Writer(Recorder recorder, History history, Timeline timeline, Random random) {
    this.recorder = recorder;
    this.history = history;
    this.timeline = timeline;
    this.random = random;
  }

  String name() {
    return recorder.writer();
  }

  Recorder recorder() {
    return recorder;
  }

  Random random() {
    return random;
  }

  History history() {
    return history;
  }

  /** Its closed files without doubt, oldest first. */
  List<String> files() {
    return files;
  }

  /** Works until the load ends; then closes and settles everything, or is given up. */
  final void run(Load load) throws InterruptedException {
    timeline.begun(name());
    while (load.working()) {
      settle();
      if (recorder.unsettled().size() <= DOUBTS) {
        attempt(this::step);
      }
      load.pause();
    }
    attempt(this::close);
    closed = true;
    while (!recorder.unsettled().isEmpty()) {
      settle();
      load.pause();
    }
    timeline.ended(name());
  }

  /** Whether only doubts are left, which whoever reads everything afterwards can settle too. */
  boolean closed() {
    return closed;
  }

  private void settle() {
    if (!recorder.unsettled().isEmpty() && System.nanoTime() - settled > SETTLE_NANOS) {
      files.addAll(recorder.settle());
      settled = System.nanoTime();
    }
  }

  /** What may end with an error. */
  private interface Work {
    void run() throws IOException;
  }

  /**
   * An error has been recorded where it happened; nothing uses its files until they are settled.
   */
  private void attempt(Work work) {
    try {
      work.run();
    } catch (IOException e) {
      files.removeAll(recorder.unsettled());
    }
  }

  /** One or a few operations. */
  abstract void step() throws IOException;

  /** Closes what is open. */
  abstract void close() throws IOException;

  Content content(String path) {
    return history.content(path);
  }
}
