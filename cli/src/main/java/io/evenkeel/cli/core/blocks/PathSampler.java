package io.evenkeel.cli.core.blocks;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Draws paths of a file system, each as likely as it has many files. It goes down from the root, at
 * every directory to one below it at random by the number of files, until what is left is small
 * enough to be read whole. What it was told it remembers. Not thread-safe.
 */
public final class PathSampler {
  /** Of more directories in one it weighs only so many, at random anew for every draw. */
  private static final int MOST_WEIGHED = 50;

  private static final int MOST_LEVELS = 1000; // a path has at most 1000 parts

  /** What is asked about a file system. */
  public interface Tree {
    /** How many files and directories are below a directory, itself included; 0 when it is gone. */
    Size size(String directory);

    /** What is directly in a directory. */
    Level level(String directory);
  }

  /** Files and directories below a path. Immutable. */
  public static final class Size {
    private final long files;
    private final long directories;

    /** Creates it. */
    public Size(long files, long directories) {
      this.files = files;
      this.directories = directories;
    }
  }

  /** What is directly in a directory. Immutable. */
  public static final class Level {
    private final long files;
    private final List<String> directories;

    /** Creates it with the names of the directories. */
    public Level(long files, List<String> directories) {
      this.files = files;
      this.directories = Collections.unmodifiableList(new ArrayList<>(directories));
    }
  }

  /** A path that was drawn. Immutable. */
  public static final class Piece {
    private final String path;
    private final boolean whole;
    private final long files;

    Piece(String path, boolean whole, long files) {
      this.path = path;
      this.whole = whole;
      this.files = files;
    }

    /** A directory. */
    public String path() {
      return path;
    }

    /** Whether all below it is meant, or some of the files directly in it. */
    public boolean isWhole() {
      return whole;
    }

    /** Number of those files. */
    public long files() {
      return files;
    }
  }

  private final Tree tree;
  private final long most;
  private final SplittableRandom random;
  private final Map<String, Size> sizes = new HashMap<>();
  private final Map<String, Level> levels = new HashMap<>();

  /**
   * Creates it.
   *
   * @param most a directory with no more files below it is read whole, at least 1
   */
  public PathSampler(Tree tree, long most, SplittableRandom random) {
    this.tree = tree;
    this.most = most;
    this.random = random;
  }

  /** A path with files; null when there is none, or it went while it was looked for. */
  public Piece draw() {
    String path = "/";
    for (int depth = 0; depth < MOST_LEVELS && path != null; depth++) {
      if (depth > 0) {
        Size size = size(path);
        if (size.files <= most) {
          return size.files == 0 ? null : new Piece(path, true, size.files);
        }
        if (size.directories == 1) {
          return new Piece(path, false, size.files);
        }
      }
      Level level = levels.computeIfAbsent(path, tree::level);
      String next = below(path, level);
      if (path.equals(next)) {
        return new Piece(path, false, level.files);
      }
      path = next;
    }
    return null;
  }

  /** One of the directories in it, or itself for the files directly in it; null when empty. */
  private String below(String path, Level level) {
    List<String> weighed = some(level.directories);
    double scale = weighed.isEmpty() ? 0 : (double) level.directories.size() / weighed.size();
    double all = level.files;
    for (String name : weighed) {
      all += scale * size(join(path, name)).files;
    }
    double at = random.nextDouble() * all - level.files;
    if (all == 0 || at < 0) {
      return all == 0 ? null : path;
    }
    String last = null;
    for (String name : weighed) {
      double files = scale * size(join(path, name)).files;
      last = files > 0 ? join(path, name) : last;
      if (at < files) {
        return last;
      }
      at -= files;
    }
    return last;
  }

  private List<String> some(List<String> names) {
    if (names.size() <= MOST_WEIGHED) {
      return names;
    }
    List<String> left = new ArrayList<>(names);
    for (int i = 0; i < MOST_WEIGHED; i++) {
      Collections.swap(left, i, i + random.nextInt(left.size() - i));
    }
    return left.subList(0, MOST_WEIGHED);
  }

  private Size size(String path) {
    return sizes.computeIfAbsent(path, tree::size);
  }

  /** The path of what is directly in a directory. */
  public static String join(String directory, String name) {
    return directory.endsWith("/") ? directory + name : directory + "/" + name;
  }
}
