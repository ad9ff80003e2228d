package io.evenkeel.bench.gameday.load;

import io.evenkeel.bench.gameday.history.Content;
import io.evenkeel.bench.gameday.history.History;
import io.evenkeel.bench.gameday.history.Operation.Create;
import io.evenkeel.bench.gameday.history.Operation.Sync;
import io.evenkeel.bench.gameday.history.Timeline;
import io.evenkeel.bench.gameday.schedule.Mix.Change;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.apache.hadoop.fs.FSDataOutputStream;

/**
 * Writes whole files and then does with them what HDFS allows in their directory. Other writers may
 * use the same directories, but not the same names, and none may use one with snapshots. Confined
 * to its thread.
 *
 * <p>Apart from {@link Load}, which has several threads of it.
 */
final class FileWriter extends Writer {
  private static final int LONGEST_BYTES = 7 * LoadPlan.BLOCK_BYTES / 2;
  private static final int APPENDED_BYTES = LoadPlan.BLOCK_BYTES / 4;
  private static final int FEW = 4;
  private static final int MANY = 16;
  private static final int SNAPSHOTS = 3;
  private static final int STEPS_OF_A_DELETION = 20; // a few heartbeats
  private static final List<String> POLICIES = List.of("HOT", "WARM", "COLD", "ONE_SSD", "ALL_SSD");

  private final List<Directory> directories;
  private final Set<Change> changes;
  private int names;

  /** To be appended to in a few steps; null when there is none. */
  private String appended;

  private int stepsLeft;
  private int oldestSnapshot;
  private int nextSnapshot;

  FileWriter(
      Recorder recorder,
      History history,
      Timeline timeline,
      Random random,
      List<Directory> directories,
      Set<Change> changes) {
    super(recorder, history, timeline, random);
    this.directories = List.copyOf(directories);
    this.changes = Set.copyOf(changes);
  }

  @Override
  void step() throws IOException {
    String path = appended;
    if (path != null && stepsLeft-- == 0) {
      appended = null;
      if (files().contains(path)) {
        append(path);
      }
    } else if (files().size() < FEW || random().nextInt(3) == 0) {
      create();
    } else if (files().size() > MANY) {
      delete(any());
    } else {
      change(any());
    }
  }

  @Override
  void close() {
    // each step closes what it opens
  }

  private String any() {
    return files().get(random().nextInt(files().size()));
  }

  private String newName() {
    return name() + "-" + names++;
  }

  private Directory directory(String path) {
    return directories.stream()
        .filter(directory -> path.startsWith(directory.path() + "/"))
        .findFirst()
        .orElseThrow();
  }

  private void change(String path) throws IOException {
    Directory directory = directory(path);
    boolean snapshots = directory.use() == Directory.Use.SNAPSHOTS;
    List<Change> possible = new ArrayList<>();
    for (Change change : Change.values()) { // of a set, the order is any
      if (changes.contains(change) && allowed(change, directory)) {
        possible.add(change);
        if (change.compareTo(Change.APPEND) >= 0) {
          possible.add(change); // twice as often: there are more ways to lose bytes
        }
      }
    }
    if (snapshots && random().nextInt(4) == 0) {
      snapshot(directory);
    } else if (possible.isEmpty()) {
      create();
    } else {
      change(possible.get(random().nextInt(possible.size())), path, directory);
    }
  }

  private static boolean allowed(Change change, Directory directory) {
    boolean replicated = directory.erasureCoding().isEmpty();
    return switch (change) {
      case DELETE, RENAME -> true;
      case SET_REPLICATION -> replicated;
      case SET_STORAGE_POLICY, APPEND, TRUNCATE -> directory.use() != Directory.Use.WRITE_ONCE;
      case CONCAT -> directory.use() == Directory.Use.ANY;
    };
  }

  private void change(Change change, String path, Directory directory) throws IOException {
    boolean snapshots = directory.use() == Directory.Use.SNAPSHOTS;
    switch (change) {
      case DELETE -> delete(path);
      case RENAME -> {
        String target = directory.path() + "/" + newName();
        recorder().rename(path, target);
        files().remove(path);
        files().add(target);
      }
      case SET_REPLICATION -> {
        // HDFS itself deletes files of LAZY_PERSIST whose only replica is away for a while.
        int fewest = directory.policy().equals(Directory.LAZY_PERSIST) ? 2 : 1;
        recorder().setReplication(path, fewest + random().nextInt(4 - fewest));
        if (directory.use() != Directory.Use.WRITE_ONCE && random().nextBoolean()) {
          appended = path; // while replicas are about to be deleted
          stepsLeft = random().nextInt(STEPS_OF_A_DELETION);
        }
      }
      case SET_STORAGE_POLICY ->
          recorder().setStoragePolicy(path, POLICIES.get(random().nextInt(POLICIES.size())));
      case APPEND -> append(path);
      case TRUNCATE -> {
        long length = random().nextLong(content(path).length() + 1);
        // Stock never recovers a block that is copied for a snapshot when the NameNode restarts.
        recorder().truncate(path, snapshots ? length - length % LoadPlan.BLOCK_BYTES : length);
        append(path);
      }
      case CONCAT -> concat(path);
    }
  }

  private void delete(String path) throws IOException {
    recorder().delete(path);
    files().remove(path);
  }

  private void create() throws IOException {
    Directory directory = directories.get(random().nextInt(directories.size()));
    Create create = directory.create(newName());
    FSDataOutputStream out = recorder().create(create);
    String path = create.path();
    long bytes = 1L + random().nextInt(LONGEST_BYTES);
    recorder().write(path, out, content(path), bytes, Sync.BUFFERED);
    recorder().close(path, out);
    files().add(path);
  }

  /** Appends a few records, with or without a flush. */
  private void append(String path) throws IOException {
    FSDataOutputStream out = recorder().append(path);
    Content content = content(path);
    for (int i = random().nextInt(4); i >= 0; i--) {
      Sync sync = Sync.values()[random().nextInt(Sync.values().length)];
      recorder().write(path, out, content, 1L + random().nextInt(APPENDED_BYTES), sync);
    }
    recorder().close(path, out);
  }

  private void concat(String path) throws IOException {
    Directory directory = directory(path);
    List<String> sources =
        files().stream()
            .filter(file -> !file.equals(path) && directory(file).equals(directory))
            .filter(file -> content(file).length() > 0)
            .limit(1 + random().nextInt(2))
            .toList();
    if (!sources.isEmpty()) {
      recorder().concat(path, sources);
      files().removeAll(sources);
    }
  }

  private void snapshot(Directory directory) throws IOException {
    if (recorder().unsettled().isEmpty()) {
      if (nextSnapshot - oldestSnapshot < SNAPSHOTS) {
        recorder().snapshot(directory.path(), "s" + nextSnapshot++);
      } else {
        recorder().deleteSnapshot(directory.path(), "s" + oldestSnapshot++);
      }
    }
  }
}
