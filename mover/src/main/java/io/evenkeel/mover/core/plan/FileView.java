package io.evenkeel.mover.core.plan;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;

/** A file as the NameNode says, with its complete blocks. Immutable. */
public final class FileView {
  private final String path;
  private final long inodeId;
  private final Layout layout;
  private final List<BlockView> blocks;
  private final boolean open;

  /**
   * Creates it.
   *
   * @param path without scheme and authority
   * @param layout what its policy asks for
   * @param blocks the complete ones, in the order of the file
   * @param open whether a last block is being written
   */
  public FileView(String path, long inodeId, Layout layout, List<BlockView> blocks, boolean open) {
    this.path = Objects.requireNonNull(path);
    this.inodeId = inodeId;
    this.layout = Objects.requireNonNull(layout);
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
  public Layout layout() {
    return layout;
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
    return layout.isKnown() && blocks.stream().allMatch(this::isRight);
  }

  private boolean isRight(BlockView block) {
    return !layout.hasExcess(block)
        && BlockCase.of(block, layout, Exclusions.NONE).difference().wrong() == 0;
  }

  /**
   * A file of a snapshot by the policy the file has now. It keeps as many replicas as either asks
   * for, as in the NameNode.
   *
   * @param now what is asked for the file
   */
  public FileView under(Layout now) {
    return new FileView(path, inodeId, now.atLeast(layout.replication()), blocks, open);
  }
}
