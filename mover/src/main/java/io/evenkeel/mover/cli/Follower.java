package io.evenkeel.mover.cli;

import java.io.IOException;
import java.io.PrintStream;
import org.apache.hadoop.conf.Configuration;

/** What {@code --follow} runs until it is stopped. */
public interface Follower {
  /** Runs it; returns the exit code. */
  int run(Configuration conf, PrintStream out, PrintStream err)
      throws IOException, InterruptedException;
}
