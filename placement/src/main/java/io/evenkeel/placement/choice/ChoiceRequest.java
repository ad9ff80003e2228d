package io.evenkeel.placement.choice;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.hdfs.AddBlockFlag;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.net.Node;

/**
 * What the NameNode asked a placement policy for, kept so that another can be asked the same. What
 * the first may change is copied. Fill in and hand over; not to be changed afterwards.
 */
public final class ChoiceRequest {
  private final String src;
  private final int replicas;
  private final Node writer;
  private final long blockSize;
  private final BlockStoragePolicy storagePolicy;
  private List<DatanodeStorageInfo> chosen = Collections.emptyList();
  private Set<Node> excluded = Collections.emptySet();
  private List<DatanodeDescriptor> favored = Collections.emptyList();
  private EnumSet<AddBlockFlag> flags;

  /**
   * A request for so many replicas or units more.
   *
   * @param writer may be null
   */
  public ChoiceRequest(
      String src, int replicas, Node writer, long blockSize, BlockStoragePolicy storagePolicy) {
    this.src = src;
    this.replicas = replicas;
    this.writer = writer;
    this.blockSize = blockSize;
    this.storagePolicy = storagePolicy;
  }

  /** Where the block is already, and what must not be used; either may be null. */
  public ChoiceRequest beside(List<DatanodeStorageInfo> storages, Set<Node> notThese) {
    chosen = storages == null ? chosen : new ArrayList<>(storages);
    excluded = notThese == null ? excluded : new HashSet<>(notThese);
    return this;
  }

  /** The DataNodes the client would like best; may be null. */
  public ChoiceRequest favoring(List<DatanodeDescriptor> nodes) {
    favored = nodes == null ? favored : new ArrayList<>(nodes);
    return this;
  }

  /** What else the client wants; may be null. */
  public ChoiceRequest flags(EnumSet<AddBlockFlag> wishes) {
    flags = wishes == null ? null : EnumSet.copyOf(wishes);
    return this;
  }

  /** Path of the file. */
  public String src() {
    return src;
  }

  /** Replicas or units wanted besides {@link #chosen}. */
  public int replicas() {
    return replicas;
  }

  /** Who writes; may be null. */
  public Node writer() {
    return writer;
  }

  /** Bytes a storage must have room for. */
  public long blockSize() {
    return blockSize;
  }

  /** Storage policy of the file. */
  public BlockStoragePolicy storagePolicy() {
    return storagePolicy;
  }

  /** Where the block is already; a copy. */
  public List<DatanodeStorageInfo> chosen() {
    return new ArrayList<>(chosen);
  }

  /** What must not be used; a copy. */
  public Set<Node> excluded() {
    return new HashSet<>(excluded);
  }

  /** The DataNodes the client would like best; empty for none. */
  public List<DatanodeDescriptor> favored() {
    return favored;
  }

  /** What else the client wants; may be null. */
  public EnumSet<AddBlockFlag> flags() {
    return flags;
  }
}
