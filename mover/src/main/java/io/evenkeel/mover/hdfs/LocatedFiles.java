package io.evenkeel.mover.hdfs;

import io.evenkeel.mover.core.plan.BlockView;
import io.evenkeel.mover.core.plan.FileView;
import io.evenkeel.mover.core.plan.Replica;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DirectoryListing;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;
import org.apache.hadoop.hdfs.server.namenode.ErasureCodingPolicyManager;
import org.apache.hadoop.hdfs.util.StripedBlockUtil;

/**
 * Files with their blocks and what their policies ask for, of what the NameNode answers.
 * Thread-safe.
 */
final class LocatedFiles {
  /** Its return type is another one since 3.3. */
  private static final ByReflection LOCATIONS =
      ByReflection.method(LocatedBlock.class, "getLocations");

  /** A file by its inode id; the NameNode takes {@code ..} after it for its directory. */
  private static final Pattern INODE = Pattern.compile("/\\.reserved/\\.inodes/[0-9]+");

  /** Of a directory, in which a file is looked for by its inode id. */
  private static final int PAGES = 3;

  private final HdfsConnection connection;
  private final Byte policyId;

  /**
   * Creates it.
   *
   * @param policyId policy to take every file to have, null for its own
   */
  LocatedFiles(HdfsConnection connection, Byte policyId) {
    this.connection = connection;
    this.policyId = policyId;
  }

  /** The file with what the NameNode says is its policy. */
  FileView view(String path, HdfsLocatedFileStatus status) throws IOException {
    return view(path, status, status.getStoragePolicy());
  }

  /**
   * The same with the policy that the NameNode hides: asked by path it says "unspecified" of an
   * erasure coded file whose policy it does not apply, while the listing of the directory tells. By
   * up to four calls more; what it says where the policy stays unknown.
   *
   * @param path as the file was asked for
   */
  FileView viewWithHiddenPolicy(String path, HdfsLocatedFileStatus status) throws IOException {
    boolean hidden =
        policyId == null
            && status.isEmptyLocalName()
            && status.getErasureCodingPolicy() != null
            && status.getStoragePolicy() == HdfsConstants.BLOCK_STORAGE_POLICY_ID_UNSPECIFIED;
    return view(path, status, hidden ? hiddenPolicy(path, status) : status.getStoragePolicy());
  }

  private byte hiddenPolicy(String path, HdfsFileStatus file) throws IOException {
    if (INODE.matcher(path).matches()) {
      return hiddenPolicyByInode(path + "/..", file);
    }
    // A prefix sorts before the name in any order of bytes. Where more than a page of names lies
    // between the two the policy stays unknown.
    byte[] name = new Path(path).getName().getBytes(StandardCharsets.UTF_8);
    byte[] start = Arrays.copyOf(name, name.length - 1);
    String parent = new Path(path).getParent().toString();
    DirectoryListing page = connection.list(parent, start, false);
    for (HdfsFileStatus one : HdfsConnection.entries(page)) {
      if (Arrays.equals(one.getLocalNameInBytes(), name)) {
        return one.getStoragePolicy();
      }
    }
    return file.getStoragePolicy();
  }

  /**
   * The directory's policy when HDFS does not apply that one to striped files: any other would have
   * been told. Else the file may have one of its own, for which a few pages of the directory are
   * looked at; beyond them it stays unknown.
   */
  private byte hiddenPolicyByInode(String directory, HdfsFileStatus file) throws IOException {
    byte inherited = policyOf(directory, file.getStoragePolicy());
    if (!ErasureCodingPolicyManager.checkStoragePolicySuitableForECStripedMode(inherited)) {
      return inherited;
    }
    byte[] start = HdfsFileStatus.EMPTY_NAME;
    for (int i = 0; i < PAGES; i++) {
      DirectoryListing page = connection.list(directory, start, false);
      for (HdfsFileStatus one : HdfsConnection.entries(page)) {
        if (one.getFileId() == file.getFileId()) {
          return one.getStoragePolicy();
        }
      }
      if (page == null || !page.hasMore()) {
        break;
      }
      start = page.getLastName();
    }
    return file.getStoragePolicy();
  }

  private byte policyOf(String directory, byte unknown) throws IOException {
    try {
      return connection
          .call(
              "getStoragePolicy " + directory,
              () -> connection.client().getStoragePolicy(directory))
          .getId();
    } catch (IOException e) {
      if (HdfsErrors.isMissing(e, directory)) {
        return unknown;
      }
      throw e;
    }
  }

  /** The file with that policy, unless all files are taken to have another one. */
  private FileView view(String path, HdfsLocatedFileStatus status, byte ownPolicy)
      throws IOException {
    ErasureCodingPolicy ec = status.getErasureCodingPolicy();
    LocatedBlocks located = status.getLocatedBlocks();
    LocatedBlock unfinished = unfinished(located);
    List<BlockView> blocks = new ArrayList<>();
    for (LocatedBlock block : located.getLocatedBlocks()) {
      connection.sawBlockPool(block.getBlock().getBlockPoolId());
      if (unfinished == null || block.getBlock().getBlockId() != id(unfinished)) {
        blocks.add(view(block, ec));
      }
    }
    boolean between = located.isUnderConstruction() && !blocks.isEmpty();
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

  /** The last block when it is being written. */
  private static LocatedBlock unfinished(LocatedBlocks located) {
    boolean complete = !located.isUnderConstruction() || located.isLastBlockComplete();
    return complete ? null : located.getLastLocatedBlock();
  }

  /**
   * A replica on a DataNode that is out of service is left out where there is another one: the
   * NameNode counts on the others only, and never deletes that one as being in excess.
   */
  private static BlockView view(LocatedBlock block, ErasureCodingPolicy ec) throws IOException {
    DatanodeInfo[] nodes = (DatanodeInfo[]) LOCATIONS.call(block);
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
      Replica replica = new Replica(nodes[i].getDatanodeUuid(), types[i].name(), blockId, bytes);
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
}
