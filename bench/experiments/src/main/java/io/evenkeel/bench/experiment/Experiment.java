package io.evenkeel.bench.experiment;

import java.util.List;

/**
 * One benchmark or simulation: drives stock and Evenkeel classes in the same run and compares them.
 *
 * <p>An entry is added in {@code Experiments}. Loading it must not load a Hadoop class, because
 * {@code --list} runs without Hadoop; running it may.
 */
public interface Experiment {
  /** Short and unique, for example {@code volume.share}: a module, a dot, what is looked at. */
  String name();

  /** What is measured or simulated, one line. */
  String description();

  /** What it is about, for a summary; none where its rows say enough. */
  default List<Problem> problems() {
    return List.of();
  }

  /**
   * Runs it.
   *
   * @return one comparison per quantity and opponent, in the order to print; the first opponent of
   *     a quantity is stock as it is often found
   * @throws Exception when it cannot be run; the run then fails with that message
   */
  List<Comparison> run(RunSettings settings) throws Exception;
}
