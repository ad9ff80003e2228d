package io.evenkeel.mover.core.task;

import io.evenkeel.mover.core.plan.BlockPlan;
import io.evenkeel.mover.core.plan.BlockPlanner;
import io.evenkeel.mover.core.plan.BlockView;
import io.evenkeel.mover.core.plan.Exclusions;
import io.evenkeel.mover.core.plan.FileView;
import io.evenkeel.mover.core.plan.Layout;
import io.evenkeel.mover.core.plan.ReplicaMove;
import io.evenkeel.mover.request.BlockReport;
import io.evenkeel.mover.request.FileOutcome;
import io.evenkeel.mover.request.FileReport;
import io.evenkeel.mover.request.MoveCounts;
import java.util.function.Supplier;

/** What would be moved of a file as it is now. Stateless. */
final class DryRun {
  private DryRun() {}

  static FileReport of(FileView file, BlockPlanner planner, Supplier<NameNodeState> nameNode) {
    Verdicts verdicts = new Verdicts();
    for (BlockView block : file.blocks()) {
      BlockReport report = of(block, file.layout(), planner, nameNode);
      if (report.outcome().isSatisfied()) {
        verdicts.satisfied(report);
      } else {
        verdicts.unsatisfied(report);
      }
    }
    return verdicts.report(file.path(), file.inodeId(), file.isOpen());
  }

  private static BlockReport of(
      BlockView block, Layout layout, BlockPlanner planner, Supplier<NameNodeState> nameNode) {
    if (Verdicts.isLost(block)) {
      String hidden = block.isCorrupt() ? "" : nameNode.get().keeps();
      return hidden.isEmpty()
          ? report(block, FileOutcome.MISSING, Verdicts.LOST)
          : report(block, FileOutcome.PENDING_REPLICATION, Verdicts.LOST + "; " + hidden);
    }
    BlockPlan plan = planner.plan(block, layout, Exclusions.NONE);
    if (plan.wrong() == 0) {
      if (layout.hasExcess(block) && !layout.isRightForAll(block)) {
        return report(block, FileOutcome.PENDING_REPLICATION, Verdicts.count(block, layout));
      }
      String hidden = layout.lacksReplicas(block) ? nameNode.get().hides() : "";
      return hidden.isEmpty()
          ? report(block, FileOutcome.SATISFIED, Verdicts.note(block, layout))
          : report(
              block,
              FileOutcome.PENDING_REPLICATION,
              Verdicts.count(block, layout) + "; " + hidden);
    }
    MoveCounts counts = MoveCounts.NONE;
    for (ReplicaMove move : plan.moves()) {
      counts = counts.plus(MoveCounts.replica(move.isLocal(), move.replica().bytes()));
    }
    FileOutcome outcome = plan.moves().isEmpty() ? Verdicts.obstacle(plan) : FileOutcome.PLANNED;
    return new BlockReport(block.blockId(), outcome, String.join("; ", plan.obstacles()), counts);
  }

  private static BlockReport report(BlockView block, FileOutcome outcome, String reason) {
    return new BlockReport(block.blockId(), outcome, reason, MoveCounts.NONE);
  }
}
