package io.evenkeel.mover.core.follow;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** The directories that are followed, and which events below them are requests. Immutable. */
public final class Prefixes {
  private final List<String> roots;
  private final String own;

  private Prefixes(List<String> roots, String own) {
    this.roots = roots;
    this.own = own;
  }

  /**
   * Reads a comma separated list; directories inside others are dropped.
   *
   * @param own a directory nothing is requested for, though it may lie below a prefix
   * @throws IllegalArgumentException naming an entry that is not an absolute directory or lies in
   *     {@code own}; also for an empty list
   */
  public static Prefixes parse(String text, String own) {
    TreeSet<String> sorted = new TreeSet<>();
    for (String part : text.split(",", -1)) {
      String entry = part.trim();
      if (!entry.isEmpty()) {
        String path = checked(entry);
        if (isWithin(path, own)) {
          throw new IllegalArgumentException(
              "'" + entry + "' is in " + own + ", where the daemon keeps its own files");
        }
        sorted.add(path);
      }
    }
    if (sorted.isEmpty()) {
      throw new IllegalArgumentException("no directory is given");
    }
    List<String> roots = new ArrayList<>();
    for (String candidate : sorted) {
      if (roots.stream().noneMatch(root -> isWithin(candidate, root))) {
        roots.add(candidate);
      }
    }
    return new Prefixes(Collections.unmodifiableList(roots), own);
  }

  private static String checked(String entry) {
    boolean slash = entry.length() > 1 && entry.endsWith("/");
    String path = slash ? entry.substring(0, entry.length() - 1) : entry;
    boolean odd = entry.contains("//") || path.contains("/./") || path.contains("/../");
    if (!path.startsWith("/") || odd || path.endsWith("/.") || path.endsWith("/..")) {
      throw new IllegalArgumentException("'" + entry + "' is not an absolute directory");
    }
    if (path.contains("*")) {
      throw new IllegalArgumentException(
          "'" + entry + "' is a pattern; name the directory above, or each one");
    }
    if (isWithin(path, "/.reserved") || (path + "/").contains("/.snapshot/")) {
      throw new IllegalArgumentException("there are no events of '" + entry + "'");
    }
    return path;
  }

  /** Whether a path is a directory or below it. */
  public static boolean isWithin(String path, String directory) {
    return directory.equals("/") || path.equals(directory) || path.startsWith(directory + "/");
  }

  /** The directories, none inside another. */
  public List<String> roots() {
    return roots;
  }

  /** Whether events of this path are looked at. */
  public boolean covers(String path) {
    return !isOwn(path) && roots.stream().anyMatch(root -> isWithin(path, root));
  }

  /**
   * The directory that is followed and a path is in.
   *
   * @throws java.util.NoSuchElementException for a path that is not {@link #covers covered}
   */
  public String rootOf(String path) {
    return roots.stream().filter(root -> isWithin(path, root)).findFirst().get();
  }

  /** Whether a path is in our own directory, where files are open as long as a daemon is active. */
  boolean isOwn(String path) {
    return isWithin(path, own);
  }

  /**
   * The paths to move because of a rename: the new path, whose whole tree has another policy now;
   * or the prefixes below it, when a directory above them was renamed into place. None in a trash,
   * where it is deleted soon.
   *
   * @param path the new one
   */
  public List<String> requests(String path) {
    if ((path + "/").contains("/.Trash/") || isOwn(path)) {
      return Collections.emptyList();
    }
    return covers(path)
        ? Collections.singletonList(path)
        : roots.stream().filter(root -> isWithin(root, path)).collect(Collectors.toList());
  }

  @Override
  public String toString() {
    return String.join(",", roots);
  }
}
