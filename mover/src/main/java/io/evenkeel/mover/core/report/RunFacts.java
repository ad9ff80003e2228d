package io.evenkeel.mover.core.report;

import io.evenkeel.common.cli.ExitCode;
import java.util.Objects;

/** What is known of a run beside what happened to the files. Immutable. */
public final class RunFacts {
  private final boolean dryRun;
  private final String policy;
  private final long elapsedMillis;
  private final int rounds;
  private final ExitCode exitCode;

  /**
   * Creates it.
   *
   * @param dryRun whether nothing was moved on purpose
   * @param policy the policy of {@code --policy}, null for the files' own
   * @param elapsedMillis from the start of the run, 0 or more
   * @param rounds how often the request was made, 1 without {@code --watch}
   * @param exitCode what the command ends with
   */
  public RunFacts(
      boolean dryRun, String policy, long elapsedMillis, int rounds, ExitCode exitCode) {
    this.dryRun = dryRun;
    this.policy = policy;
    this.elapsedMillis = elapsedMillis;
    this.rounds = rounds;
    this.exitCode = Objects.requireNonNull(exitCode);
  }

  boolean isDryRun() {
    return dryRun;
  }

  String policy() {
    return policy;
  }

  double seconds() {
    return elapsedMillis / 1000.0;
  }

  int rounds() {
    return rounds;
  }

  /** What the command ends with. */
  public ExitCode exitCode() {
    return exitCode;
  }
}
