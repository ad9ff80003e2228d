package io.evenkeel.mover.core.plan;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;

/** A file as the NameNode says, with its complete blocks. Immutable. */
public final class FileView {
  private final String path;
  private final long inodeId;
  private final WantedTypes wantedTypes;
  private final List<BlockView> blocks;
  private final boolean open;

  /**
   * Creates it.
   *
   * @param path without scheme and authority
   * @param wantedTypes what its policy asks for
   * @param blocks the complete ones, in the order of the file
   * @param open whether a last block is being written
   */
  public FileView(
      String path, long inodeId, WantedTypes wantedTypes, List<BlockView> blocks, boolean open) {
    this.path = Objects.requireNonNull(path);
    this.inodeId = inodeId;
    this.wantedTypes = Objects.requireNonNull(wantedTypes);
    this.blocks = Collections.unmodifiableList(new ArrayList<>(blocks));
    this.open = open;
  }

  /** Its path. */
  public String path() {
    return path;
  }

  /** Its inode id. */
  public long inodeId() {
    return inodeId;
  }

  /** What its policy asks for. */
  public WantedTypes wantedTypes() {
    return wantedTypes;
  }

  /** Its complete blocks. */
  public List<BlockView> blocks() {
    return blocks;
  }

  /** Whether a last block is being written. */
  public boolean isOpen() {
    return open;
  }

  /**
   * Whether no replica is on a type that is not asked for, and none is in excess; false where it is
   * not known what the policy asks for.
   */
  public boolean isRight() {
    return wantedTypes.isKnown() && blocks.stream().allMatch(this::isRight);
  }

  private boolean isRight(BlockView block) {
    return !wantedTypes.hasExcess(block)
        && BlockCase.of(block, wantedTypes, Exclusions.NONE).difference.wrong() == 0;
  }

  /**
   * A file of a snapshot by the policy the file has now. It keeps as many replicas as either asks
   * for, as in the NameNode.
   *
   * @param now what is asked for the file
   */
  public FileView under(WantedTypes now) {
    return new FileView(path, inodeId, now.atLeast(wantedTypes.replication()), blocks, open);
  }
}
