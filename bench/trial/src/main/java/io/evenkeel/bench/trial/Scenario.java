package io.evenkeel.bench.trial;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a module is to do, in steps that build on each other: after one that fails the others are
 * not tried. Confined to one thread.
 */
final class Scenario {
  /** A step; it fails by throwing. */
  interface Step {
    void run() throws Exception;
  }

  private final Map<String, Step> steps = new LinkedHashMap<>();
  private Step end = () -> {};

  /**
   * Adds one.
   *
   * @param says what holds when it has passed
   */
  Scenario step(String says, Step step) {
    steps.put(says, step);
    return this;
  }

  /** What is done after the last step that was tried. */
  Scenario atEnd(Step step) {
    end = step;
    return this;
  }

  Map<String, Step> steps() {
    return steps;
  }

  /** What is done at the end. */
  Step end() {
    return end;
  }
}
