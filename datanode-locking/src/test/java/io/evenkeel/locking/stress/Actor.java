package io.evenkeel.locking.stress;

import io.evenkeel.common.testing.Await;
import io.evenkeel.locking.stress.Outcome.Result;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.Lock;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeReference;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.ReplicaInputStreams;
import org.apache.hadoop.hdfs.server.protocol.BlockRecoveryCommand.RecoveringBlock;
import org.apache.hadoop.hdfs.server.protocol.ReplicaRecoveryInfo;

/** One thread of a round: makes its calls on one block, one after the other. */
final class Actor implements Runnable {
  /** What a new block may grow to; the space a writer reserves. */
  private static final long ROOM = 64 * 1024;

  private final StressDataNode node;
  private final long id;
  private final List<Step> steps;
  private final long startNanos;
  private final Lock turn;
  private final Session session;
  private volatile String misread = "";
  private ReplicaRecoveryInfo found;

  /**
   * A thread's work.
   *
   * @param node to work on
   * @param id of the block
   * @param steps to make in order; ends early after a failed one, as a receiver does
   * @param startNanos when to begin, {@link System#nanoTime}
   * @param turn held during each call, null to let calls run at once
   */
  Actor(StressDataNode node, long id, List<Step> steps, long startNanos, Lock turn) {
    this.turn = turn;
    this.node = node;
    this.id = id;
    this.steps = steps;
    this.startNanos = startNanos;
    this.session = new Session(node, id);
  }

  /**
   * Whether this writer opened files of a replica that others were taking away. {@code
   * createStreams} makes files that are gone again, in stock as in ours, so the block's files say
   * nothing then.
   */
  boolean late(List<Step> made) {
    boolean replaced =
        made.stream()
            .anyMatch(
                s -> s.act == Act.REPLACE_RBW && !steps.contains(s) && session.openedDuring(s));
    return replaced || session.late();
  }

  /** What a read saw that no writer wrote, or nothing. */
  String misread() {
    return misread;
  }

  @Override
  public void run() {
    Await.pauseUninterruptibly(Duration.ofNanos(startNanos - System.nanoTime()));
    try (session) {
      for (Step step : steps) {
        inTurn(step);
        if (!step.ok()) {
          return;
        }
      }
    } catch (IOException e) {
      misread = "CLOSE failed: " + e;
    }
  }

  private void inTurn(Step step) {
    if (turn == null) {
      make(step);
      return;
    }
    try {
      turn.lockInterruptibly();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      step.begin = System.nanoTime();
      step.end = step.begin;
      step.outcome = Outcome.of(Result.INTERRUPTED);
      return;
    }
    try {
      make(step);
      if (step.act == Act.DELETE) { // no other call leaves its deletions to another thread
        node.awaitDeletions();
      }
    } finally {
      turn.unlock();
    }
  }

  private void make(Step step) {
    node.disks().failNext(step.failing);
    Outcome outcome;
    step.begin = System.nanoTime();
    try {
      outcome = call(step);
    } catch (Exception | AssertionError e) {
      outcome = Outcome.failed(e);
      if (found != null) {
        outcome = new Outcome(outcome.result(), bytesFound(), rest(step), -1, outcome.text());
      }
    }
    step.end = System.nanoTime();
    step.outcome = outcome;
    node.disks().failNext(false);
  }

  private Outcome call(Step t) throws IOException {
    FsDatasetSpi<?> data = node.dataset();
    StorageType type = StressDataNode.TYPES[t.place % StressDataNode.TYPES.length];
    ExtendedBlock old = node.block(id, ROOM, t.gs);
    ExtendedBlock made = node.block(id, ROOM, t.newGs);
    return switch (t.act) {
      case CREATE_RBW -> session.opened(data.createRbw(type, null, made, false), true);
      case REPLACE_RBW -> session.opened(data.createRbw(type, null, made, false, t.newGs), true);
      case CREATE_TEMPORARY, TRANSFER_TEMPORARY ->
          session.opened(
              data.createTemporary(type, null, made, t.act == Act.TRANSFER_TEMPORARY), true);
      case APPEND -> session.opened(data.append(old, t.newGs, t.length), false);
      case RECOVER_RBW ->
          session.opened(data.recoverRbw(old, t.newGs, t.length, Long.MAX_VALUE), false);
      case RECOVER_APPEND -> session.opened(data.recoverAppend(old, t.newGs, t.length), false);
      case RECOVER_CLOSE -> done(data.recoverClose(old, t.newGs, t.length) != null);
      case WRITE, WRITE_UNACKED -> session.write((int) t.length, t.act == Act.WRITE);
      case FINALIZE -> finalizeBlock(t);
      case UNFINALIZE -> unfinalize(t);
      case CONVERT -> convert(t);
      case INIT_RECOVERY -> initRecovery(t);
      case UPDATE, UPDATE_COPY -> update(t);
      case MOVE_STORAGE ->
          done(data.moveBlockAcrossStorage(node.block(id, t.length, t.gs), type, null) != null);
      case MOVE_VOLUME -> done(data.moveBlockAcrossVolumes(old, node.volume(t.place)) != null);
      case DELETE -> delete(t);
      case READ -> read(t);
      case DELETE_DONE, DROP_OLDER -> throw new IllegalArgumentException(t.toString());
    };
  }

  private static Outcome done(boolean done) {
    return Outcome.of(done ? Result.OK : Result.NONE);
  }

  private Outcome finalizeBlock(Step t) throws IOException {
    node.dataset().finalizeBlock(node.block(id, session.size(), t.gs), false);
    return Outcome.ok();
  }

  private Outcome unfinalize(Step t) throws IOException {
    node.dataset().unfinalizeBlock(node.block(id, session.size(), t.gs));
    return Outcome.ok();
  }

  /**
   * With the replica's volume held, as {@code BlockReceiver}, who alone makes this call, has held
   * it since the creation. Stock relies on that; without it the replica comes back into the map of
   * a DataNode whose volume has gone meanwhile.
   */
  @SuppressWarnings("try") // the reference is there for its end
  private Outcome convert(Step t) throws IOException {
    try (FsVolumeReference volume = session.opened() ? null : node.hold(id)) {
      session.converted(node.dataset().convertTemporaryToRbw(node.block(id, t.length, t.gs)));
      return Outcome.ok();
    }
  }

  private Outcome initRecovery(Step t) throws IOException {
    found =
        node.dataset()
            .initReplicaRecovery(
                new RecoveringBlock(node.block(id, 0, t.gs), new DatanodeInfo[0], t.newGs));
    return found == null ? Outcome.of(Result.NONE) : Outcome.ok(found.getNumBytes(), 0);
  }

  private long bytesFound() {
    return found.getNumBytes();
  }

  private long rest(Step t) {
    return Math.max(0, bytesFound() - t.length);
  }

  private Outcome update(Step t) throws IOException {
    boolean copy = t.act == Act.UPDATE_COPY;
    ExtendedBlock old = node.block(id, bytesFound(), found.getGenerationStamp());
    // In a DataNode another thread makes this call; a late stopWriter must not reach it.
    boolean ignored = Thread.interrupted();
    node.dataset()
        .updateReplicaUnderRecovery(
            old, t.newGs, node.blockId(copy ? Content.copyOf(id, t.actor) : id), rest(t));
    return new Outcome(Result.OK, bytesFound(), rest(t), -1, ignored ? "was interrupted" : "");
  }

  private Outcome delete(Step t) throws IOException {
    node.dataset().invalidate(node.pool(id), new Block[] {node.block(id, 0, t.gs).getLocalBlock()});
    return Outcome.ok();
  }

  private Outcome read(Step t) throws IOException {
    try (ReplicaInputStreams in =
        node.dataset().getTmpInputStreams(node.block(id, 0, t.gs), 0, 0)) {
      InputStream data = in.getDataIn();
      byte[] bytes = data.readAllBytes();
      if (!Arrays.equals(bytes, Content.bytes(id, 0, bytes.length))) {
        misread = "MISREAD " + bytes.length + " bytes of stamp " + t.gs;
      }
      return Outcome.ok(bytes.length, 0);
    }
  }
}
