package io.evenkeel.mover.core.task;

import io.evenkeel.mover.core.plan.BlockPlan;
import io.evenkeel.mover.core.plan.BlockPlanner;
import io.evenkeel.mover.core.plan.BlockView;
import io.evenkeel.mover.core.plan.FileView;
import io.evenkeel.mover.core.plan.ReplicaMove;
import io.evenkeel.mover.core.plan.WantedTypes;
import io.evenkeel.mover.request.BlockResult;
import io.evenkeel.mover.request.FileOutcome;
import io.evenkeel.mover.request.FileReport;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
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

  /** For a dry run. */
  private static final TaskRules NO_PATIENCE = new TaskRules(0, 0, 1);

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
   * @param nameNode asked only when replicas are missing, in excess or without a target
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
    return isUnsupported(file)
        ? unsupported(file)
        : new Look(file, planner, 0, true).atAllBlocks().report();
  }

  /**
   * Decides what is next. To be called when no move of the file is in flight.
   *
   * @param now the file as the NameNode says it is
   * @param nowMillis any clock that never goes back
   */
  public Decision look(FileView now, BlockPlanner planner, long nowMillis) {
    if (isUnsupported(now)) {
      return Decision.done(unsupported(now));
    }
    Look look = new Look(now, planner, nowMillis, false).atAllBlocks();
    if (!look.moves.isEmpty()) {
      wait.reset();
      return Decision.move(look.moves);
    }
    if (look.waitMillis < Long.MAX_VALUE) {
      long grown = wait.next();
      return Decision.waitFor(
          Math.max(1, look.unseen ? Math.min(look.waitMillis, grown) : look.waitMillis));
    }
    return Decision.done(look.report());
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
    Decision decision = look(now, planner, nowMillis);
    underWay.clear();
    return decision.report();
  }

  /** A move was put off since its DataNode was busy; false when it is in flight no more. */
  public boolean putOff(ReplicaMove move) {
    BlockProgress progress = underWay.get(move);
    if (progress != null) {
      progress.putOff();
    }
    return progress != null;
  }

  /** Ends the file instead of making the moves of a decision, since none may be made now. */
  public Decision held(Decision decision, String reason) {
    decision.moves().forEach(this::dropped);
    return Decision.done(ended(FileOutcome.FAILED, reason));
  }

  /** The report of a file that ends for a reason outside of its blocks. */
  public FileReport ended(FileOutcome outcome, String reason) {
    List<BlockResult> moved = new ArrayList<>();
    for (BlockProgress progress : blocks.values()) {
      if (progress.counts().replicas() > 0) {
        moved.add(progress.report(outcome));
      }
    }
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

  /** What is to be done next about a file: moves, or a wait, or nothing more. Immutable. */
  public static final class Decision {
    private final List<ReplicaMove> moves;
    private final FileReport report;
    private final long waitMillis;

    private Decision(List<ReplicaMove> moves, FileReport report, long waitMillis) {
      this.moves = Collections.unmodifiableList(new ArrayList<>(moves));
      this.report = report;
      this.waitMillis = waitMillis;
    }

    static Decision move(List<ReplicaMove> moves) {
      return new Decision(moves, null, 0);
    }

    static Decision waitFor(long millis) {
      return new Decision(Collections.emptyList(), null, millis);
    }

    static Decision done(FileReport report) {
      return new Decision(Collections.emptyList(), report, 0);
    }

    /** What to start now; empty when there is nothing to start. */
    public List<ReplicaMove> moves() {
      return moves;
    }

    /** What became of the file, null while it is in work. */
    public FileReport report() {
      return report;
    }

    /** How long to wait before the next look when there is nothing to start, milliseconds. */
    public long waitMillis() {
      return waitMillis;
    }
  }

  /** One look at all blocks. */
  private final class Look {
    private final FileView file;
    private final WantedTypes wantedTypes;
    private final BlockPlanner planner;
    private final long now;
    private final boolean dryRun;
    private final List<ReplicaMove> moves = new ArrayList<>();

    /** Of the blocks that were moved or are not right. */
    private final List<BlockResult> results = new ArrayList<>();

    private String note = "";
    private long waitMillis = Long.MAX_VALUE;

    /** Whether something is waited for that the NameNode is usually told at once. */
    private boolean unseen;

    Look(FileView file, BlockPlanner planner, long now, boolean dryRun) {
      this.file = file;
      this.wantedTypes = file.wantedTypes();
      this.planner = planner;
      this.now = now;
      this.dryRun = dryRun;
    }

    Look atAllBlocks() {
      file.blocks().forEach(this::at);
      return this;
    }

    private void at(BlockView block) {
      BlockProgress progress =
          blocks.computeIfAbsent(
              block.blockId(), id -> new BlockProgress(dryRun ? NO_PATIENCE : rules, block));
      if (block.isCorrupt() || block.replicas().isEmpty()) {
        String hidden = block.isCorrupt() ? "" : keeps(); // of a corrupt one it knows all replicas
        pendingIf(hidden, FileOutcome.MISSING, progress, "no live replica");
        return;
      }
      if (!progress.arrived(block, wantedTypes, now)) {
        waitUnseen();
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
        waitUnseen(); // a DataNode not known to hold one internal block may be sent another
        return;
      }
      BlockPlan plan = plan(staying, progress, excess);
      if (plan.wrong() > 0 && progress.isHopeless()) {
        results.add(progress.report(FileOutcome.FAILED));
      } else if (!plan.moves().isEmpty()) {
        start(plan, progress);
      } else if (progress.isLeaving()) {
        lookAgain();
      } else if (plan.wrong() == 0) {
        right(block, progress, excess);
      } else {
        stuck(progress, plan);
      }
    }

    /** Doubled internal blocks count where nothing else can be done. */
    private BlockPlan plan(BlockView block, BlockProgress progress, boolean excess) {
      BlockPlan plan = planner.plan(block, wantedTypes, progress);
      if (wantedTypes.isStriped()
          && excess
          && plan.moves().isEmpty()
          && !progress.isLeaving()
          && !dryRun
          && keeps().isEmpty()) {
        BlockPlan doubled = planner.planDoubled(block, wantedTypes, progress);
        return doubled.wrong() > 0 && (plan.wrong() == 0 || !doubled.moves().isEmpty())
            ? doubled
            : plan;
      }
      return plan;
    }

    /** Waits for what the NameNode has usually heard of at once, less often each time. */
    private void waitUnseen() {
      unseen = true;
      waitMillis = Math.min(waitMillis, rules.settleMillis);
    }

    /** When it is not known how long to wait. */
    private void lookAgain() {
      lookAgain(now);
    }

    /** At a time, but not at once. */
    private void lookAgain(long at) {
      long wait = at > now ? Math.max(at - now, DELETION_MILLIS) : DELETION_MILLIS;
      waitMillis = Math.min(waitMillis, Math.min(rules.settleMillis, wait));
    }

    private void right(BlockView block, BlockProgress progress, boolean excess) {
      if (excess && progress.hasJustMoved(now)) {
        lookAgain(); // the NameNode has another choice than before
        return;
      }
      boolean fewer = wantedTypes.lacksReplicas(block);
      if (fewer && progress.waitsForLacking(block, wantedTypes, now)) {
        waitUnseen();
        return;
      }
      String hidden = fewer ? nameNode.get().hides() : "";
      if (excess || !hidden.isEmpty() || fewer && progress.hasLost(block, wantedTypes)) {
        String why = excess ? keeps() : hidden;
        results.add(progress.report(FileOutcome.PENDING_REPLICATION, count(block), why));
        return;
      }
      satisfied(block, progress);
    }

    /** Waits for what is in the way for a time only; else says what it is. */
    private void stuck(BlockProgress progress, BlockPlan plan) {
      long refused = progress.refusedUntil();
      if (refused < Long.MAX_VALUE) {
        waitMillis = Math.min(waitMillis, Math.min(refused - now, DATANODE_MILLIS));
        return;
      }
      if (!dryRun && planner.hasTakenSpace() && progress.waitsForNewerView(now)) {
        lookAgain(planner.replacedAt()); // not before: each look is a listing
        return;
      }
      String unknown = keeps(); // DataNodes may not have registered yet
      if (unknown.isEmpty() && progress.isStalled()) {
        results.add(progress.report(FileOutcome.FAILED));
        return;
      }
      FileOutcome obstacle = plan.isPinned() ? FileOutcome.PINNED : FileOutcome.NO_TARGET;
      pendingIf(unknown, obstacle, progress, String.join("; ", plan.obstacles()));
    }

    /** All moves inside DataNodes at once, but one over the network: it needs space twice. */
    private void start(BlockPlan plan, BlockProgress progress) {
      if (dryRun) {
        results.add(progress.planned(plan));
        return;
      }
      boolean remote = false;
      for (ReplicaMove move : plan.moves()) {
        if (move.isLocal() || !remote) {
          remote |= !move.isLocal();
          moves.add(move);
          underWay.put(move, progress);
        }
      }
    }

    /** Why replicas in excess are not deleted, and others not known; empty when nothing says so. */
    private String keeps() {
      return nameNode.get().keeps();
    }

    /** A block the NameNode says is right. */
    private void satisfied(BlockView block, BlockProgress progress) {
      boolean moved = progress.counts().replicas() > 0;
      BlockResult result =
          progress.report(moved ? FileOutcome.MOVED : FileOutcome.SATISFIED, note(block));
      if (moved) {
        results.add(result);
      }
      if (note.isEmpty()) {
        note = result.reason();
      }
    }

    /** A block of which it may be that not all is known. */
    private void pendingIf(
        String unknown, FileOutcome otherwise, BlockProgress progress, String reason) {
      FileOutcome outcome = unknown.isEmpty() ? otherwise : FileOutcome.PENDING_REPLICATION;
      results.add(progress.report(outcome, reason, unknown));
    }

    /** How many replicas there are, and should be. */
    private String count(BlockView block) {
      return wantedTypes.isStriped() && !wantedTypes.hasExcess(block)
          ? note(block)
          : block.replicas().size() + " replicas of " + wantedTypes.asked(block);
    }

    /** What HDFS still owes a block that is right; empty when nothing. */
    private String note(BlockView block) {
      return wantedTypes.lacksReplicas(block)
          ? wantedTypes.there(block)
              + " of "
              + wantedTypes.shouldBe(block)
              + (wantedTypes.isStriped() ? " internal blocks" : " replicas")
          : "";
    }

    /** What became of the file: the worst of what is said of its blocks. */
    FileReport report() {
      boolean moved = !dryRun && results.stream().anyMatch(b -> b.counts().replicas() > 0);
      BlockResult worst =
          results.stream()
              .filter(b -> !b.outcome().isSatisfied())
              .max(Comparator.comparing(BlockResult::outcome))
              .orElse(null);
      FileOutcome outcome = moved ? FileOutcome.MOVED : FileOutcome.SATISFIED;
      String reason = note;
      if (worst != null) {
        outcome = moved ? FileOutcome.PARTIAL : worst.outcome();
        reason =
            (moved ? worst.outcome().words() + ": " : "")
                + "block "
                + worst.blockId()
                + (worst.reason().isEmpty() ? "" : ": " + worst.reason());
      } else if (file.isOpen()) {
        outcome = FileOutcome.PENDING_OPEN;
        reason = "the last block is being written";
      }
      FileReport report = new FileReport(path, inodeId, outcome, reason, results);
      report = file.isOpen() ? report.whileOpen() : report;
      boolean lacking = file.blocks().stream().anyMatch(wantedTypes::lacksReplicas);
      return lacking ? report.whileLacking() : report;
    }
  }
}
