package io.evenkeel.bench.gameday.history;

import java.util.HashMap;
import java.util.Map;

/**
 * One way in which everything may be: the files of some paths, each doubtful operation decided.
 * Immutable.
 *
 * @param files by path; a path without one has no file
 */
record World(Map<String, FileState> files) {
  static final World EMPTY = new World(Map.of());

  World {
    files = Map.copyOf(files);
  }

  /** The file of a path; null when there is none. */
  FileState file(String path) {
    return files.get(path);
  }

  boolean has(String path) {
    return files.containsKey(path);
  }

  World with(String path, FileState file) {
    Map<String, FileState> changed = new HashMap<>(files);
    changed.put(path, file);
    return new World(changed);
  }

  World without(String path) {
    Map<String, FileState> changed = new HashMap<>(files);
    changed.remove(path);
    return new World(changed);
  }

  /** Both; they have no path in common. */
  World and(World other) {
    Map<String, FileState> all = new HashMap<>(files);
    all.putAll(other.files);
    return new World(all);
  }
}
