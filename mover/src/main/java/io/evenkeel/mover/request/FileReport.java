package io.evenkeel.mover.request;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** What happened to one file. Immutable. */
public final class FileReport {
  private final String path;
  private final long inodeId;
  private final FileOutcome outcome;
  private final String reason;
  private final List<BlockResult> blocks;
  private final boolean open;
  private final boolean lacking;

  /**
   * Creates it.
   *
   * @param path as it was asked for or found; a file renamed since then keeps the older name
   * @param inodeId 0 when the file was never found
   * @param reason one line, empty when the outcome says all
   * @param blocks those that were not satisfied before
   */
  public FileReport(
      String path, long inodeId, FileOutcome outcome, String reason, List<BlockResult> blocks) {
    this(path, inodeId, outcome, reason, blocks, outcome == FileOutcome.PENDING_OPEN, false);
  }

  private FileReport(
      String path,
      long inodeId,
      FileOutcome outcome,
      String reason,
      List<BlockResult> blocks,
      boolean open,
      boolean lacking) {
    this.path = path;
    this.inodeId = inodeId;
    this.outcome = outcome;
    this.reason = reason;
    this.blocks = Collections.unmodifiableList(new ArrayList<>(blocks));
    this.open = open;
    this.lacking = lacking;
  }

  /** A file of which nothing more is known. */
  public static FileReport of(String path, FileOutcome outcome, String reason) {
    return new FileReport(path, 0, outcome, reason, Collections.emptyList());
  }

  /** The same with another path. */
  public FileReport withPath(String other) {
    return new FileReport(other, inodeId, outcome, reason, blocks, open, lacking);
  }

  /** The same of a file that is being written. */
  public FileReport whileOpen() {
    return new FileReport(path, inodeId, outcome, reason, blocks, true, lacking);
  }

  /** The same of a file with fewer replicas than it should have. */
  public FileReport whileLacking() {
    return new FileReport(path, inodeId, outcome, reason, blocks, open, true);
  }

  /** Path without the scheme and authority. */
  public String path() {
    return path;
  }

  /** Id of the inode, 0 when the file was never found. */
  public long inodeId() {
    return inodeId;
  }

  /** What became of the file. */
  public FileOutcome outcome() {
    return outcome;
  }

  /** Whether it was being written, whatever else is the matter with it. */
  public boolean isOpen() {
    return open;
  }

  /**
   * Whether a block has fewer replicas than it should. One that comes back with its DataNode may be
   * on a type that is not asked for, whatever the outcome is.
   */
  public boolean isLacking() {
    return lacking;
  }

  /** Why, one line; empty when the outcome says all. */
  public String reason() {
    return reason;
  }

  /** The blocks that were not satisfied before, in the order of the file. */
  public List<BlockResult> blocks() {
    return blocks;
  }

  /** Replicas and bytes of all blocks; of a dry run what would be moved. */
  public MoveCounts counts() {
    MoveCounts sum = MoveCounts.NONE;
    for (BlockResult block : blocks) {
      sum = sum.plus(block.counts());
    }
    return sum;
  }

  @Override
  public String toString() {
    return path + ": " + outcome.words() + (reason.isEmpty() ? "" : " (" + reason + ")");
  }
}
