package io.evenkeel.mover.request;

/**
 * Told about the progress of one request. Called from the mover's threads, never from two at once
 * for one request; should be quick, an exception is logged and ignored.
 */
public interface MoveListener {
  /** A listener that ignores everything. */
  MoveListener NONE = new MoveListener() {};

  /** A file was found; {@code replicas} of it with {@code bytes} bytes are to be moved, or none. */
  default void filePlanned(String path, long replicas, long bytes) {}

  /** A replica was moved, as its DataNode says; the NameNode may not know it yet. */
  default void replicaMoved(String path, boolean local, long bytes) {}

  /**
   * Of a request for {@link MoveRequest#isFilesOnly files only}: this path is a directory, and left
   * out.
   */
  default void leftOut(String path) {}

  /**
   * All that comes before this place has been read, and nothing more happens to it; see {@link
   * MoveRequest.Builder#after}. Files there may be told about once more.
   */
  default void readUpTo(String position) {}

  /** Nothing more happens to this file. */
  default void fileDone(FileReport file) {}
}
