package io.evenkeel.locking.stress;

import io.evenkeel.locking.stress.Outcome.Result;
import io.evenkeel.locking.stress.State.Kind;
import java.util.ArrayList;
import java.util.List;

/**
 * The sequential model: what stock's dataset does to one replica when one call runs at a time.
 *
 * <p>Each rule names the method of {@code FsDatasetImpl} (3.4.3) it was read from. A rule answers
 * the states that are possible after a call that ended as it did; none means that the call cannot
 * have ended so in this state.
 */
final class Rules {
  private final int[] typeOfVolume;

  /** A model of a DataNode whose volume {@code i} is of storage type {@code typeOfVolume[i]}. */
  Rules(int[] typeOfVolume) {
    this.typeOfVolume = typeOfVolume.clone();
  }

  /** The states after {@code t} was called in state {@code s} and ended with its outcome. */
  List<State> after(State s, Step t) {
    Result result = t.outcome.result();
    if (t.act == Act.DROP_OLDER) {
      return !s.absent() && s.gs() <= t.newGs ? List.of(s, State.ABSENT) : List.of(s);
    }
    if (result == Result.RUNTIME) {
      return List.of();
    }
    if (result == Result.INTERRUPTED || result == Result.INJECTED || result == Result.LOST) {
      return stopped(s, t);
    }
    return switch (t.act) {
      case CREATE_RBW -> s.absent() ? create(t, Kind.RBW) : only(s, t, Result.EXISTS);
      case REPLACE_RBW -> replaceRbw(s, t);
      case CREATE_TEMPORARY, TRANSFER_TEMPORARY -> createTemporary(s, t);
      case APPEND -> append(s, t);
      case RECOVER_RBW -> recoverRbw(s, t);
      case RECOVER_APPEND, RECOVER_CLOSE -> recoverAppendOrClose(s, t);
      case WRITE, WRITE_UNACKED -> write(s, t);
      case FINALIZE -> finalizeBlock(s, t);
      case UNFINALIZE -> unfinalize(s, t);
      case CONVERT -> convert(s, t);
      case INIT_RECOVERY -> initRecovery(s, t);
      case UPDATE, UPDATE_COPY -> update(s, t);
      case MOVE_STORAGE, MOVE_VOLUME -> move(s, t);
      case DELETE, DELETE_DONE, DROP_OLDER, READ ->
          throw new IllegalArgumentException(t.toString());
    };
  }

  /**
   * A call that was stopped from outside changed nothing; {@code createTemporary} may have deleted
   * the older replica before ({@code invalidate} comes before {@code v.createTemporary}).
   */
  private static List<State> stopped(State s, Step t) {
    boolean recovers = s.kind() == Kind.RUR && s.recoveryId() == t.newGs;
    if (t.act == Act.UPDATE && recovers) {
      // stopWriter may interrupt the recovering thread after the stamp was bumped.
      return List.of(s, s.bumped(t.newGs));
    }
    boolean mayDrop = t.act == Act.CREATE_TEMPORARY || t.act == Act.TRANSFER_TEMPORARY;
    return mayDrop && !s.absent() && s.gs() < t.newGs ? List.of(s, State.ABSENT) : List.of(s);
  }

  private static List<State> only(State s, Step t, Result expected) {
    return t.outcome.result() == expected ? List.of(s) : List.of();
  }

  private static List<State> becomes(Step t, State next) {
    return t.ok() ? List.of(next) : List.of();
  }

  /** {@code createRbw}: {@code v.createRbw}, {@code volumeMap.add}. */
  private static List<State> create(Step t, Kind kind) {
    return becomes(t, State.created(kind, t.newGs, t.outcome.volume(), t.actor));
  }

  /**
   * {@code createRbw} with a stamp takes the place of any replica. In ours one with as new a stamp
   * that came while the call waited, where stock waits for nothing, stays ({@code
   * ReplicaCreations.createRbw}).
   */
  private static List<State> replaceRbw(State s, Step t) {
    boolean refused = t.outcome.result() == Result.EXISTS && !s.absent() && s.gs() >= t.newGs;
    return refused ? List.of(s) : create(t, Kind.RBW);
  }

  /** {@code createTemporary}: the checks inside the loop, then the older replica is deleted. */
  private static List<State> createTemporary(State s, Step t) {
    boolean transfer = t.act == Act.TRANSFER_TEMPORARY;
    if (!s.absent() && (s.gs() >= t.newGs || (!transfer && !s.inPipeline()))) {
      return only(s, t, Result.EXISTS);
    }
    return create(t, Kind.TEMPORARY);
  }

  /** {@code append(ExtendedBlock, long, long)}. */
  private static List<State> append(State s, Step t) {
    if (!s.absent() && t.newGs < t.gs) {
      return only(s, t, Result.IO);
    }
    if (s.absent() || s.gs() != t.gs || s.kind() != Kind.FINALIZED) {
      return only(s, t, Result.NOT_FOUND);
    }
    if (s.len() != t.length) {
      return only(s, t, Result.IO);
    }
    return becomes(t, s.reopened(t.newGs, s.len(), t.actor));
  }

  /** {@code recoverRbw} and {@code recoverRbwImpl}: what was not acknowledged is cut off. */
  private static List<State> recoverRbw(State s, Step t) {
    if (s.kind() != Kind.RBW || outOfRange(s, t) || s.acked() < t.length) {
      return only(s, t, Result.NOT_FOUND);
    }
    if (!s.meta()) {
      return only(s, t, Result.IO);
    }
    return becomes(t, s.reopened(t.newGs, s.acked(), t.actor));
  }

  private static boolean outOfRange(State s, Step t) {
    return s.gs() < t.gs || s.gs() > t.newGs;
  }

  /** {@code recoverCheck}, then {@code recoverAppend} or {@code recoverClose}. */
  private static List<State> recoverAppendOrClose(State s, Step t) {
    boolean known = s.kind() == Kind.FINALIZED || s.kind() == Kind.RBW;
    if (!known || outOfRange(s, t)) {
      return only(s, t, Result.NOT_FOUND);
    }
    if (s.len() != s.acked()) {
      return only(s, t, Result.EXISTS);
    }
    if (s.len() != t.length || !s.meta()) {
      return only(s, t, Result.IO);
    }
    boolean close = t.act == Act.RECOVER_CLOSE;
    return becomes(
        t, close ? s.finalized(t.newGs, s.len()) : s.reopened(t.newGs, s.len(), t.actor));
  }

  /**
   * {@code BlockReceiver}: a writer whose replica was taken away goes on with files nobody knows;
   * it may succeed or fail.
   */
  private static List<State> write(State s, Step t) {
    if (!s.inPipeline() || s.writer() != t.actor) {
      return List.of(s);
    }
    long length = t.outcome.length();
    return becomes(t, s.written(length, t.act == Act.WRITE ? length : s.acked()));
  }

  /** {@code finalizeBlock} and {@code finalizeReplica}; a finalized block stays as it is. */
  private static List<State> finalizeBlock(State s, Step t) {
    if (s.absent() || s.gs() != t.gs) {
      return only(s, t, Result.NOT_FOUND);
    }
    if (s.kind() == Kind.FINALIZED) {
      return only(s, t, Result.OK);
    }
    return s.meta() ? becomes(t, s.finalized(s.gs(), s.len())) : only(s, t, Result.IO);
  }

  /** {@code unfinalizeBlock}: only a temporary replica goes. */
  private static List<State> unfinalize(State s, Step t) {
    if (s.absent()) {
      return only(s, t, Result.NOT_FOUND);
    }
    boolean goes = s.kind() == Kind.TEMPORARY && s.gs() == t.gs;
    return becomes(t, goes ? State.ABSENT : s);
  }

  /** {@code convertTemporaryToRbw}. */
  private static List<State> convert(State s, Step t) {
    if (s.absent()) {
      return only(s, t, Result.NOT_FOUND);
    }
    if (s.kind() != Kind.TEMPORARY || s.gs() != t.gs) {
      return only(s, t, Result.EXISTS);
    }
    if (s.len() < t.length || !s.meta()) {
      return only(s, t, Result.IO);
    }
    State rbw = s.reopened(s.gs(), s.len(), t.actor);
    return becomes(t, rbw.written(s.len(), t.length));
  }

  /** {@code initReplicaRecoveryImpl}; {@code ReplicaUnderRecovery} takes no temporary replica. */
  private static List<State> initRecovery(State s, Step t) {
    if (s.absent()) {
      return only(s, t, Result.NONE);
    }
    boolean noFile = s.inPipeline() && !s.meta();
    if (noFile || s.gs() < t.gs || s.gs() >= t.newGs) {
      return only(s, t, Result.IO);
    }
    if (s.kind() == Kind.RUR && s.recoveryId() >= t.newGs) {
      return only(s, t, Result.IN_PROGRESS);
    }
    if (s.kind() == Kind.TEMPORARY) {
      return only(s, t, Result.BAD_ARGUMENT);
    }
    return t.outcome.length() == s.len() ? becomes(t, s.recovering(t.newGs)) : List.of();
  }

  /** {@code updateReplicaUnderRecovery}; a copy leaves the block's own stamp and length. */
  private static List<State> update(State s, Step t) {
    if (s.absent()) {
      return only(s, t, Result.NOT_FOUND);
    }
    boolean mine = s.kind() == Kind.RUR && s.recoveryId() == t.newGs;
    if (!mine || s.len() != t.outcome.length()) {
      return only(s, t, Result.IO);
    }
    boolean copy = t.act == Act.UPDATE_COPY;
    return becomes(
        t, copy ? s.finalized(s.gs(), s.len()) : s.finalized(t.newGs, t.outcome.newLength()));
  }

  /**
   * {@code moveBlockAcrossStorage} and {@code moveBlockAcrossVolumes}. Both copy outside the lock
   * and by design give up when the block has changed meanwhile (HDFS-12942; in ours the block is
   * "not found" then), so these ends are always allowed if they leave no trace.
   */
  private List<State> move(State s, Step t) {
    if (t.outcome.result() == Result.IO || t.outcome.result() == Result.NOT_FOUND) {
      return List.of(s);
    }
    if (s.absent() || s.gs() != t.gs || s.kind() != Kind.FINALIZED) {
      return List.of();
    }
    if (t.act == Act.MOVE_VOLUME) {
      return becomes(t, s.moved(t.place));
    }
    if (typeOfVolume[s.volume()] == t.place) {
      return only(s, t, Result.EXISTS);
    }
    List<State> targets = new ArrayList<>();
    for (int v = 0; t.ok() && v < typeOfVolume.length; v++) {
      if (typeOfVolume[v] == t.place) {
        targets.add(s.moved(v));
      }
    }
    return targets;
  }
}
