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

  /** Whether no move can mend a block; false where it is not known what the policy asks for. */
  public boolean isRight() {
    return layout.isKnown()
        && blocks.stream()
            .allMatch(b -> new BlockCase(b, layout, Exclusions.NONE).difference().wrong() == 0);
  }

  /** The same file under what another policy asks for. */
  public FileView under(Layout other) {
    return new FileView(path, inodeId, other, blocks, open);
  }
}
