package io.evenkeel.mover.core.task;

import io.evenkeel.mover.core.plan.BlockView;
import io.evenkeel.mover.core.plan.Exclusions;
import io.evenkeel.mover.core.plan.Replica;
import io.evenkeel.mover.core.plan.ReplicaMove;
import io.evenkeel.mover.core.plan.WantedTypes;
import io.evenkeel.mover.request.BlockResult;
import io.evenkeel.mover.request.FileOutcome;
import io.evenkeel.mover.request.MoveCounts;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What was tried for one block and how it ended. A move its DataNode confirmed is kept until the
 * NameNode shows it, or until it has not for too long. Not thread-safe. Separate from the file,
 * which has one for each block.
 */
final class BlockProgress {
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
  private final Map<ReplicaMove, Long> confirmed = new HashMap<>();
  private final Map<String, Long> refused = new HashMap<>();

  /** Refusals since the last look, and for how long: it may be long after; they count from it. */
  private final Map<String, Long> newlyRefused = new HashMap<>();

  /** For how long a DataNode is not tried again that could not be reached. */
  private final GrowingWait unreachable;

  private final Set<String> pinned = new HashSet<>();

  /** DataNodes whose replica is to be deleted: until then they take no other of this block. */
  private final Set<String> leaving = new HashSet<>();

  private long generationStamp;

  /** Failed attempts since the NameNode's view of the block last changed, and all of them. */
  private int failures;

  private int allFailures;
  private Set<String> seen = new HashSet<>();
  private int denials;

  /** Of those refused, what is not waited for: the DataNode has given no sign of life for long. */
  private final Set<String> stalled = new HashSet<>();

  private String reason = "";
  private MoveCounts counts = MoveCounts.NONE;
  private int most;
  private int last;
  private final Since inExcess = new Since();
  private long lastConfirmed = Long.MIN_VALUE;
  private final Since lacking = new Since();
  private long stuckSince = Long.MIN_VALUE;

  BlockProgress(TaskRules rules, long generationStamp) {
    this.rules = rules;
    this.unreachable = new GrowingWait(rules.refuseMillis, LONGEST_REFUSALS * rules.refuseMillis);
    this.generationStamp = generationStamp;
  }

  /** Takes in how an attempt ended. */
  void ended(ReplicaMove move, MoveResult result, long now) {
    switch (result.kind()) {
      case DONE:
        counts = counts.plus(MoveCounts.replica(move.isLocal(), move.replica().bytes()));
        confirmed(move, now);
        return;
      case EXISTS:
        counts = counts.plus(MoveCounts.retry());
        confirmed(move, now); // another mover was faster, or an answer was lost
        return;
      case HELD:
        return; // says nothing about the block or its DataNodes
      case PINNED:
        // said by the DataNode the bytes were asked of, which need not be the one they would leave
        if (pinned.add(move.proxy()) && !move.isLocal()) {
          reason = "pinned to its DataNode";
          return;
        }
        break; // a move the planner makes of a pinned replica too, or one planned before
      case DENIED:
        denials++;
        break;
      default:
        break;
    }
    failed();
    counts = counts.plus(MoveCounts.retry());
    reason = move + ": " + result;
    switch (result.kind()) {
      case CHANGED:
        break;
      case UNANSWERED: // a DataNode does not keep two moves of one replica inside it apart
        refuse(
            key(move.target(), move.targetType()),
            Math.max(rules.refuseMillis, move.isLocal() ? UNANSWERED_MILLIS : 0));
        refuse(key(move.target(), READ), unreachable.next());
        break;
      case STALLED:
        stalled(key(move.target(), move.targetType()));
        stalled(key(move.target(), READ));
        break;
      case PROXY_STALLED:
        stalled(key(move.proxy(), READ));
        break;
      case PROXY_UNREACHABLE:
        refuse(
            move.isLocal() ? key(move.target(), move.targetType()) : key(move.proxy(), READ),
            unreachable.next());
        break;
      case UNREACHABLE:
      case BROKEN_OFF:
        long next = unreachable.next();
        boolean mayGoOn = move.isLocal() && result.mayGoOn();
        long millis = mayGoOn ? Math.max(next, BROKEN_OFF_MILLIS) : next;
        refuse(key(move.target(), move.targetType()), millis);
        refuse(key(move.target(), READ), millis);
        if (move.isLocal() && failures <= Math.min(AWAITED, rules.attempts - 2)) {
          refuse(key(move.target(), AWAITED_TYPE), millis);
        }
        break;
      default:
        refuse(key(move.target(), move.targetType()), rules.refuseMillis);
        break;
    }
  }

  private void refuse(String key, long millis) {
    newlyRefused.put(key, millis);
    stalled.remove(key);
  }

  private void stalled(String key) {
    newlyRefused.put(key, UNANSWERED_MILLIS);
    stalled.add(key);
  }

  private void confirmed(ReplicaMove move, long now) {
    confirmed.put(move, now);
    lastConfirmed = now;
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
    newlyRefused.forEach((target, millis) -> refused.put(target, now + millis));
    stalled.removeIf(key -> refused.get(key) <= now);
    newlyRefused.clear();
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
        failed();
        reason = move + ": the DataNode confirmed it, the NameNode does not show it";
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

  private void failed() {
    failures++;
    allFailures++;
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
      denials = 0;
      unreachable.reset();
    }
  }

  private void noteLacking(BlockView block, WantedTypes wantedTypes, long now) {
    int there = wantedTypes.there(block);
    if (there < last) {
      lacking.restart();
    }
    last = there;
    lacking.note(wantedTypes.lacksReplicas(block), now);
  }

  private static boolean holds(BlockView block, ReplicaMove move, String node, String type) {
    for (Replica replica : block.replicas()) {
      if (replica.blockId() == move.replica().blockId()
          && replica.node().equals(node)
          && replica.type().equals(type)) {
        return true;
      }
    }
    return false;
  }

  /** Whether an old replica is still to be deleted. */
  boolean isLeaving() {
    return !leaving.isEmpty();
  }

  /** The block without the replicas that are to be deleted. */
  BlockView staying(BlockView block) {
    if (leaving.isEmpty()) {
      return block;
    }
    List<Replica> rest = new ArrayList<>();
    for (Replica replica : block.replicas()) {
      if (!leaving.contains(replica.node())) {
        rest.add(replica);
      }
    }
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

  /** Until when a block without a target waits for a newer view of the cluster. */
  long newerViewAt(long now) {
    if (stuckSince == Long.MIN_VALUE) {
      stuckSince = now;
    }
    return stuckSince + NEWER_VIEW_MILLIS;
  }

  /** Whether what is in the way now may be a DataNode that gives no sign of life. */
  boolean isStalled() {
    return !stalled.isEmpty();
  }

  /** Whether so much failed that nothing more should be tried. */
  boolean isHopeless() {
    return failures >= rules.attempts || allFailures >= PATIENCE * rules.attempts || denials >= 2;
  }

  /** When the first refusal ends that is waited for; {@link Long#MAX_VALUE} when none is. */
  long refusedUntil(long now) {
    long first = Long.MAX_VALUE;
    for (Map.Entry<String, Long> one : refused.entrySet()) {
      if (one.getValue() > now && !stalled.contains(one.getKey())) {
        first = Math.min(first, one.getValue());
      }
    }
    return first;
  }

  /** What the planner should leave out at {@code now}. */
  Exclusions exclusions(long now) {
    return new Exclusions() {
      @Override
      public boolean isPinned(Replica replica) {
        return pinned.contains(replica.node());
      }

      @Override
      public boolean isRefused(String node, String type) {
        return leaving.contains(node) || holds(node, type);
      }

      @Override
      public boolean isUnreadable(String node) {
        return holds(node, READ);
      }

      @Override
      public boolean isAwaited(String node) {
        return holds(node, AWAITED_TYPE);
      }

      private boolean holds(String node, String type) {
        return refused.getOrDefault(key(node, type), Long.MIN_VALUE) > now;
      }
    };
  }

  private static String key(String node, String type) {
    return node + ' ' + type;
  }

  /** What is to be said when the block is given up. */
  BlockResult gaveUp(long blockId) {
    return report(blockId, FileOutcome.FAILED, reason);
  }

  /** A report with what was moved so far and why not more. */
  BlockResult report(long blockId, FileOutcome outcome, String... reasons) {
    List<String> all = new ArrayList<>();
    for (String one : reasons) {
      if (!one.isEmpty()) {
        all.add(one);
      }
    }
    if (all.isEmpty() && !outcome.isSatisfied() && !reason.isEmpty()) {
      all.add(reason);
    }
    return new BlockResult(blockId, outcome, String.join("; ", all), counts);
  }

  MoveCounts counts() {
    return counts;
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

    /** It begins anew. */
    void restart() {
      start = Long.MIN_VALUE;
    }

    /** Whether it is so, and for less than that. */
    boolean isWithin(long millis, long now) {
      return start != Long.MIN_VALUE && now - start < millis;
    }
  }
}
