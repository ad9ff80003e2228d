package io.evenkeel.mover.core.task;

import io.evenkeel.mover.core.plan.BlockPlan;
import io.evenkeel.mover.core.plan.BlockPlanner;
import io.evenkeel.mover.core.plan.BlockView;
import io.evenkeel.mover.core.plan.Exclusions;
import io.evenkeel.mover.core.plan.FileView;
import io.evenkeel.mover.core.plan.ReplicaMove;
import io.evenkeel.mover.core.plan.WantedTypes;
import io.evenkeel.mover.request.BlockResult;
import io.evenkeel.mover.request.FileOutcome;
import io.evenkeel.mover.request.FileReport;
import io.evenkeel.mover.request.MoveCounts;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * One file on its way to the storage types its policy asks for. Each {@link #look} compares what
 * the NameNode says now with what should be, and answers what to do next; a file is moved when the
 * NameNode says so, not when a DataNode does. Not thread-safe.
 */
public final class FileTask {
  /** A DataNode is told to delete with its next heartbeat: asking more often is of no use. */
  private static final long DELETION_MILLIS = 1_000;

  /** What waits for a DataNode that refused it or is away has an end that is known. */
  private static final long DATANODE_MILLIS = 10_000;

  private final TaskRules rules;
  private final Supplier<NameNodeState> nameNode;
  private final String path;
  private final long inodeId;
  private final Map<Long, BlockProgress> blocks = new HashMap<>();
  private final Map<ReplicaMove, BlockProgress> underWay = new HashMap<>();
  private final GrowingWait wait = new GrowingWait(40, 2_000);

  /**
   * Starts with the file as it was first seen.
   *
   * @param nameNode asked only when replicas are missing or in excess
   */
  public FileTask(FileView first, TaskRules rules, Supplier<NameNodeState> nameNode) {
    this.nameNode = nameNode;
    this.path = first.path();
    this.inodeId = first.inodeId();
    this.rules = rules;
  }

  /** Path the file was found by. */
  public String path() {
    return path;
  }

  /** Its inode id. */
  public long inodeId() {
    return inodeId;
  }

  /** Moves that were handed out and have not ended. */
  public int inFlight() {
    return underWay.size();
  }

  /** What a dry run says: what would be moved now, and what could not. It waits for nothing. */
  public FileReport dryRun(FileView file, BlockPlanner planner) {
    return isUnsupported(file) ? unsupported(file) : dryRun(file, planner, nameNode);
  }

  /**
   * Decides what is next. To be called when no move of the file is in flight.
   *
   * @param now the file as the NameNode says it is, null when it is gone
   * @param nowMillis any clock that never goes back
   */
  public Step look(FileView now, BlockPlanner planner, long nowMillis) {
    if (now == null) {
      return Step.done(ended(FileOutcome.MISSING, "deleted meanwhile"));
    }
    if (isUnsupported(now)) {
      return Step.done(unsupported(now));
    }
    Look look = new Look(now.wantedTypes(), planner, nowMillis);
    now.blocks().forEach(look::at);
    if (!look.moves.isEmpty()) {
      wait.reset();
      return Step.move(look.moves);
    }
    if (look.until < Long.MAX_VALUE) {
      long grown = wait.next();
      long patience = look.unseen ? grown : look.soon ? DELETION_MILLIS : DATANODE_MILLIS;
      return Step.waitFor(Math.max(1, Math.min(look.until - nowMillis, patience)));
    }
    return Step.done(look.builder.report(path, inodeId, now.isOpen()));
  }

  /** Takes in how a move ended. */
  public void ended(ReplicaMove move, MoveResult result, long nowMillis) {
    underWay.remove(move).ended(move, result, nowMillis);
  }

  /** A move that was handed out will not be made. */
  public void dropped(ReplicaMove move) {
    underWay.remove(move);
  }

  /** Whether {@link #look} was called before. */
  public boolean wasLookedAt() {
    return !blocks.isEmpty();
  }

  /** A last look that starts nothing; null when the file is not done. */
  public FileReport lastLook(FileView now, BlockPlanner planner, long nowMillis) {
    Step step = look(now, planner, nowMillis);
    underWay.clear();
    return step.report();
  }

  /** A move was put off since its DataNode was busy; false when it is in flight no more. */
  public boolean putOff(ReplicaMove move) {
    BlockProgress progress = underWay.get(move);
    if (progress != null) {
      progress.putOff();
    }
    return progress != null;
  }

  /** Ends the file instead of making the moves of a step, since none may be made now. */
  public Step held(Step step, String reason) {
    step.moves().forEach(this::dropped);
    return Step.done(ended(FileOutcome.FAILED, reason));
  }

  /** The report of a file that ends for a reason outside of its blocks. */
  public FileReport ended(FileOutcome outcome, String reason) {
    List<BlockResult> moved = new ArrayList<>();
    blocks.forEach(
        (id, progress) -> {
          if (progress.counts().replicas() > 0) {
            moved.add(progress.report(id, outcome));
          }
        });
    return new FileReport(path, inodeId, outcome, reason, moved);
  }

  private static boolean isUnsupported(FileView file) {
    return !file.wantedTypes().isSupported() && !file.blocks().isEmpty();
  }

  private static FileReport unsupported(FileView file) {
    String policy = file.wantedTypes().policy();
    boolean known = file.wantedTypes().isKnown();
    return new FileReport(
        file.path(),
        file.inodeId(),
        known ? FileOutcome.UNSUPPORTED_EC_POLICY : FileOutcome.FAILED,
        known
            ? "HDFS does not apply " + policy + " to erasure coded files"
            : policy + " is not known: not in the NameNode's list",
        Collections.emptyList());
  }

  /** One look at all blocks. */
  private final class Look {
    private final WantedTypes wantedTypes;
    private final BlockPlanner planner;
    private final long now;
    private final List<ReplicaMove> moves = new ArrayList<>();
    private final FileReportBuilder builder = new FileReportBuilder();
    private long until = Long.MAX_VALUE;
    private boolean unseen;
    private boolean soon;

    Look(WantedTypes wantedTypes, BlockPlanner planner, long now) {
      this.wantedTypes = wantedTypes;
      this.planner = planner;
      this.now = now;
    }

    void at(BlockView block) {
      BlockProgress progress =
          blocks.computeIfAbsent(
              block.blockId(), id -> new BlockProgress(rules, block.generationStamp()));
      if (FileReportBuilder.isLost(block)) {
        // of a corrupt one it knows all replicas
        String hidden = block.isCorrupt() ? "" : nameNode.get().keeps();
        FileOutcome outcome =
            hidden.isEmpty() ? FileOutcome.MISSING : FileOutcome.PENDING_REPLICATION;
        builder.unsatisfied(
            progress.report(block.blockId(), outcome, FileReportBuilder.LOST, hidden));
        return;
      }
      if (!progress.arrived(block, wantedTypes, now)) {
        unseen = true;
        lookAgain();
        return;
      }
      BlockView staying = progress.staying(block);
      boolean excess = wantedTypes.hasExcess(staying);
      if (excess && wantedTypes.isRightForAll(block) && !progress.hasJustMoved(now)) {
        satisfied(block, progress); // whichever the NameNode keeps, as for a snapshot
        return;
      }
      if (progress.waitsForExcess(excess, now)) {
        lookAgain();
        return;
      }
      boolean partly = wantedTypes.isStriped() && wantedTypes.lacksReplicas(block);
      if (partly && progress.waitsForLacking(block, wantedTypes, now)) {
        unseen = true; // a DataNode not known to hold one internal block may be sent another
        lookAgain();
        return;
      }
      BlockPlan plan = plan(staying, progress, excess);
      if (plan.wrong() > 0 && progress.isHopeless()) {
        builder.unsatisfied(progress.gaveUp(block.blockId()));
      } else if (!plan.moves().isEmpty()) {
        start(plan, progress);
      } else if (progress.isLeaving()) {
        lookAgain();
      } else if (plan.wrong() == 0) {
        right(block, progress, excess);
      } else {
        stuck(block, progress, plan);
      }
    }

    /** Doubled internal blocks count where nothing else can be done. */
    private BlockPlan plan(BlockView block, BlockProgress progress, boolean excess) {
      Exclusions exclusions = progress.exclusions(now);
      BlockPlan plan = planner.plan(block, wantedTypes, exclusions);
      if (wantedTypes.isStriped()
          && excess
          && plan.moves().isEmpty()
          && !progress.isLeaving()
          && nameNode.get().keeps().isEmpty()) {
        BlockPlan doubled = planner.planDoubled(block, wantedTypes, exclusions);
        return doubled.wrong() > 0 && (plan.wrong() == 0 || !doubled.moves().isEmpty())
            ? doubled
            : plan;
      }
      return plan;
    }

    /** When it is not known how long to wait: the limit of all waiting. */
    private void lookAgain() {
      soon = true;
      until = Math.min(until, now + rules.settleMillis);
    }

    private void right(BlockView block, BlockProgress progress, boolean excess) {
      if (excess && progress.hasJustMoved(now)) {
        lookAgain(); // the NameNode has another choice than before
        return;
      }
      boolean fewer = wantedTypes.lacksReplicas(block);
      if (fewer && progress.waitsForLacking(block, wantedTypes, now)) {
        unseen = true;
        lookAgain();
        return;
      }
      String hidden = fewer ? nameNode.get().hides() : "";
      if (excess || !hidden.isEmpty() || fewer && progress.hasLost(block, wantedTypes)) {
        String count = FileReportBuilder.count(block, wantedTypes);
        String why = excess ? nameNode.get().keeps() : hidden;
        builder.unsatisfied(
            progress.report(block.blockId(), FileOutcome.PENDING_REPLICATION, count, why));
        return;
      }
      satisfied(block, progress);
    }

    private void satisfied(BlockView block, BlockProgress progress) {
      boolean moved = progress.counts().replicas() > 0;
      builder.satisfied(
          progress.report(
              block.blockId(),
              moved ? FileOutcome.MOVED : FileOutcome.SATISFIED,
              FileReportBuilder.note(block, wantedTypes)));
    }

    /** Waits for what is in the way for a time only; else says what it is. */
    private void stuck(BlockView block, BlockProgress progress, BlockPlan plan) {
      long refused = progress.refusedUntil(now);
      if (refused < Long.MAX_VALUE) {
        until = Math.min(until, refused);
        return;
      }
      long newer = progress.newerViewAt(now);
      if (planner.hasTakenSpace() && now < newer) {
        soon = true;
        until = Math.min(until, newer);
        return;
      }
      String why = String.join("; ", plan.obstacles());
      String unknown = nameNode.get().keeps(); // DataNodes may not have registered yet
      if (unknown.isEmpty() && progress.isStalled()) {
        builder.unsatisfied(progress.gaveUp(block.blockId()));
        return;
      }
      FileOutcome outcome =
          unknown.isEmpty() ? FileReportBuilder.obstacle(plan) : FileOutcome.PENDING_REPLICATION;
      builder.unsatisfied(progress.report(block.blockId(), outcome, why, unknown));
    }

    /** All moves inside DataNodes at once, but one over the network: it needs space twice. */
    private void start(BlockPlan plan, BlockProgress progress) {
      boolean remote = false;
      for (ReplicaMove move : plan.moves()) {
        if (move.isLocal() || !remote) {
          remote |= !move.isLocal();
          moves.add(move);
          underWay.put(move, progress);
        }
      }
    }
  }

  /** What would be moved of a file as it is now. */
  private static FileReport dryRun(
      FileView file, BlockPlanner planner, Supplier<NameNodeState> nameNode) {
    FileReportBuilder builder = new FileReportBuilder();
    for (BlockView block : file.blocks()) {
      BlockResult report = dryRun(block, file.wantedTypes(), planner, nameNode);
      if (report.outcome().isSatisfied()) {
        builder.satisfied(report);
      } else {
        builder.unsatisfied(report);
      }
    }
    return builder.report(file.path(), file.inodeId(), file.isOpen());
  }

  private static BlockResult dryRun(
      BlockView block,
      WantedTypes wantedTypes,
      BlockPlanner planner,
      Supplier<NameNodeState> nameNode) {
    if (FileReportBuilder.isLost(block)) {
      String hidden = block.isCorrupt() ? "" : nameNode.get().keeps();
      return hidden.isEmpty()
          ? report(block, FileOutcome.MISSING, FileReportBuilder.LOST)
          : report(block, FileOutcome.PENDING_REPLICATION, FileReportBuilder.LOST + "; " + hidden);
    }
    BlockPlan plan = planner.plan(block, wantedTypes, Exclusions.NONE);
    if (plan.wrong() == 0) {
      if (wantedTypes.hasExcess(block) && !wantedTypes.isRightForAll(block)) {
        return report(
            block, FileOutcome.PENDING_REPLICATION, FileReportBuilder.count(block, wantedTypes));
      }
      String hidden = wantedTypes.lacksReplicas(block) ? nameNode.get().hides() : "";
      return hidden.isEmpty()
          ? report(block, FileOutcome.SATISFIED, FileReportBuilder.note(block, wantedTypes))
          : report(
              block,
              FileOutcome.PENDING_REPLICATION,
              FileReportBuilder.count(block, wantedTypes) + "; " + hidden);
    }
    MoveCounts counts = MoveCounts.NONE;
    for (ReplicaMove move : plan.moves()) {
      counts = counts.plus(MoveCounts.replica(move.isLocal(), move.replica().bytes()));
    }
    FileOutcome outcome =
        plan.moves().isEmpty() ? FileReportBuilder.obstacle(plan) : FileOutcome.PLANNED;
    return new BlockResult(block.blockId(), outcome, String.join("; ", plan.obstacles()), counts);
  }

  private static BlockResult report(BlockView block, FileOutcome outcome, String reason) {
    return new BlockResult(block.blockId(), outcome, reason, MoveCounts.NONE);
  }
}
