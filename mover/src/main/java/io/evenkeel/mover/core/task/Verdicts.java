package io.evenkeel.mover.core.task;

import io.evenkeel.mover.BlockReport;
import io.evenkeel.mover.FileOutcome;
import io.evenkeel.mover.FileReport;
import java.util.ArrayList;
import java.util.List;

/** Collects what became of a file's blocks and says what became of the file. Not thread-safe. */
final class Verdicts {
  private final List<BlockReport> blocks = new ArrayList<>();
  private BlockReport worst;
  private String note = "";

  /** A block the NameNode says is right; {@code note} adds to it, empty when nothing does. */
  void satisfied(BlockReport block) {
    if (block.outcome() == FileOutcome.MOVED) {
      blocks.add(block);
    }
    if (note.isEmpty()) {
      note = block.reason();
    }
  }

  /** A block that is not right. */
  void unsatisfied(BlockReport block) {
    blocks.add(block);
    if (worst == null || block.outcome().compareTo(worst.outcome()) > 0) {
      worst = block;
    }
  }

  FileReport report(String path, long inodeId, boolean open) {
    boolean moved = blocks.stream().anyMatch(b -> b.counts().replicas() > 0);
    FileOutcome outcome;
    String reason;
    if (worst != null) {
      boolean partial = moved && worst.outcome() != FileOutcome.PLANNED && !isDryRun();
      outcome = partial ? FileOutcome.PARTIAL : worst.outcome();
      reason =
          (partial ? worst.outcome().words() + ": " : "")
              + "block "
              + worst.blockId()
              + (worst.reason().isEmpty() ? "" : ": " + worst.reason());
    } else if (open) {
      outcome = FileOutcome.PENDING_OPEN;
      reason = "the last block is being written";
    } else {
      outcome = moved ? FileOutcome.MOVED : FileOutcome.SATISFIED;
      reason = note;
    }
    return new FileReport(path, inodeId, outcome, reason, blocks);
  }

  private boolean isDryRun() {
    return blocks.stream().anyMatch(b -> b.outcome() == FileOutcome.PLANNED);
  }
}
