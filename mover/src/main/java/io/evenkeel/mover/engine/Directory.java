package io.evenkeel.mover.engine;

import java.util.Objects;

/** A directory of a listing. Immutable. */
public final class Directory {
  private final String path;
  private final long inodeId;

  /**
   * Creates it.
   *
   * @param inodeId 0 when it is not known
   */
  public Directory(String path, long inodeId) {
    this.path = Objects.requireNonNull(path);
    this.inodeId = inodeId;
  }

  /** Its full path when it was listed. */
  public String path() {
    return path;
  }

  /** Id of its inode, which a rename does not change; 0 when it is not known. */
  public long inodeId() {
    return inodeId;
  }

  @Override
  public String toString() {
    return path + " inode " + inodeId;
  }
}
