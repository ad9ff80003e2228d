package io.evenkeel.mover.engine;

import io.evenkeel.mover.core.plan.ClusterView;
import io.evenkeel.mover.core.plan.FileView;
import io.evenkeel.mover.core.plan.MovableRule;
import io.evenkeel.mover.core.task.NameNodeState;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The NameNode, as the mover needs it. Always the active NameNode, never an observer. Thread-safe.
 * Errors that another try may mend are retried inside (failover, safe mode of a few seconds).
 */
public interface Namespace {
  /** The same for all who mean this namespace, in this JVM at least. */
  String name();

  /**
   * The path of this namespace that somebody means.
   *
   * @throws IllegalArgumentException when it is not absolute, or of another file system
   */
  String pathOf(String given);

  /**
   * One page of a directory with located files, or the file itself: one call to the NameNode.
   *
   * <p>In a snapshot a file that still exists has the policy it has now, which the NameNode goes
   * by; that may take a call more for each {@link #FILES_AT_ONCE} files that are not right, and up
   * to four for one that is erasure coded.
   *
   * @param path absolute, without scheme; also under {@code /.reserved/.inodes} and {@code
   *     .snapshot}
   * @param startAfter the name of an entry, of the page before as {@link Page#next} says; null for
   *     the first page
   * @return null when there is no such path
   * @throws AccessDeniedException when the caller may not read it
   */
  Page list(String path, String startAfter) throws IOException;

  /**
   * The present state of some files by inode id or path, in as few calls as the release allows.
   *
   * @param paths absolute paths, none of a directory; at most {@link #FILES_AT_ONCE}
   * @return one entry each, null for one that is not there (any more) or is no file
   */
  List<FileView> files(List<String> paths) throws IOException;

  /** Whether there is something at a path. One call to the NameNode. */
  boolean exists(String path) throws IOException;

  /** Most files of one {@link #files} call. */
  int FILES_AT_ONCE = 100;

  /** How many files {@link #files} reads with one call to the NameNode; at least 1. */
  int filesOfOneCall();

  /** The live DataNodes now: one call to the NameNode, two where slow ones are reported. */
  ClusterView cluster() throws IOException;

  /** The placement policy for the DataNodes of the last {@link #cluster}. */
  MovableRule movableRule();

  /**
   * Why nothing may be moved now, one line; null when it may. Known from the last seconds, so that
   * it may be asked before each move; a call that fails changes nothing.
   */
  String refusal();

  /** The same namespace with every file's policy taken to be {@code policy}; for dry runs. */
  Namespace withPolicy(String policy) throws IOException;

  /** Why the NameNode may not show or not delete replicas now. One call or two. */
  NameNodeState nameNode() throws IOException;

  /**
   * Paths that match a pattern; empty when none does.
   *
   * @throws IllegalArgumentException when it is no pattern
   * @throws AccessDeniedException when the caller may not look
   */
  List<String> glob(String pattern) throws IOException;

  /** Snapshot roots ({@code /dir/.snapshot/name}) of snapshottable directories at or below it. */
  List<String> snapshotRoots(String directory) throws IOException;

  /** Whether a path leads into a snapshot. */
  static boolean isInSnapshot(String path) {
    return path.contains("/.snapshot/");
  }

  /** One page of a listing. Immutable. */
  final class Page {
    private final List<FileView> files;
    private final Map<String, Long> directories;
    private final String next;

    /**
     * Creates it.
     *
     * @param directories paths of the directories in it, each with its inode id or 0 when that is
     *     not known
     * @param next name after which the following page starts, null when this is the last
     */
    public Page(List<FileView> files, Map<String, Long> directories, String next) {
      this.files = Collections.unmodifiableList(new ArrayList<>(files));
      this.directories = Collections.unmodifiableMap(new LinkedHashMap<>(directories));
      this.next = next;
    }

    /** Files in the order of the listing; when the path is a file, that one. */
    public List<FileView> files() {
      return files;
    }

    /** Whether the path it was asked for is a file. */
    boolean isOfFile(String path) {
      return files.size() == 1 && files.get(0).path().equals(path);
    }

    /**
     * Paths of the directories in it, in the order of the listing, and their inode ids, which a
     * rename does not change; 0 for one that is not known.
     */
    public Map<String, Long> directories() {
      return directories;
    }

    /** Name after which the following page starts, null when this is the last. */
    public String next() {
      return next;
    }
  }
}
