package io.evenkeel.bench.gameday.history;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * An operation of the load: what the world is after it. Implementations are immutable.
 *
 * <p>Paths are absolute and without scheme.
 */
public sealed interface Operation {

  /** What a write asks for when its bytes are handed over. */
  enum Sync {
    /** Nothing: the bytes are acknowledged by the next flush or by the close. */
    BUFFERED,
    /** Readers see the bytes, and the DataNodes of the pipeline have them in memory. */
    HFLUSH,
    /** The same, and they are on disk. */
    HSYNC
  }

  /** The path whose acknowledgements this is one of. */
  String path();

  /**
   * All paths whose files it needs or changes.
   *
   * @param known every path that may have a file
   */
  default Collection<String> paths(Collection<String> known) {
    return List.of(path());
  }

  /**
   * The world after it; empty when it cannot succeed in this world.
   *
   * @param source what it may use as the source of bytes written later
   */
  Optional<World> done(World before, Source source);

  /** The worlds while it is in doubt. */
  default Set<World> doubtful(World before, Source source) {
    Set<World> worlds = new LinkedHashSet<>(List.of(before));
    done(before, source).ifPresent(worlds::add);
    return worlds;
  }

  /** Whether each file stays where it is with the bytes it has, so that a reader can go on. */
  default boolean leavesBytes() {
    return false;
  }

  /** Whether its success promises anything. */
  default boolean promises() {
    return true;
  }

  /** Creates a file, which must not exist; the policy is that of its directory. */
  record Create(String path, int replication, String policy, String erasureCoding)
      implements Operation {
    @Override
    public Optional<World> done(World before, Source source) {
      if (before.has(path)) {
        return Optional.empty();
      }
      Wanted wanted = Wanted.of(replication, policy, erasureCoding);
      return Optional.of(before.with(path, new FileState(Content.startingWith(source), 0, wanted)));
    }
  }

  /** Writes at the end of an open file. */
  record Write(String path, long bytes, Sync sync) implements Operation {
    @Override
    public Optional<World> done(World before, Source source) {
      return file(before, path)
          .map(file -> file.attempted(bytes))
          .map(file -> sync == Sync.BUFFERED ? file : file.allAcknowledged())
          .map(file -> before.with(path, file));
    }

    @Override
    public Set<World> doubtful(World before, Source source) {
      return file(before, path)
          .map(file -> Set.of(before.with(path, file.attempted(bytes))))
          .orElse(Set.of(before));
    }

    @Override
    public boolean leavesBytes() {
      return true;
    }

    @Override
    public boolean promises() {
      return sync != Sync.BUFFERED;
    }
  }

  /** Closes an open file: from then on all its bytes are acknowledged. */
  record Close(String path) implements Operation {
    @Override
    public Optional<World> done(World before, Source source) {
      return file(before, path).map(file -> before.with(path, file.allAcknowledged()));
    }

    @Override
    public Set<World> doubtful(World before, Source source) {
      return Set.of(before);
    }

    @Override
    public boolean leavesBytes() {
      return true;
    }
  }

  /** Opens a closed file for writes at its end. */
  record Append(String path) implements Operation {
    @Override
    public Optional<World> done(World before, Source source) {
      return file(before, path).map(file -> before);
    }

    @Override
    public boolean leavesBytes() {
      return true;
    }
  }

  /**
   * Cuts a closed file to a length, at most what it has for certain. In doubt, any length between
   * is possible: HDFS drops whole blocks at once and cuts the last one later.
   */
  record Truncate(String path, long length) implements Operation {
    @Override
    public Optional<World> done(World before, Source source) {
      return certain(before, path).map(file -> before.with(path, file.cut(length, source)));
    }

    @Override
    public Set<World> doubtful(World before, Source source) {
      return certain(before, path)
          .map(file -> Set.of(before.with(path, file.acknowledged(length))))
          .orElse(Set.of(before));
    }
  }

  /** Renames a file to a path that has none, below directories of the same storage policy. */
  record Rename(String path, String target) implements Operation {
    @Override
    public Collection<String> paths(Collection<String> known) {
      return List.of(path, target);
    }

    @Override
    public Optional<World> done(World before, Source source) {
      return file(before, path)
          .filter(file -> !before.has(target))
          .map(file -> before.without(path).with(target, file));
    }
  }

  /** Deletes a file. */
  record Delete(String path) implements Operation {
    @Override
    public Optional<World> done(World before, Source source) {
      return file(before, path).map(file -> before.without(path));
    }
  }

  /** Moves the bytes of closed files behind those of another; the files are gone then. */
  record Concat(String path, List<String> sources) implements Operation {
    /** Copies the sources. */
    public Concat {
      sources = List.copyOf(sources);
    }

    @Override
    public Collection<String> paths(Collection<String> known) {
      List<String> all = new ArrayList<>(sources);
      all.add(path);
      return all;
    }

    @Override
    public Optional<World> done(World before, Source source) {
      Optional<FileState> target = certain(before, path);
      if (target.isEmpty()) {
        return Optional.empty();
      }
      World after = before;
      Content content = target.get().content();
      Wanted wanted = target.get().wanted();
      for (String name : sources) {
        Optional<FileState> file = certain(before, name);
        if (file.isEmpty()) {
          return Optional.empty();
        }
        content = content.with(file.get().content());
        wanted = wanted.withBlocksOf(file.get().wanted());
        after = after.without(name);
      }
      return Optional.of(after.with(path, new FileState(content, content.length(), wanted)));
    }
  }

  /** Sets the replication factor. */
  record SetReplication(String path, int replication) implements Operation {
    @Override
    public Optional<World> done(World before, Source source) {
      return file(before, path)
          .map(file -> before.with(path, file.with(file.wanted().replication(replication))));
    }

    @Override
    public Set<World> doubtful(World before, Source source) {
      return eitherWanted(before, path, done(before, source));
    }

    @Override
    public boolean leavesBytes() {
      return true;
    }
  }

  /** Sets the storage policy of a file. */
  record SetStoragePolicy(String path, String policy) implements Operation {
    @Override
    public Optional<World> done(World before, Source source) {
      return file(before, path)
          .map(file -> before.with(path, file.with(file.wanted().policy(policy))));
    }

    @Override
    public Set<World> doubtful(World before, Source source) {
      return eitherWanted(before, path, done(before, source));
    }

    @Override
    public boolean leavesBytes() {
      return true;
    }
  }

  /** Takes a snapshot of a directory, none of whose files is open for writes. */
  record Snapshot(String path, String name) implements Operation {
    @Override
    public Collection<String> paths(Collection<String> known) {
      List<String> all = new ArrayList<>();
      for (String file : known) {
        if (file.startsWith(path + "/") && !file.startsWith(path + "/.snapshot/")) {
          all.add(file);
          all.add(below(name, file));
        }
      }
      return all;
    }

    private String below(String snapshot, String file) {
      return path + "/.snapshot/" + snapshot + file.substring(path.length());
    }

    @Override
    public Optional<World> done(World before, Source source) {
      World after = before;
      for (String file : paths(before.files().keySet())) {
        if (before.has(file)) {
          after = after.with(below(name, file), before.file(file));
        }
      }
      return Optional.of(after);
    }
  }

  /** Deletes a snapshot. */
  record DeleteSnapshot(String path, String name) implements Operation {
    @Override
    public Collection<String> paths(Collection<String> known) {
      String below = path + "/.snapshot/" + name + "/";
      return known.stream().filter(file -> file.startsWith(below)).toList();
    }

    @Override
    public Optional<World> done(World before, Source source) {
      World after = before;
      for (String file : paths(before.files().keySet())) {
        after = after.without(file);
      }
      return Optional.of(after);
    }
  }

  private static Optional<FileState> file(World world, String path) {
    return Optional.ofNullable(world.file(path));
  }

  private static Optional<FileState> certain(World world, String path) {
    Optional<FileState> file = file(world, path);
    if (file.isPresent() && !file.get().certain()) {
      throw new IllegalStateException("the length of " + path + " is in doubt");
    }
    return file;
  }

  private static Set<World> eitherWanted(World before, String path, Optional<World> after) {
    if (after.isEmpty()) {
      return Set.of(before);
    }
    FileState file = before.file(path);
    Wanted either = file.wanted().or(after.get().file(path).wanted());
    return Set.of(before.with(path, file.with(either)));
  }
}
