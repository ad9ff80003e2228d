package io.evenkeel.terasort.mapreduce;

import io.evenkeel.terasort.core.dataset.Expectation;
import io.evenkeel.terasort.core.dataset.PartitionOrder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.fs.Path;

/** What one run is to validate, and against what. Immutable. */
public final class ValidationRequest {
  private final List<String> inputs;
  private final Path report;
  private final PartitionOrder.Rule order;
  private final boolean ordered;
  private final Expectation expectation;

  private ValidationRequest(
      List<String> inputs,
      Path report,
      PartitionOrder.Rule order,
      boolean ordered,
      Expectation expectation) {
    this.inputs = Collections.unmodifiableList(new ArrayList<>(inputs));
    this.report = report;
    this.order = order;
    this.ordered = ordered;
    this.expectation = expectation;
  }

  /**
   * A validation.
   *
   * @param inputs directories, files or globs, at least one
   * @param report directory to write to; must not exist
   * @param order how partitions follow one another
   * @param expectation what the records must add up to; null when not known
   */
  public static ValidationRequest validate(
      List<String> inputs, Path report, PartitionOrder.Rule order, Expectation expectation) {
    return new ValidationRequest(inputs, report, order, true, expectation);
  }

  /** Only adds up the records of {@code input}, in whatever order they are. */
  public static ValidationRequest sum(String input, Path report) {
    return new ValidationRequest(
        Collections.singletonList(input), report, PartitionOrder.Rule.NUMBER, false, null);
  }

  /** Directories, files or globs. */
  public List<String> inputs() {
    return inputs;
  }

  /** Where the report goes. */
  public Path report() {
    return report;
  }

  /** How partitions follow one another. */
  public PartitionOrder.Rule order() {
    return order;
  }

  /** Whether the order of records matters. */
  public boolean ordered() {
    return ordered;
  }

  /** What the records must add up to, or null. */
  public Expectation expectation() {
    return expectation;
  }
}
