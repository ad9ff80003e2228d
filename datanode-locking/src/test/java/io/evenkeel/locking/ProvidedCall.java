package io.evenkeel.locking;

import static io.evenkeel.locking.ProvidedDataNode.UNKNOWN;
import static io.evenkeel.locking.ProvidedDataNode.UNTOUCHED;
import static io.evenkeel.locking.ProvidedRegions.LENGTH;
import static io.evenkeel.locking.Replicas.at;

import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.DirectoryScanner;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.ReplicaInputStreams;
import org.apache.hadoop.hdfs.server.protocol.BlockRecoveryCommand.RecoveringBlock;
import org.apache.hadoop.util.VersionInfo;

/**
 * Calls on a dataset about a provided block nobody has touched. Each has what its end begins with,
 * and what the map has of the block then.
 */
enum ProvidedCall {
  VISIBLE_LENGTH((n, b) -> n.dataset().getReplicaVisibleLength(b), "1024", UNTOUCHED),
  VISIBLE_LENGTH_OF_A_NEWER(
      (n, b) -> n.dataset().getReplicaVisibleLength(at(b, 1001)),
      "IOException: replica.getGenerationStamp() < block.getGenerationStamp()",
      UNTOUCHED),
  STORED_BLOCK(
      (n, b) -> {
        Block stored = n.dataset().getStoredBlock(b.getBlockPoolId(), b.getBlockId());
        return stored.getNumBytes() + " " + stored.getGenerationStamp();
      },
      "1024 1000",
      UNTOUCHED),
  IS_THERE(
      (n, b) -> n.dataset().isValidBlock(b) + " " + n.dataset().contains(b),
      "true true",
      UNTOUCHED),
  READ((n, b) -> n.read(n.dataset().getBlockInputStream(b, 0), b, 0), "its bytes", UNTOUCHED),
  READ_FROM_THE_MIDDLE(
      (n, b) -> n.read(n.dataset().getBlockInputStream(b, 500), b, 500), "its bytes", UNTOUCHED),
  READ_WITHOUT_THE_FILE(
      (n, b) -> n.dataset().getBlockInputStream(n.missing(), 0),
      "FileNotFoundException",
      UNTOUCHED),
  OPEN(
      (n, b) -> {
        try (ReplicaInputStreams in = n.dataset().getTmpInputStreams(b, 0, 0)) {
          return n.read(in.getDataIn(), b, 0);
        }
      },
      "its bytes",
      UNTOUCHED),
  OPEN_A_NEWER(
      (n, b) -> n.dataset().getTmpInputStreams(at(b, 1001), 0, 0),
      "ReplicaNotFoundException: Cannot append to a replica with unexpected generation stamp",
      UNTOUCHED),
  LOCAL_PATH((n, b) -> n.dataset().getBlockLocalPathInfo(b), "NullPointerException", UNTOUCHED),

  COPY_IN_OLDER((n, b) -> n.copyIn(b, 999, false), "created", "TEMPORARY 999 DISK"),
  COPY_IN_SAME((n, b) -> n.copyIn(b, 1000, false), "created", "TEMPORARY 1000 DISK"),
  COPY_IN_NEWER((n, b) -> n.copyIn(b, 1001, false), "created", "TEMPORARY 1001 DISK"),
  TRANSFER_OLDER((n, b) -> n.copyIn(b, 999, true), "created", "TEMPORARY 999 DISK"),
  TRANSFER_SAME((n, b) -> n.copyIn(b, 1000, true), "created", "TEMPORARY 1000 DISK"),
  TRANSFER_NEWER((n, b) -> n.copyIn(b, 1001, true), "created", "TEMPORARY 1001 DISK"),
  COPY_IN_TWICE(
      (n, b) -> n.copyIn(b, 1000, false) + n.copyIn(b, 1000, false),
      "ReplicaAlreadyExistsException: Block POOL:blk_",
      "TEMPORARY 1000 DISK"),
  COPY_IN_THEN_A_NEWER(
      (n, b) -> n.copyIn(b, 1000, false) + " " + n.copyIn(b, 1001, true),
      "created created",
      "TEMPORARY 1001 DISK"),
  COPY_IN_AND_FINALIZE(
      (n, b) -> {
        n.copyIn(b, 999, false);
        n.dataset().finalizeBlock(at(b, 999), false);
        return n.dataset().getBlockInputStream(at(b, 999), 0).read(); // the copy is of zeros
      },
      "0",
      "FINALIZED 999 DISK"),
  COPY_IN_AND_UNFINALIZE(
      (n, b) -> {
        n.copyIn(b, 1000, false);
        n.dataset().unfinalizeBlock(b);
        return n.replicas().files(b).size();
      },
      "0",
      UNKNOWN),

  CREATE_RBW(
      (n, b) -> n.dataset().createRbw(StorageType.DISK, null, b, false, 0),
      "ReplicaAlreadyExistsException: Block POOL:blk_",
      UNTOUCHED),
  CREATE_RBW_AFTER_A_RETRY(
      (n, b) -> n.dataset().createRbw(StorageType.DISK, null, b, false, 1001),
      "UnsupportedOperationException: ProvidedReplica does not support deleting block data",
      UNTOUCHED),
  CREATE_RBW_ON_PROVIDED(
      (n, b) -> n.dataset().createRbw(StorageType.PROVIDED, null, n.replicas().block(), false, 0),
      "DiskOutOfSpaceException: Out of space",
      UNTOUCHED),
  APPEND(
      (n, b) -> n.dataset().append(b, 1001, LENGTH),
      "UnsupportedOperationException: ProvidedVolume does not yet support writes",
      UNTOUCHED),
  APPEND_TO_A_NEWER(
      (n, b) -> n.dataset().append(at(b, 1001), 1002, LENGTH),
      "ReplicaNotFoundException: Cannot append to a replica with unexpected generation stamp",
      UNTOUCHED),
  RECOVER_APPEND(
      (n, b) -> n.dataset().recoverAppend(b, 1001, LENGTH),
      "UnsupportedOperationException: ProvidedVolume does not yet support writes",
      UNTOUCHED),
  RECOVER_CLOSE(
      (n, b) -> n.dataset().recoverClose(b, 1001, LENGTH),
      "UnsupportedOperationException: ProvidedReplica does not yet support writes",
      UNTOUCHED),
  RECOVER_RBW(
      (n, b) -> n.dataset().recoverRbw(b, 1001, 0, LENGTH),
      "ReplicaNotFoundException: Cannot recover a non-RBW replica",
      UNTOUCHED),
  INIT_RECOVERY(
      (n, b) ->
          n.dataset().initReplicaRecovery(new RecoveringBlock(b, DatanodeInfo.EMPTY_ARRAY, 1001)),
      "ClassCastException",
      UNTOUCHED), // stock's fault
  UPDATE_RECOVERY(
      (n, b) -> n.dataset().updateReplicaUnderRecovery(b, 1001, b.getBlockId(), LENGTH),
      "IOException: replica.getState() != RUR",
      UNTOUCHED),
  CUT_SHORT(
      (n, b) -> n.dataset().updateReplicaUnderRecovery(b, 1001, b.getBlockId(), 10),
      "IOException: replica.getState() != RUR",
      UNTOUCHED),
  CONVERT(
      (n, b) -> n.dataset().convertTemporaryToRbw(b),
      "ReplicaAlreadyExistsException: r.getState() != ReplicaState.TEMPORARY",
      UNTOUCHED),
  FINALIZE((n, b) -> does(() -> n.dataset().finalizeBlock(b, false)), "done", UNTOUCHED),
  UNFINALIZE((n, b) -> does(() -> n.dataset().unfinalizeBlock(b)), "done", UNTOUCHED),

  MOVE(
      (n, b) -> n.dataset().moveBlockAcrossStorage(b, StorageType.DISK, null),
      "UnsupportedOperationException: ProvidedReplica does not yet support copy",
      UNTOUCHED),
  MOVE_TO_A_VOLUME(
      (n, b) -> n.dataset().moveBlockAcrossVolumes(b, n.volume(StorageType.DISK)),
      "UnsupportedOperationException: ProvidedReplica does not yet support copy",
      UNTOUCHED),
  MOVE_ANOTHER_TO_PROVIDED(
      (n, b) -> {
        FsVolumeSpi provided = n.volume(StorageType.PROVIDED);
        return n.dataset()
            .moveBlockAcrossVolumes(n.replicas().finalized(StorageType.DISK), provided);
      },
      "UnsupportedOperationException: ProvidedVolume does not yet support writes",
      UNTOUCHED),
  CACHE(
      (n, b) -> does(() -> n.dataset().cache(b.getBlockPoolId(), new long[] {b.getBlockId()})),
      "NullPointerException",
      UNTOUCHED),

  INVALIDATE((n, b) -> n.invalidate(b), "deleting", UNKNOWN),
  INVALIDATE_A_NEWER(
      (n, b) -> n.invalidate(at(b, 1001)),
      "IOException: Failed to delete 1 (out of 1) replica(s):\n0) Failed to delete replica blk_",
      UNTOUCHED),
  INVALIDATE_AND_COPY_IN(
      (n, b) -> n.invalidate(b) + " " + n.copyIn(b, 999, false),
      "deleting created",
      "TEMPORARY 999 DISK"),
  INVALIDATE_AND_CREATE_RBW(
      (n, b) -> {
        n.invalidate(b);
        n.dataset().createRbw(StorageType.DISK, null, b, false, 0).close();
        return "created";
      },
      "created",
      "RBW 1000 DISK"),
  INVALIDATE_MISSING(
      (n, b) ->
          does(() -> n.dataset().invalidateMissingBlock(b.getBlockPoolId(), b.getLocalBlock())),
      "done",
      UNTOUCHED), // stock 3.4 does not look for the file
  SCAN_FINDS_IT(
      (n, b) -> does(() -> n.dataset().checkAndUpdate(b.getBlockPoolId(), n.scanned(b))),
      "done",
      UNKNOWN), // only what differs is handed over
  SCAN_FINDS_A_LOST_ONE(
      (n, b) -> {
        n.dataset().checkAndUpdate(b.getBlockPoolId(), n.scanned(b));
        n.dataset().checkAndUpdate(b.getBlockPoolId(), n.scanned(b));
        return n.dataset().getReplicaVisibleLength(b);
      },
      "1024",
      UNTOUCHED),
  SCAN_FINDS_IT_WHILE_COPIED_IN(
      (n, b) -> {
        n.copyIn(b, 1001, false);
        n.dataset().checkAndUpdate(b.getBlockPoolId(), n.scanned(b));
        return "done";
      },
      "done",
      "TEMPORARY 1001 DISK"),
  SCAN_FINDS_AN_OLDER_ON_A_DISK(
      (n, b) -> {
        n.dataset().checkAndUpdate(b.getBlockPoolId(), n.onDisk(b, 999));
        return n.replicas().files(b).size();
      },
      VersionInfo.getVersion().startsWith("3.4.") ? "0" : "NullPointerException",
      "FINALIZED 0 PROVIDED"), // stock's fault: it takes the stamp away, or asks for a meta file
  SCAN_FINDS_A_NEWER_ON_A_DISK(
      (n, b) -> does(() -> n.dataset().checkAndUpdate(b.getBlockPoolId(), n.onDisk(b, 1001))),
      "UnsupportedOperationException: ProvidedReplica does not support deleting block data",
      "FINALIZED 1001 DISK"),
  FINALIZED_BLOCKS(
      (n, b) -> n.dataset().getFinalizedBlocks(b.getBlockPoolId()),
      "ClassCastException",
      UNTOUCHED), // stock's fault
  SCAN(
      (n, b) -> does(new DirectoryScanner(n.dataset(), n.one().node().getConf())::reconcile),
      "ClassCastException",
      UNTOUCHED), // stock's fault
  BLOCK_REPORT(
      (n, b) -> n.reported(b) + " " + n.reported(n.replicas().finalized(StorageType.DISK)),
      "[] [DISK]",
      UNTOUCHED);

  private final Call call;
  private final String end;
  private final String inMap;

  ProvidedCall(Call call, String end, String inMap) {
    this.call = call;
    this.end = end;
    this.inMap = inMap;
  }

  private interface Call {
    Object on(ProvidedDataNode node, ExtendedBlock b) throws Exception;
  }

  private interface Action {
    void run() throws Exception;
  }

  /** How a call ended: what it returned or threw, and what the map has of the block. */
  record End(String text, String inMap) {}

  /** Makes the call; each has a block of its own. */
  End on(ProvidedDataNode node) {
    ExtendedBlock b = node.block(ordinal());
    String text;
    try {
      text = String.valueOf(call.on(node, b));
    } catch (Exception e) {
      text = e.getClass().getSimpleName() + ": " + e.getMessage();
    }
    return new End(node.normalised(text), node.inMap(b));
  }

  /** What its end begins with, and the map as it should be. */
  End expected() {
    return new End(end, inMap);
  }

  private static String does(Action action) throws Exception {
    action.run();
    return "done";
  }
}
