package io.evenkeel.locking.stress;

/** What a thread can do to a block. */
enum Act {
  /** {@code createRbw} of a new block. */
  CREATE_RBW,
  /** {@code createRbw} with a new generation stamp: replaces what is there. */
  REPLACE_RBW,
  /** {@code createTemporary} of a re-replication. */
  CREATE_TEMPORARY,
  /** {@code createTemporary} of a pipeline's transfer: may replace an older replica. */
  TRANSFER_TEMPORARY,
  /** {@code append}. */
  APPEND,
  /** {@code recoverRbw}. */
  RECOVER_RBW,
  /** {@code recoverAppend}. */
  RECOVER_APPEND,
  /** {@code recoverClose}. */
  RECOVER_CLOSE,
  /** One packet written, flushed and acknowledged (hflush). */
  WRITE,
  /** One packet written and flushed that nobody acknowledged. */
  WRITE_UNACKED,
  /** {@code finalizeBlock}. */
  FINALIZE,
  /** {@code unfinalizeBlock}: a failed receiver drops its temporary replica. */
  UNFINALIZE,
  /** {@code convertTemporaryToRbw}. */
  CONVERT,
  /** {@code initReplicaRecovery}. */
  INIT_RECOVERY,
  /** {@code updateReplicaUnderRecovery}, with or without truncation. */
  UPDATE,
  /** {@code updateReplicaUnderRecovery} that copies the shorter block to a new id. */
  UPDATE_COPY,
  /** {@code moveBlockAcrossStorage}: the Mover. */
  MOVE_STORAGE,
  /** {@code moveBlockAcrossVolumes}: the DiskBalancer. */
  MOVE_VOLUME,
  /** {@code invalidate}: the call, which only checks and hands the deletion to another thread. */
  DELETE,
  /** The deletion that an earlier {@link #DELETE} handed over. */
  DELETE_DONE,
  /** The deletion inside a {@code createTemporary}, where a search takes it for itself. */
  DROP_OLDER,
  /** Opens and reads data and checksums, and compares every byte. */
  READ
}
