package io.evenkeel.bench.gameday.history;

import io.evenkeel.bench.gameday.history.Operation.Concat;
import io.evenkeel.bench.gameday.history.Operation.Rename;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * What the load did: each operation acknowledged, in doubt or in progress. From it follow the
 * worlds that may be, and what a read shows has to be so in one of them. Thread-safe.
 *
 * <p>An operation in progress, or one that ended with an error, may have happened or not. Paths
 * that a doubtful operation ties together (a rename: the file is here or there) are judged
 * together: what is seen of one decides what has to be seen of the other. At most one operation
 * that concerns a path is in progress at a time.
 */
public final class History {
  private final Timeline timeline;

  // Everything below is guarded by this.
  private final Map<String, Group> groups = new HashMap<>();
  private final Map<String, Integer> generations = new HashMap<>();

  /** How often each path got other bytes, another file or none; its keys are all paths ever. */
  private final Map<String, Long> changes = new HashMap<>();

  private boolean ended;
  private final List<Pending> log = new ArrayList<>();
  private final Set<Pending> inProgress = new LinkedHashSet<>();
  private final Map<String, Finding> findings = new LinkedHashMap<>();

  /** Paths that doubtful operations tie together, and the worlds that may be. */
  private static final class Group {
    final Set<String> paths;
    final Set<World> worlds;

    /** The operation in progress; null when there is none. */
    Pending pending;

    Group(Set<String> paths, Set<World> worlds) {
      this.paths = paths;
      this.worlds = worlds;
    }

    void replace(Collection<World> others) {
      List<World> copy = List.copyOf(others);
      worlds.clear();
      worlds.addAll(copy);
    }

    /** Everything that the file of a path may be, without that there is none. */
    List<FileState> files(String path) {
      return worlds.stream().filter(w -> w.has(path)).map(w -> w.file(path)).distinct().toList();
    }
  }

  /** An operation that has begun. Its thread says once how it ended. */
  public final class Pending {
    private final long number;
    private final String writer;
    private final Operation operation;
    private final Collection<String> paths;
    private final Source source;

    // Guarded by the history; the last two are dropped when it ends.
    private String outcome = "in progress";
    private Group group;
    private List<World> before;

    private Pending(
        String writer, Operation operation, Collection<String> paths, Source source, Group group) {
      this.number = log.size() + 1L;
      this.writer = writer;
      this.operation = operation;
      this.paths = List.copyOf(paths);
      this.source = source;
      this.group = group;
      this.before = List.copyOf(group.worlds);
    }

    /** HDFS says that it is done. */
    public void acknowledged() {
      acknowledge(this);
    }

    /** It ended with an error, or nobody knows how. */
    public void inDoubt() {
      doubt(this);
    }

    /** The paths it concerns: those to look at when it is in doubt. */
    public Collection<String> paths() {
      return paths;
    }

    @Override
    public String toString() {
      return number + " " + writer + " " + operation + ": " + outcome;
    }
  }

  /**
   * An empty history.
   *
   * @param timeline gets each acknowledgement
   */
  public History(Timeline timeline) {
    this.timeline = timeline;
  }

  /**
   * An operation is about to be asked for.
   *
   * @throws IllegalStateException when another one is in progress on the same paths, or the round
   *     is over
   */
  public synchronized Pending begin(String writer, Operation operation) {
    if (ended) {
      throw new IllegalStateException("the round is over");
    }
    Collection<String> paths = operation.paths(groups.keySet());
    Group group = merged(paths);
    Source source = new Source(operation.path(), 0);
    if (!operation.leavesBytes()) {
      source = nextSource(operation.path());
      paths.forEach(path -> changes.merge(path, 1L, Long::sum));
    }
    Pending pending = new Pending(writer, operation, paths, source, group);
    group.pending = pending;
    Set<World> worlds = new LinkedHashSet<>();
    for (World world : pending.before) {
      worlds.addAll(operation.doubtful(world, source));
    }
    group.replace(worlds);
    log.add(pending);
    inProgress.add(pending);
    return pending;
  }

  private Source nextSource(String path) {
    return new Source(path, generations.merge(path, 1, Integer::sum));
  }

  /** One group of the paths' groups, which do not change meanwhile. */
  private Group merged(Collection<String> paths) {
    Set<Group> parts = new LinkedHashSet<>();
    for (String path : paths) {
      parts.add(groups.computeIfAbsent(path, History::withoutFile));
    }
    Set<String> all = new TreeSet<>();
    List<World> worlds = List.of(World.EMPTY);
    for (Group part : parts) {
      if (part.pending != null) {
        throw new IllegalStateException("at the same time: " + part.pending);
      }
      all.addAll(part.paths);
      List<World> product = new ArrayList<>();
      for (World world : worlds) {
        part.worlds.forEach(other -> product.add(world.and(other)));
      }
      worlds = product;
    }
    Group group = new Group(all, new LinkedHashSet<>(worlds));
    all.forEach(path -> groups.put(path, group));
    return group;
  }

  private static Group withoutFile(String path) {
    return new Group(new TreeSet<>(Set.of(path)), new LinkedHashSet<>(Set.of(World.EMPTY)));
  }

  private void acknowledge(Pending pending) {
    synchronized (this) {
      if (!inProgress.remove(pending)) {
        return; // the round was over
      }
      Set<World> worlds = new LinkedHashSet<>();
      for (World world : pending.before) {
        pending.operation.done(world, pending.source).ifPresent(worlds::add);
      }
      if (worlds.isEmpty()) {
        String reason = "HDFS acknowledged what it cannot have done: " + pending.operation;
        add(new Finding(Finding.Kind.IMPOSSIBLE_SUCCESS, pending.operation.path(), "", reason));
      } else {
        pending.group.replace(worlds);
      }
      finish(pending, "acknowledged");
    }
    if (pending.operation.promises()) {
      timeline.acknowledged(pending.writer, pending.operation.path());
    }
  }

  private synchronized void doubt(Pending pending) {
    if (inProgress.remove(pending)) {
      finish(pending, "in doubt");
    }
  }

  private void finish(Pending pending, String outcome) {
    pending.outcome = outcome;
    pending.group.pending = null;
    split(pending.group);
    pending.group = null;
    pending.before = null;
  }

  /** Gives each path on which all worlds agree a group of its own again. */
  private void split(Group group) {
    for (String path : List.copyOf(group.paths)) {
      Set<Optional<FileState>> files = new LinkedHashSet<>();
      group.worlds.forEach(world -> files.add(Optional.ofNullable(world.file(path))));
      if (files.size() == 1) {
        Optional<FileState> file = files.iterator().next();
        group.paths.remove(path);
        group.replace(group.worlds.stream().map(world -> world.without(path)).distinct().toList());
        groups.remove(path);
        file.ifPresent(
            known -> {
              Group own = withoutFile(path);
              own.replace(List.of(World.EMPTY.with(path, known)));
              groups.put(path, own);
            });
      }
    }
  }

  /** The round is over: what is still in progress is in doubt, and nothing more begins. */
  public synchronized void end() {
    ended = true;
    List.copyOf(inProgress).forEach(this::doubt);
  }

  /** A read beside the load. It is judged unless the file gets other bytes or a name meanwhile. */
  public synchronized Reading reading(String path) {
    return begin(path, false);
  }

  /**
   * A read of a file that nobody changes meanwhile, and that is closed: what it shows is the file
   * from then on, and decides doubts.
   *
   * @throws IllegalStateException when an operation on the path is in progress
   */
  public synchronized Reading settling(String path) {
    Group group = groups.get(path);
    if (group != null && group.pending != null) {
      throw new IllegalStateException("at the same time: " + group.pending);
    }
    return begin(path, true);
  }

  private Reading begin(String path, boolean settles) {
    Group group = groups.get(path);
    boolean changing =
        group != null && group.pending != null && !group.pending.operation.leavesBytes();
    long before = changes.getOrDefault(path, 0L) - (changing ? 1 : 0); // never equal to that later
    return new Reading(this, path, settles, before, group == null ? List.of() : group.files(path));
  }

  /** Called by the reading when it ends. */
  synchronized Optional<Finding> judge(Reading reading, Seen seen) {
    String path = reading.path();
    if (changes.getOrDefault(path, 0L) != reading.changes()) {
      return Optional.empty();
    }
    Group group = groups.getOrDefault(path, withoutFile(path));
    List<World> explaining =
        group.worlds.stream().filter(world -> explains(world.file(path), reading, seen)).toList();
    if (explaining.isEmpty()) {
      Finding finding = blame(group, reading, seen);
      add(finding);
      return Optional.of(finding);
    }
    if (reading.settles()) {
      settle(group, path, explaining, seen);
    }
    return Optional.empty();
  }

  private static boolean explains(FileState file, Reading reading, Seen seen) {
    if (file == null || seen instanceof Seen.Absent) {
      return file == null && seen instanceof Seen.Absent;
    }
    return reading.candidates().stream()
        .filter(Reading.Candidate::right)
        .filter(candidate -> file.content().isGrowthOf(candidate.file().content()))
        .anyMatch(
            candidate ->
                !(seen instanceof Seen.Whole whole)
                    || whole.length() >= candidate.file().acknowledged()
                        && whole.length() <= file.content().length());
  }

  private void settle(Group group, String path, List<World> explaining, Seen seen) {
    Set<World> worlds = new LinkedHashSet<>(explaining);
    Set<FileState> files = new LinkedHashSet<>();
    worlds.stream().filter(world -> world.has(path)).forEach(world -> files.add(world.file(path)));
    boolean doubt = files.size() > 1 || !files.stream().allMatch(FileState::certain);
    if (seen instanceof Seen.Whole whole && doubt) {
      changes.merge(path, 1L, Long::sum);
      Source next = nextSource(path);
      worlds.clear();
      for (World world : explaining) {
        worlds.add(world.with(path, world.file(path).cut(whole.length(), next)));
      }
    }
    group.replace(worlds);
    split(group);
  }

  private Finding blame(Group group, Reading reading, Seen seen) {
    String path = reading.path();
    if (seen instanceof Seen.Absent) {
      long bytes = group.files(path).stream().mapToLong(FileState::acknowledged).min().orElse(0);
      String reason = "the file is gone, with " + bytes + " acknowledged bytes";
      return new Finding(Finding.Kind.LOST_FILE, path, "", reason);
    }
    if (group.files(path).isEmpty()) {
      return changes.containsKey(path)
          ? new Finding(
              Finding.Kind.RESURRECTED_FILE, path, "", "the file was deleted or renamed before")
          : new Finding(Finding.Kind.UNEXPECTED_FILE, path, "", "nobody created this file");
    }
    Reading.Candidate nearest = reading.candidates().get(0);
    for (Reading.Candidate candidate : reading.candidates()) {
      nearest = candidate.matches() > nearest.matches() ? candidate : nearest;
    }
    if (!nearest.right()) {
      return new Finding(Finding.Kind.WRONG_BYTE, path, "", nearest.difference());
    }
    long acknowledged = nearest.file().acknowledged();
    if (seen instanceof Seen.Whole whole && whole.length() < acknowledged) {
      long lost = acknowledged - whole.length();
      String reason = lost + " of " + acknowledged + " acknowledged bytes are missing";
      return new Finding(Finding.Kind.LOST_BYTES, path, "", reason);
    }
    String reason =
        "there are more bytes than the " + nearest.file().content().length() + " written";
    return new Finding(Finding.Kind.EXCESS_BYTES, path, "", reason);
  }

  /** Keeps a finding that the caller made; of equal kind, path and place only the first. */
  public synchronized void add(Finding finding) {
    findings.putIfAbsent(finding.kind() + finding.path() + finding.place(), finding);
  }

  /** All findings so far, in the order in which they were made. */
  public synchronized List<Finding> findings() {
    return List.copyOf(findings.values());
  }

  /**
   * The bytes of a file, with those that are to be appended.
   *
   * @throws IllegalStateException when there is no file, or doubt about it
   */
  public synchronized Content content(String path) {
    Group group = groups.getOrDefault(path, withoutFile(path));
    List<FileState> files = group.files(path);
    if (files.size() != 1 || group.worlds.stream().anyMatch(world -> !world.has(path))) {
      throw new IllegalStateException(path + " is one of " + files);
    }
    return files.get(0).content();
  }

  /** How many bytes a reader has to find, 0 where there may be no file. */
  public synchronized long acknowledged(String path) {
    Group group = groups.getOrDefault(path, withoutFile(path));
    return group.worlds.stream()
        .mapToLong(world -> world.has(path) ? world.file(path).acknowledged() : 0)
        .min()
        .orElse(0);
  }

  /** How its replicas are to be placed; empty when there is no file for certain. */
  public synchronized Optional<Wanted> wanted(String path) {
    Group group = groups.getOrDefault(path, withoutFile(path));
    return group.files(path).stream().map(FileState::wanted).reduce(Wanted::or);
  }

  /** All paths that may have a file, sorted. */
  public synchronized List<String> present() {
    return groups.keySet().stream()
        .filter(path -> !groups.get(path).files(path).isEmpty())
        .sorted()
        .toList();
  }

  /** The paths about which there is doubt, whether there is a file or what is in it. */
  public synchronized List<String> doubtful() {
    return groups.keySet().stream()
        .filter(
            path -> {
              Group group = groups.get(path);
              return group.worlds.size() > 1
                  || !group.files(path).stream().allMatch(FileState::certain);
            })
        .sorted()
        .toList();
  }

  /**
   * Every operation that concerned the file of a path, with its outcome, one line each: also under
   * the names that it or its parts had before.
   */
  public synchronized List<String> log(String path) {
    return operations(path).stream().map(Pending::toString).toList();
  }

  private List<Pending> operations(String path) {
    Set<String> names = new TreeSet<>(Set.of(path));
    Deque<Pending> operations = new ArrayDeque<>();
    for (int i = log.size() - 1; i >= 0; i--) {
      Pending pending = log.get(i);
      if (pending.paths.stream().anyMatch(names::contains)) {
        operations.addFirst(pending);
        if (pending.operation instanceof Rename || pending.operation instanceof Concat) {
          names.addAll(pending.paths);
        }
      }
    }
    return List.copyOf(operations);
  }

  /** Whether there was an operation of a kind on the file of a path. */
  public synchronized boolean has(String path, Class<? extends Operation> kind) {
    return operations(path).stream().anyMatch(pending -> kind.isInstance(pending.operation));
  }

  /** Whether one kind of operation on the file of a path was directly followed by another one. */
  public synchronized boolean isFollowed(
      String path, Class<? extends Operation> one, Class<? extends Operation> other) {
    List<Pending> operations = operations(path);
    for (int i = 1; i < operations.size(); i++) {
      if (one.isInstance(operations.get(i - 1).operation)
          && other.isInstance(operations.get(i).operation)) {
        return true;
      }
    }
    return false;
  }
}
