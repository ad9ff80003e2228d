package io.evenkeel.mover.mixed;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.apache.hadoop.fs.Path;

/** The snapshots of one directory and what they must hold. Confined to the thread of its store. */
final class Snapshots {
  private final Store store;
  private final String directory;
  private final Map<String, Map<String, Content>> kept = new TreeMap<>();
  private int number;

  Snapshots(Store store, String directory) {
    this.store = store;
    this.directory = directory;
  }

  int count() {
    return kept.size();
  }

  /** Whether a snapshot that was not deleted has this file, under whatever name. */
  boolean hold(Content file) {
    return kept.values().stream()
        .flatMap(snapshot -> snapshot.values().stream())
        .anyMatch(file::isSameFile);
  }

  void create() throws IOException {
    String name = "s" + number++;
    Map<String, Content> now =
        new TreeMap<>(store.files().subMap(directory + "/", directory + "0"));
    if (store.createSnapshot(directory, name)) {
      kept.put(name, now);
    }
  }

  void deleteOne(Random random) throws IOException {
    List<String> names = new ArrayList<>(kept.keySet());
    String name = names.get(random.nextInt(names.size()));
    if (store.deleteSnapshot(directory, name)) {
      kept.remove(name);
    }
  }

  /** Compares every byte of every snapshot, and the names. */
  void check() throws IOException {
    for (Map.Entry<String, Map<String, Content>> snapshot : kept.entrySet()) {
      String root = directory + "/.snapshot/" + snapshot.getKey();
      Map<String, Content> wanted = new TreeMap<>();
      snapshot
          .getValue()
          .forEach((path, file) -> wanted.put(root + path.substring(directory.length()), file));
      Set<String> found = Listing.files(store.fs(), new Path(root)).keySet();
      if (!found.equals(wanted.keySet())) {
        throw new AssertionError(root + " holds " + found + ", not " + wanted.keySet());
      }
      for (Map.Entry<String, Content> file : wanted.entrySet()) {
        store.read(file.getKey(), file.getValue());
        store.tally().count("at the end", "files in snapshots compared");
      }
    }
  }
}
