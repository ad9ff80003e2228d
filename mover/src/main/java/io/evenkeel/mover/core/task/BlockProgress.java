package io.evenkeel.mover.core.task;

import io.evenkeel.mover.core.plan.BlockPlan;
import io.evenkeel.mover.core.plan.BlockView;
import io.evenkeel.mover.core.plan.Exclusions;
import io.evenkeel.mover.core.plan.Replica;
import io.evenkeel.mover.core.plan.ReplicaMove;
import io.evenkeel.mover.core.plan.WantedTypes;
import io.evenkeel.mover.request.BlockResult;
import io.evenkeel.mover.request.FileOutcome;
import io.evenkeel.mover.request.MoveCounts;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What was tried for one block and how it ended. A move its DataNode confirmed is kept until the
 * NameNode shows it, or until it has not for too long. What is excluded holds for the time of the
 * last {@link #arrived}. Not thread-safe. Separate from the file, which has one for each block.
 */
final class BlockProgress implements Exclusions {
  /** How much longer a block is tried whose replicas keep changing. */
  private static final int PATIENCE = 10;

  /** DataNodes report a replica at once, and at the latest with a heartbeat or two. */
  private static final long REPORTED_MILLIS = 3_000;

  /** The views the planner works on are never older than 10 s. */
  private static final long NEWER_VIEW_MILLIS = 11_000;

  /** Stands for a type: the DataNode is not to be read from. */
  private static final String READ = "read";

  /** Stands for a type: what is on the DataNode waits for it. */
  private static final String AWAITED_TYPE = "awaited";

  /** Failures for which a DataNode is waited for, before its replica is copied to another one. */
  private static final int AWAITED = 3;

  /** How long a DataNode is not asked again to move a replica inside it that may be at it still. */
  private static final long UNANSWERED_MILLIS = 600_000;

  /**
   * The same where the connection broke, as it does when a DataNode restarts, which ends its moves.
   */
  private static final long BROKEN_OFF_MILLIS = 60_000;

  /** A DataNode that restarts is away for a minute or two. */
  private static final int LONGEST_REFUSALS = 8;

  private final TaskRules rules;
  private final long blockId;
  private final Map<ReplicaMove, Long> confirmed = new HashMap<>();

  /** By DataNode and type, or what stands for one. */
  private final Map<String, Refusal> refused = new HashMap<>();

  /** For how long a DataNode is not tried again that could not be reached. */
  private final GrowingWait unreachable;

  private final Set<String> pinned = new HashSet<>();

  /** DataNodes whose replica is to be deleted: until then they take no other of this block. */
  private final Set<String> leaving = new HashSet<>();

  /** DataNodes whose replica was read when the target failed: it may be corrupt. */
  private final Set<String> doubted = new HashSet<>();

  private long generationStamp;

  /** Failed attempts since the NameNode's view of the block last changed, and all of them. */
  private int failures;

  private int allFailures;
  private Set<String> seen = new HashSet<>();
  private String reason = "";
  private MoveCounts counts = MoveCounts.NONE;
  private int most;
  private int last;
  private final Since inExcess = new Since();
  private long lastConfirmed = Long.MIN_VALUE;
  private final Since lacking = new Since();
  private final Since stuck = new Since();

  BlockProgress(TaskRules rules, BlockView first) {
    this.rules = rules;
    this.unreachable = new GrowingWait(rules.refuseMillis, LONGEST_REFUSALS * rules.refuseMillis);
    this.blockId = first.blockId();
    this.generationStamp = first.generationStamp();
  }

  /** Takes in how an attempt ended. */
  void ended(ReplicaMove move, MoveResult result, long now) {
    String target = key(move.target(), move.targetType());
    String readTarget = key(move.target(), READ);
    switch (result.kind()) {
      case DONE:
        count(move);
        confirmed(move, now);
        return;
      case EXISTS:
        counts = counts.plus(MoveCounts.retry());
        confirmed(move, now); // another mover was faster, or an answer was lost
        return;
      case HELD:
        return; // says nothing about the block or its DataNodes
      case CHANGED:
        doubted.add(move.proxy());
        break;
      case PINNED:
        // said by the DataNode the bytes were asked of, which need not be the one they would leave
        if (pinned.add(move.proxy()) && !move.isLocal()) {
          reason = "pinned to its DataNode";
          return;
        }
        refuse(target, rules.refuseMillis); // made of a pinned one too, or planned before
        break;
      case UNANSWERED: // a DataNode does not keep two moves of one replica inside it apart
        refuse(target, Math.max(rules.refuseMillis, move.isLocal() ? UNANSWERED_MILLIS : 0));
        refuse(readTarget, unreachable.next());
        break;
      case STALLED:
        refused.put(target, new Refusal(UNANSWERED_MILLIS, true));
        refused.put(readTarget, new Refusal(UNANSWERED_MILLIS, true));
        break;
      case PROXY_STALLED:
        refused.put(key(move.proxy(), READ), new Refusal(UNANSWERED_MILLIS, true));
        break;
      case PROXY_UNREACHABLE:
        refuse(move.isLocal() ? target : key(move.proxy(), READ), unreachable.next());
        break;
      case UNREACHABLE:
      case BROKEN_OFF:
        boolean mayGoOn = move.isLocal() && result.mayGoOn();
        long millis = Math.max(unreachable.next(), mayGoOn ? BROKEN_OFF_MILLIS : 0);
        refuse(target, millis);
        refuse(readTarget, millis);
        if (move.isLocal() && failures < Math.min(AWAITED, rules.attempts - 2)) {
          refuse(key(move.target(), AWAITED_TYPE), millis);
        }
        break;
      case FAILED:
        doubted.add(move.proxy());
        refuse(target, rules.refuseMillis);
        break;
      default:
        refuse(target, rules.refuseMillis);
        break;
    }
    failed(move + ": " + result);
    counts = counts.plus(MoveCounts.retry());
  }

  private void refuse(String key, long millis) {
    refused.put(key, new Refusal(millis, false));
  }

  private void confirmed(ReplicaMove move, long now) {
    confirmed.put(move, now);
    lastConfirmed = now;
  }

  private void failed(String why) {
    failures++;
    allFailures++;
    reason = why;
  }

  /** Whether the NameNode may not have deleted yet what the last move put in excess. */
  boolean hasJustMoved(long now) {
    return lastConfirmed != Long.MIN_VALUE && now - lastConfirmed < rules.settleMillis;
  }

  /** Counts a move that was put off since the DataNode was busy. */
  void putOff() {
    counts = counts.plus(MoveCounts.retry());
  }

  /**
   * Compares the confirmed moves with what the NameNode says. One whose new replica is there and
   * whose old one is too counts as made: the NameNode has been told which to delete. It deletes
   * none while a block has no more replicas than it should; then the new one is one more, and the
   * old one is still to be moved.
   *
   * @return whether all of them are visible so far, or given up as lost
   */
  boolean arrived(BlockView block, WantedTypes wantedTypes, long now) {
    if (block.generationStamp() != generationStamp) { // appended or recovered: another block
      generationStamp = block.generationStamp();
      confirmed.clear();
    }
    refused
        .values()
        .forEach(refusal -> refusal.until = Math.min(refusal.until, now + refusal.millis));
    refused.values().removeIf(refusal -> refusal.until <= now);
    noteChange(block, wantedTypes);
    noteLacking(block, wantedTypes, now);
    leaving.clear();
    boolean stays = !wantedTypes.isStriped() && !wantedTypes.hasExcess(block);
    boolean all = true;
    Iterator<Map.Entry<ReplicaMove, Long>> moves = confirmed.entrySet().iterator();
    while (moves.hasNext()) {
      Map.Entry<ReplicaMove, Long> one = moves.next();
      ReplicaMove move = one.getKey();
      boolean late = now - one.getValue() >= rules.settleMillis;
      boolean there = holds(block, move, move.target(), move.targetType());
      boolean old = holds(block, move, move.replica().node(), move.replica().type());
      if (!there && !old && wantedTypes.isStriped() && block.has(move.replica().blockId())) {
        moves.remove(); // of several copies the NameNode keeps another one
        continue;
      }
      if (late && !there) {
        failed(move + ": the DataNode confirmed it, the NameNode does not show it");
      }
      if (late || there && (!old || stays && !move.isLocal())) {
        moves.remove();
      } else if (there && !move.isLocal()) {
        leaving.add(move.replica().node());
      } else {
        all = false;
      }
    }
    return all;
  }

  /**
   * While somebody, another mover perhaps, gets on with the block, failures are no reason to end.
   */
  private void noteChange(BlockView block, WantedTypes wantedTypes) {
    most = Math.max(most, wantedTypes.there(block));
    Set<String> now = new HashSet<>();
    for (Replica replica : block.replicas()) {
      now.add(key(replica.node(), replica.type()));
    }
    if (!now.equals(seen)) {
      seen = now;
      failures = 0;
      unreachable.reset();
    }
  }

  private void noteLacking(BlockView block, WantedTypes wantedTypes, long now) {
    int there = wantedTypes.there(block);
    if (there < last) {
      lacking.note(false, now);
    }
    last = there;
    lacking.note(wantedTypes.lacksReplicas(block), now);
  }

  private static boolean holds(BlockView block, ReplicaMove move, String node, String type) {
    long id = move.replica().blockId();
    return block.replicas().stream()
        .anyMatch(r -> r.blockId() == id && r.node().equals(node) && r.type().equals(type));
  }

  /** Whether an old replica is still to be deleted. */
  boolean isLeaving() {
    return !leaving.isEmpty();
  }

  /** The block without the replicas that are to be deleted. */
  BlockView staying(BlockView block) {
    List<Replica> rest = new ArrayList<>(block.replicas());
    rest.removeIf(replica -> leaving.contains(replica.node()));
    return block.with(rest);
  }

  /** Whether the NameNode may still be about to delete a replica in excess. */
  boolean waitsForExcess(boolean excess, long now) {
    inExcess.note(excess, now);
    return inExcess.isWithin(rules.settleMillis, now);
  }

  /**
   * Whether the block has fewer replicas than it had while it was worked on, and should have. The
   * NameNode does not show one that it takes for corrupt.
   */
  boolean hasLost(BlockView block, WantedTypes wantedTypes) {
    return wantedTypes.there(block) < Math.min(most, wantedTypes.shouldBe(block));
  }

  /**
   * Whether the NameNode may still be about to hear of replicas, after its start or after the file
   * was closed, or to replace one that was lost meanwhile. What was lacking from the start may be
   * lacking for ever, so that is waited for no longer than DataNodes need to report.
   */
  boolean waitsForLacking(BlockView block, WantedTypes wantedTypes, long now) {
    long settle = rules.settleMillis;
    long longest = hasLost(block, wantedTypes) ? settle : Math.min(settle, REPORTED_MILLIS);
    return lacking.isWithin(longest, now);
  }

  /** Whether a block without a target may find one in a newer view of the cluster. */
  boolean waitsForNewerView(long now) {
    stuck.note(true, now);
    return stuck.isWithin(NEWER_VIEW_MILLIS, now);
  }

  /** Whether what is in the way now may be a DataNode that gives no sign of life. */
  boolean isStalled() {
    return refused.values().stream().anyMatch(refusal -> refusal.stalled);
  }

  /** Whether so much failed that nothing more should be tried. */
  boolean isHopeless() {
    return failures >= rules.attempts || allFailures >= PATIENCE * rules.attempts;
  }

  /** When the first refusal ends that is waited for; {@link Long#MAX_VALUE} when none is. */
  long refusedUntil() {
    return refused.values().stream()
        .filter(refusal -> !refusal.stalled)
        .mapToLong(refusal -> refusal.until)
        .min()
        .orElse(Long.MAX_VALUE);
  }

  @Override
  public boolean isPinned(Replica replica) {
    return pinned.contains(replica.node());
  }

  @Override
  public boolean isRefused(String node, String type) {
    return leaving.contains(node) || !refused.isEmpty() && refused.containsKey(key(node, type));
  }

  @Override
  public boolean isUnreadable(String node) {
    return refused.containsKey(key(node, READ));
  }

  @Override
  public boolean isDoubted(String node) {
    return doubted.contains(node);
  }

  @Override
  public boolean isAwaited(String node) {
    return refused.containsKey(key(node, AWAITED_TYPE));
  }

  private static String key(String node, String type) {
    return node + ' ' + type;
  }

  /** A report with what was moved so far and why not more: of the last failure if nothing else. */
  BlockResult report(FileOutcome outcome, String... reasons) {
    List<String> all = new ArrayList<>(Arrays.asList(reasons));
    all.removeIf(String::isEmpty);
    boolean failed = all.isEmpty() && !outcome.isSatisfied();
    return new BlockResult(blockId, outcome, failed ? reason : String.join("; ", all), counts);
  }

  /** A report of a dry run with what would be moved and why not more. */
  BlockResult planned(BlockPlan plan) {
    plan.moves().forEach(this::count);
    return report(FileOutcome.PLANNED, String.join("; ", plan.obstacles()));
  }

  private void count(ReplicaMove move) {
    counts = counts.plus(MoveCounts.replica(move.isLocal(), move.replica().bytes()));
  }

  MoveCounts counts() {
    return counts;
  }

  /**
   * What is not tried again for a time, which counts from the next look: that may be long after.
   */
  private static final class Refusal {
    private final long millis;

    /** The DataNode has given no sign of life for long: it is not waited for. */
    private final boolean stalled;

    private long until = Long.MAX_VALUE;

    Refusal(long millis, boolean stalled) {
      this.millis = millis;
      this.stalled = stalled;
    }
  }

  /** The time from which on something has been the case. */
  private static final class Since {
    private long start = Long.MIN_VALUE;

    /** Takes in whether it is so at {@code now}. */
    void note(boolean so, long now) {
      if (!so) {
        start = Long.MIN_VALUE;
      } else if (start == Long.MIN_VALUE) {
        start = now;
      }
    }

    /** Whether it is so, and for less than that. */
    boolean isWithin(long millis, long now) {
      return start != Long.MIN_VALUE && now - start < millis;
    }
  }
}
