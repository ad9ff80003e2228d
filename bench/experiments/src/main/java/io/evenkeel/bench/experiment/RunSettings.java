package io.evenkeel.bench.experiment;

import java.util.function.Consumer;

/**
 * How to run an experiment.
 *
 * @param quick short and coarse, seconds instead of minutes; results are an indication only
 * @param seed seed of everything random
 * @param progress gets one line before anything slow
 */
public record RunSettings(boolean quick, long seed, Consumer<String> progress) {
  /** The seed used when none is given. */
  public static final long DEFAULT_SEED = 9608;

  /** Tells what begins now. */
  public void say(String what) {
    progress.accept("evenkeel: " + what);
  }
}
