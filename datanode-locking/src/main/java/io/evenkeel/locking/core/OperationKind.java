package io.evenkeel.locking.core;

/** What a thread does with a block, named as in {@code FsDatasetSpi}. */
public enum OperationKind {
  CREATE_RBW("createRbw", true),
  CREATE_TEMPORARY("createTemporary", true),
  APPEND("append", true),
  RECOVER_APPEND("recoverAppend", true),
  RECOVER_CLOSE("recoverClose", true),
  RECOVER_RBW("recoverRbw", true),
  CONVERT_TO_RBW("convertTemporaryToRbw", true),
  FINALIZE("finalizeBlock", true),
  UNFINALIZE("unfinalizeBlock", true),
  INIT_RECOVERY("initReplicaRecovery", true),
  UPDATE_RECOVERY("updateReplicaUnderRecovery", true),
  MOVE("moveBlock", true),
  CHECK_AND_UPDATE("checkAndUpdate", true),
  MERGE("addVolume", true),
  REMOVE("removeReplicaFromMem", true),
  OPEN_STREAMS("getTmpInputStreams", false),
  STORED_BLOCK("getStoredBlock", false),
  VISIBLE_LENGTH("getReplicaVisibleLength", false),
  LOCAL_PATH("getBlockLocalPathInfo", false),
  INVALIDATE_MISSING("invalidateMissingBlock", true),
  END_LAZY_PERSIST("onCompleteLazyPersist", false),
  CACHE("cache", false),
  EVICT("evictBlocks", true);

  private final String label;
  private final boolean gated;

  OperationKind(String label, boolean gated) {
    this.label = label;
    this.gated = gated;
  }

  /** The method of the dataset. */
  public String label() {
    return label;
  }

  /**
   * Whether it may leave something behind in a pool, and so is counted and refused while the pool
   * is being closed. The others only look, or take something away.
   */
  public boolean gated() {
    return gated;
  }
}
