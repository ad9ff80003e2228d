package io.evenkeel.mover.hdfs;

import io.evenkeel.mover.core.plan.BlockView;
import io.evenkeel.mover.core.plan.FileView;
import io.evenkeel.mover.core.plan.Replica;
import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;
import org.apache.hadoop.hdfs.util.StripedBlockUtil;

/** Files as the mover sees them, of what the NameNode answers. Thread-safe. */
final class FileViews {
  /** {@code LocatedBlock.getLocations}, whose return type is another one since 3.3. */
  private static final MethodHandle LOCATIONS = locations();

  private final HdfsConnection connection;
  private final Byte policyId;

  /**
   * Creates it.
   *
   * @param policyId policy to take every file to have, null for its own
   */
  FileViews(HdfsConnection connection, Byte policyId) {
    this.connection = connection;
    this.policyId = policyId;
  }

  /** The file with what the NameNode says is its policy. */
  FileView view(String path, HdfsLocatedFileStatus status) throws IOException {
    return view(path, status, status.getStoragePolicy());
  }

  /**
   * Whether the NameNode may hide the policy: asked by path it says "unspecified" of an erasure
   * coded file whose policy it does not apply, while the listing of the directory tells.
   */
  boolean isPolicyUncertain(HdfsLocatedFileStatus status) {
    return policyId == null
        && status.isEmptyLocalName()
        && status.getErasureCodingPolicy() != null
        && status.getStoragePolicy() == HdfsConstants.BLOCK_STORAGE_POLICY_ID_UNSPECIFIED;
  }

  /** The file with that policy, unless all files are taken to have another one. */
  FileView view(String path, HdfsLocatedFileStatus status, byte ownPolicy) throws IOException {
    ErasureCodingPolicy ec = status.getErasureCodingPolicy();
    LocatedBlocks located = status.getLocatedBlocks();
    LocatedBlock unfinished = unfinished(located);
    List<BlockView> blocks = new ArrayList<>();
    for (LocatedBlock block : blocksOf(located)) {
      connection.sawBlockPool(block.getBlock().getBlockPoolId());
      if (unfinished == null || block.getBlock().getBlockId() != id(unfinished)) {
        blocks.add(view(block, ec));
      }
    }
    boolean between = located != null && located.isUnderConstruction() && !blocks.isEmpty();
    boolean open = unfinished != null || between; // what is still to be written follows the policy
    return new FileView(
        path,
        status.getFileId(),
        connection
            .policies()
            .wantedTypes(policyId == null ? ownPolicy : policyId, status.getReplication(), ec),
        blocks,
        open);
  }

  private static List<LocatedBlock> blocksOf(LocatedBlocks located) {
    return located == null || located.getLocatedBlocks() == null
        ? Collections.emptyList()
        : located.getLocatedBlocks();
  }

  /** The last block when it is being written. */
  private static LocatedBlock unfinished(LocatedBlocks located) {
    boolean complete =
        located == null || !located.isUnderConstruction() || located.isLastBlockComplete();
    return complete ? null : located.getLastLocatedBlock();
  }

  /**
   * A replica on a DataNode that is out of service is left out where there is another one: the
   * NameNode counts on the others only, and never deletes that one as being in excess.
   */
  private static BlockView view(LocatedBlock block, ErasureCodingPolicy ec) {
    DatanodeInfo[] nodes = nodes(block);
    StorageType[] types = block.getStorageTypes();
    List<Replica> replicas = new ArrayList<>(nodes.length);
    List<Replica> outOfService = new ArrayList<>();
    Set<Long> inService = new HashSet<>();
    for (int i = 0; i < nodes.length; i++) {
      long blockId = id(block);
      long bytes = block.getBlockSize();
      if (block.isStriped()) {
        // Location i holds the internal block of blockIndices[i], which need not be i.
        int index = ((LocatedStripedBlock) block).getBlockIndices()[i];
        blockId += index;
        bytes = StripedBlockUtil.getInternalBlockLength(bytes, ec, index);
      }
      StorageType type = types == null || types[i] == null ? StorageType.DEFAULT : types[i];
      Replica replica = new Replica(nodes[i].getDatanodeUuid(), type.name(), blockId, bytes);
      if (LiveDataNodes.isInService(nodes[i])) {
        replicas.add(replica);
        inService.add(blockId);
      } else {
        outOfService.add(replica);
      }
    }
    outOfService.removeIf(replica -> inService.contains(replica.blockId()));
    replicas.addAll(outOfService);
    BlockView view =
        new BlockView(
            id(block),
            block.getBlock().getGenerationStamp(),
            block.getBlockSize(),
            replicas,
            block.isCorrupt());
    return block.isStriped() ? view.asGroupOf(internalBlocks(block.getBlockSize(), ec)) : view;
  }

  /** A group shorter than a stripe has no more data blocks than cells. */
  static int internalBlocks(long bytes, ErasureCodingPolicy ec) {
    long cells = (bytes + ec.getCellSize() - 1) / ec.getCellSize();
    return (int) Math.min(ec.getNumDataUnits(), cells) + ec.getNumParityUnits();
  }

  private static long id(LocatedBlock block) {
    return block.getBlock().getBlockId();
  }

  /** Where the replicas are. */
  static DatanodeInfo[] nodes(LocatedBlock block) {
    try {
      DatanodeInfo[] nodes = (DatanodeInfo[]) LOCATIONS.invokeExact(block);
      return nodes == null ? new DatanodeInfo[0] : nodes;
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("LocatedBlock.getLocations", e);
    }
  }

  private static MethodHandle locations() {
    try {
      return MethodHandles.publicLookup()
          .unreflect(LocatedBlock.class.getMethod("getLocations"))
          .asType(MethodType.methodType(DatanodeInfo[].class, LocatedBlock.class));
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("this Hadoop has no LocatedBlock.getLocations", e);
    }
  }
}
