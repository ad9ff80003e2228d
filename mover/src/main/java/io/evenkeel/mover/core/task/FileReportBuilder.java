package io.evenkeel.mover.core.task;

import io.evenkeel.mover.core.plan.BlockPlan;
import io.evenkeel.mover.core.plan.BlockView;
import io.evenkeel.mover.core.plan.WantedTypes;
import io.evenkeel.mover.request.BlockResult;
import io.evenkeel.mover.request.FileOutcome;
import io.evenkeel.mover.request.FileReport;
import java.util.ArrayList;
import java.util.List;

/**
 * Collects what became of a file's blocks and says what became of the file. Not thread-safe.
 * Separate from the file, which collects anew with each look.
 */
final class FileReportBuilder {
  static final String LOST = "no live replica";

  private final List<BlockResult> blocks = new ArrayList<>();
  private BlockResult worst;
  private String note = "";

  /** A block the NameNode says is right; {@code note} adds to it, empty when nothing does. */
  void satisfied(BlockResult block) {
    if (block.outcome() == FileOutcome.MOVED) {
      blocks.add(block);
    }
    if (note.isEmpty()) {
      note = block.reason();
    }
  }

  /** A block that is not right. */
  void unsatisfied(BlockResult block) {
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
    FileReport report = new FileReport(path, inodeId, outcome, reason, blocks);
    return open ? report.whileOpen() : report;
  }

  static boolean isLost(BlockView block) {
    return block.isCorrupt() || block.replicas().isEmpty();
  }

  /** How many replicas there are, and should be. */
  static String count(BlockView block, WantedTypes wantedTypes) {
    return wantedTypes.isStriped() && !wantedTypes.hasExcess(block)
        ? note(block, wantedTypes)
        : block.replicas().size() + " replicas of " + wantedTypes.asked(block);
  }

  /** What HDFS still owes a block that is right; empty when nothing. */
  static String note(BlockView block, WantedTypes wantedTypes) {
    return wantedTypes.lacksReplicas(block)
        ? wantedTypes.there(block)
            + " of "
            + wantedTypes.shouldBe(block)
            + (wantedTypes.isStriped() ? " internal blocks" : " replicas")
        : "";
  }

  static FileOutcome obstacle(BlockPlan plan) {
    return plan.isPinned() ? FileOutcome.PINNED : FileOutcome.NO_TARGET;
  }

  private boolean isDryRun() {
    return blocks.stream().anyMatch(b -> b.outcome() == FileOutcome.PLANNED);
  }
}
