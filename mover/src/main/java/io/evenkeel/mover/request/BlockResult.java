package io.evenkeel.mover.request;

/** What happened to one block that was not satisfied before. Immutable. */
public final class BlockResult {
  private final long blockId;
  private final FileOutcome outcome;
  private final String reason;
  private final MoveCounts counts;

  /**
   * Creates it.
   *
   * @param blockId id of the block, of a striped block group its own id
   * @param reason empty when there is nothing to add to the outcome
   */
  public BlockResult(long blockId, FileOutcome outcome, String reason, MoveCounts counts) {
    this.blockId = blockId;
    this.outcome = outcome;
    this.reason = reason;
    this.counts = counts;
  }

  /** Id of the block. */
  public long blockId() {
    return blockId;
  }

  /** What became of it. */
  public FileOutcome outcome() {
    return outcome;
  }

  /** Why, empty when the outcome says all. */
  public String reason() {
    return reason;
  }

  /** Replicas and bytes moved. */
  public MoveCounts counts() {
    return counts;
  }
}
