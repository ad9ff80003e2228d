package io.evenkeel.mover.request;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;

/**
 * What to move and how. Paths are absolute, with or without {@code hdfs://authority}; a directory
 * means its whole tree; {@code /.reserved/.inodes/N} names a file by its inode id. Immutable,
 * except that a request made of an iterator can be used once.
 */
public final class MoveRequest {
  private final Iterable<String> paths;
  private final Iterable<String> globs;
  private final String policyOverride;
  private final int priority;
  private final Duration delay;
  private final Duration deadline;
  private final long bytesPerSecond;
  private final boolean dryRun;
  private final boolean snapshots;
  private final boolean filesOnly;
  private final boolean paced;
  private final String after;
  private final MoveListener listener;

  private MoveRequest(Builder b) {
    this.paths = b.iterator == null ? new ArrayList<>(b.paths) : b.iterator;
    this.globs = new ArrayList<>(b.globs);
    this.policyOverride = b.policyOverride;
    this.priority = b.priority;
    this.delay = b.delay;
    this.deadline = b.deadline;
    this.bytesPerSecond = b.bytesPerSecond;
    this.dryRun = b.dryRun;
    this.snapshots = b.snapshots;
    this.filesOnly = b.filesOnly;
    this.paced = b.paced;
    this.after = b.after;
    this.listener = b.listener;
  }

  /** A request for some files or directory trees. */
  public static Builder of(String... paths) {
    return new Builder().paths(Arrays.asList(paths));
  }

  /** The path that names an inode, whatever it is called now. */
  public static String inode(long id) {
    return "/.reserved/.inodes/" + id;
  }

  /** Files and directories. */
  public Iterable<String> paths() {
    return paths;
  }

  /** Patterns as {@code FileSystem.globStatus} understands them. */
  public Iterable<String> globs() {
    return globs;
  }

  /** Policy to plan for instead of the file's own, null for the file's own; dry runs only. */
  public String policyOverride() {
    return policyOverride;
  }

  /** Higher comes first; 0 is usual. */
  public int priority() {
    return priority;
  }

  /** How long to wait before anything is done. */
  public Duration delay() {
    return delay;
  }

  /** After this time, counted from the submission, nothing more is started; null for never. */
  public Duration deadline() {
    return deadline;
  }

  /** Most bytes a second of this request, local and remote moves together; 0 for no limit. */
  public long bytesPerSecond() {
    return bytesPerSecond;
  }

  /** Whether to tell only what would be moved. */
  public boolean isDryRun() {
    return dryRun;
  }

  /**
   * Whether to go also through the snapshots of snapshottable directories at, below and above the
   * paths.
   */
  public boolean includesSnapshots() {
    return snapshots;
  }

  /** Whether directories are left out. */
  public boolean isFilesOnly() {
    return filesOnly;
  }

  /** Whether it counts towards the mover's limits in replicas and in listings a second. */
  public boolean isPaced() {
    return paced;
  }

  /** Where to begin in the tree; null for its beginning. */
  public String after() {
    return after;
  }

  /** Who is told about progress. */
  public MoveListener listener() {
    return listener;
  }

  /** Collects the parts of a request. Not thread-safe. */
  public static final class Builder {
    private final List<String> paths = new ArrayList<>();
    private final List<String> globs = new ArrayList<>();
    private Iterable<String> iterator;
    private String policyOverride;
    private int priority;
    private Duration delay = Duration.ZERO;
    private Duration deadline;
    private long bytesPerSecond;
    private boolean dryRun;
    private boolean snapshots;
    private boolean filesOnly;
    private boolean paced;
    private String after;
    private MoveListener listener = MoveListener.NONE;

    private Builder() {}

    /** Adds files or directories. */
    public Builder paths(List<String> more) {
      paths.addAll(more);
      return this;
    }

    /** Takes paths one by one as they are worked on, for lists that should not be in memory. */
    public Builder stream(Iterator<String> lazily) {
      Objects.requireNonNull(lazily);
      iterator = () -> lazily;
      return this;
    }

    /** Adds patterns. */
    public Builder globs(String... patterns) {
      Collections.addAll(globs, patterns);
      return this;
    }

    /** Plans for this policy instead of the file's own; only with {@link #dryRun}. */
    public Builder policyOverride(String name) {
      policyOverride = name;
      return this;
    }

    /** Higher comes first. */
    public Builder priority(int value) {
      priority = value;
      return this;
    }

    /** Waits before anything is done. */
    public Builder delay(Duration value) {
      delay = Objects.requireNonNull(value);
      return this;
    }

    /** Starts nothing more after this time. */
    public Builder deadline(Duration value) {
      deadline = value;
      return this;
    }

    /** Limits the bytes a second; 0 for no limit. */
    public Builder bytesPerSecond(long value) {
      bytesPerSecond = value;
      return this;
    }

    /** Tells only what would be moved. */
    public Builder dryRun(boolean value) {
      dryRun = value;
      return this;
    }

    /** Goes also through snapshots. */
    public Builder snapshots(boolean value) {
      snapshots = value;
      return this;
    }

    /**
     * Leaves directories out instead of walking them, and tells {@link MoveListener#leftOut} of
     * them: a large tree then does not come between files.
     */
    public Builder filesOnly(boolean value) {
      filesOnly = value;
      return this;
    }

    /**
     * Has its moves count towards {@code evenkeel.mover.follow.replicas-per-second}, and the
     * listings of its directories towards {@code listings-per-second}, as those that the daemon
     * makes by itself.
     */
    public Builder paced(boolean value) {
      paced = value;
      return this;
    }

    /**
     * Begins where {@link MoveListener#readUpTo} was; what comes before is left out. Of a single
     * path; null for its beginning.
     */
    public Builder after(String position) {
      after = position;
      return this;
    }

    /** Who is told about progress. */
    public Builder listener(MoveListener value) {
      listener = Objects.requireNonNull(value);
      return this;
    }

    /**
     * The request.
     *
     * @throws IllegalArgumentException when parts contradict each other or there is nothing to move
     */
    public MoveRequest build() {
      check(iterator != null || !paths.isEmpty() || !globs.isEmpty(), "no path is given");
      check(iterator == null || paths.isEmpty(), "either paths or a stream of paths");
      check(
          policyOverride == null || dryRun,
          "a policy override is for dry runs: without the policy set on the path the NameNode would"
              + " delete the moved replica first");
      check(!filesOnly || globs.isEmpty() && !snapshots, "only files, and patterns or snapshots");
      check(after == null || paths.size() == 1 && globs.isEmpty(), "a position, and several paths");
      check(!delay.isNegative(), "the delay is negative");
      check(deadline == null || !deadline.isNegative(), "the deadline is negative");
      check(bytesPerSecond >= 0, "bytes per second is negative");
      return new MoveRequest(this);
    }

    private static void check(boolean holds, String problem) {
      if (!holds) {
        throw new IllegalArgumentException(problem);
      }
    }
  }
}
