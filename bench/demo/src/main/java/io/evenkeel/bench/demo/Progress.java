package io.evenkeel.bench.demo;

import java.io.PrintStream;

/**
 * Progress of the demo on the terminal: finished steps as lines; on a terminal also one live line
 * that is overwritten, elsewhere nothing in between. Used by one thread at a time.
 */
final class Progress {
  private final PrintStream out;
  private final boolean terminal;
  private final long start = System.nanoTime();
  private int liveLength;

  Progress(PrintStream out, boolean terminal) {
    this.out = out;
    this.terminal = terminal;
  }

  /** Shows what is going on now. */
  void update(String text) {
    if (terminal) {
      String line = stamp() + text;
      out.print("\r" + line + " ".repeat(Math.max(0, liveLength - line.length())));
      out.flush();
      liveLength = line.length();
    }
  }

  /** A finished step, on a line of its own. */
  void done(String text) {
    if (terminal && liveLength > 0) {
      out.print("\r" + " ".repeat(liveLength) + "\r");
      liveLength = 0;
    }
    out.println(stamp() + text);
    out.flush();
  }

  /** Seconds since the demo started. */
  double elapsedSeconds() {
    return (System.nanoTime() - start) / 1e9;
  }

  private String stamp() {
    return String.format("[%3.0f s] ", elapsedSeconds());
  }
}
