package io.evenkeel.bench.gameday.round;

import io.evenkeel.bench.gameday.agreement.Agreement;
import io.evenkeel.bench.gameday.history.Finding;
import io.evenkeel.bench.gameday.history.Finding.Kind;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What a round finds with stock as well, each with the reason in stock's code: such findings are
 * counted, with stock beside, and are no findings of a round. Stateless.
 *
 * <p>Apart from {@link Round}: each is to be taken out when stock has mended it.
 */
enum StockDefects {
  /**
   * A replica in memory that is deleted while it is saved leaves its copy in lazypersist: the one
   * that saves finds no replica or no file, and deletes nothing.
   */
  SAVED_AFTER_DELETION(
      Kind.LEFT_OVER, ".* in lazypersist that is of no replica" + Proofs.SAVED_AFTER_DELETION),
  /**
   * A volume that comes back may have an older replica of a block that its DataNode got again
   * meanwhile. One of the two files is of no replica, and the directory scanner passes over a block
   * of which a replica was deleted until 64 more are.
   */
  PASSED_OVER(Kind.LEFT_OVER, ".* in finalized that is of no replica" + Proofs.PASSED_OVER),
  /**
   * A DataNode deletes the file of a replica and then its meta file. One that is killed between
   * them leaves the meta file: a start looks for files of blocks only, and the directory scanner
   * only at finalized replicas.
   */
  HALF_DELETED(Kind.LEFT_OVER, "a meta file in rbw .*" + Proofs.HALF_DELETED),
  /**
   * A client that rebuilds a pipeline has a DataNode copy the block to a new one. When that breaks
   * off, BlockReceiver gives a temporary replica up only where the sender was no client, so it
   * stays until the DataNode restarts.
   */
  TEMPORARY_REPLICA(Kind.LEFT_OVER, ".*TEMPORARY replica.*|.* file in tmp that is of no replica"),
  /**
   * Space that is reserved for a replica being written is given back when it is finalized; where a
   * replica is appended to or recovered after a failure, it is not always.
   */
  RESERVED_SPACE(Kind.LEAK, ".* bytes are reserved"),
  /**
   * A BlockReceiver that ends in its constructor before it has streams fails once more while it is
   * closed, so the reference of its volume is lost. A volume of which one was lost can never be
   * removed again: the reconfiguration waits for ever.
   */
  LOST_REFERENCE(Kind.LEAK, ".* references .*" + Leaks.OF_RECEIVERS),
  /**
   * An erasure-coded file whose writer was lost before enough internal blocks of its last block
   * group had a byte can never be recovered ("has no enough internal blocks"), and so not be
   * closed.
   */
  UNCLOSED_BLOCK_GROUP(Kind.UNREADABLE, ".*" + Proofs.TOO_FEW_INTERNAL_BLOCKS),
  /**
   * Where a writer is interrupted between data and checksums, its replica has fewer checksums than
   * bytes. The recovery of the block takes the length of the data, and finalizes it.
   */
  FEWER_CHECKSUMS(Kind.UNREADABLE, ".*" + Proofs.REFUSED),
  /**
   * As {@link #FEWER_CHECKSUMS}, where all that was not written yet is the checksum of a last chunk
   * that had fewer bytes before: its end cannot be read, and no pipeline is refused for it.
   */
  STALE_CHECKSUM(Kind.UNREADABLE, "ChecksumException: .*" + Proofs.STALE),
  /**
   * A writer that found no space for the first bytes of a block leaves replicas whose meta files
   * are empty. The recovery of the block refuses each of them, and the file is never closed.
   */
  EMPTY_META(Kind.UNREADABLE, ".*" + Proofs.EMPTY_META),
  /**
   * Where a truncate finds no space for its last checksum, the file is cut and the replica is not
   * ("Block length mismatch"): no recovery succeeds until a restart, and the file is not closed.
   */
  HALF_TRUNCATED(Kind.UNREADABLE, ".*" + Proofs.HALF_TRUNCATED),
  /**
   * An append or a truncate takes the deletion of a replica out of the NameNode's queue, but leaves
   * the replica among those that count as excess. Nobody deletes it then: for an hour since
   * HDFS-17218, for ever before.
   */
  EXCESS_KEPT(Kind.MANY_REPLICAS, ".*" + Proofs.EXCESS),
  /**
   * After a change of the storage policy, or where one is in memory, the replicas of a type too
   * many may be those that no rack can spare. BlockPlacementPolicyDefault then chooses none ("No
   * excess replica can be found", at DEBUG), and no mover looks at a block whose other replicas are
   * on the right types.
   */
  NONE_MAY_GO(Kind.MANY_REPLICAS, ".*" + Agreement.ALONE),
  /**
   * As {@link #EXCESS_KEPT}, where the replica to be kept missed what changed the block: those left
   * all count as excess. An older replica that is reported stays, nothing is copied, and after an
   * hour the good ones are deleted.
   */
  ONLY_EXCESS(Kind.LEFT_OVER, "a FINALIZED replica .*" + Proofs.ONLY_EXCESS),
  /** As {@link #ONLY_EXCESS}: none is a source for the replicas that are missing. */
  NOT_COPIED(Kind.FEW_REPLICAS, ".*" + Proofs.ONLY_EXCESS),
  /**
   * A NameNode that replays the edits gives a block that is added the most replicas that a snapshot
   * of its file asks for; the one that added it, what the file asks for. And a snapshot that is
   * deleted gives up its number for the blocks the file still has, not for those of other
   * snapshots.
   */
  REPLICATION_OF_SNAPSHOT(Kind.MANY_REPLICAS, ".*" + Proofs.OF_SNAPSHOT),
  /** HDFS-16867: from 3.4 on, each run that needs two iterations ends at its metrics. */
  MOVER_ENDS_EARLY(Kind.NOT_CALM, "hdfs mover ended with 255" + StockDefects.METRICS);

  /** Proof of {@link #MOVER_ENDS_EARLY}: other ends have this code too. */
  static final String METRICS = "; its metrics are registered already";

  private final Kind kind;
  private final Pattern reason;

  StockDefects(Kind kind, String reason) {
    this.kind = kind;
    this.reason = Pattern.compile(reason);
  }

  /** The one that explains a finding; empty when none does. */
  static Optional<StockDefects> of(Finding finding) {
    for (StockDefects defect : values()) {
      if (finding.kind() == defect.kind && defect.reason.matcher(finding.reason()).matches()) {
        return Optional.of(defect);
      }
    }
    return Optional.empty();
  }

  static boolean explains(Finding finding) {
    return of(finding).isPresent();
  }
}
