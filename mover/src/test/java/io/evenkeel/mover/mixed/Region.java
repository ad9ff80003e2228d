package io.evenkeel.mover.mixed;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/**
 * A writer like a region of HBase, with its own log, data files, archive and snapshots: what it
 * does next follows from a seed. Confined to its thread until it is checked.
 */
final class Region {
  /** Directories and the policy of each. */
  static final List<List<String>> TIERS =
      List.of(
          List.of("/hb/wal", "ALL_SSD"),
          List.of("/hb/stage", "HOT"),
          List.of("/hb/data", "ONE_SSD"),
          List.of("/hb/archive", "COLD"));

  private static final int MOST_FILES = 50;
  private static final int MOST_SNAPSHOTS = 3;
  private static final int BLOCK = MixedStand.BLOCK;

  private final int number;
  private final Random random;
  private final Store store;
  private final Wal wal;
  private final Snapshots snapshots;
  private final boolean striped;
  private int names;

  /**
   * Prepares; its directories are there.
   *
   * @param striped whether its files are, which cannot be appended, flushed or cut
   */
  Region(int number, boolean striped, long seed, Store store) {
    this.striped = striped;
    this.number = number;
    this.random = new Random(seed);
    this.store = store;
    this.wal = new Wal(store);
    this.snapshots = new Snapshots(store, of("/hb/data"));
  }

  static void makeDirectories(DistributedFileSystem fs, int regions) throws IOException {
    for (List<String> tier : TIERS) {
      for (int r = 0; r < regions; r++) {
        fs.mkdirs(new Path(tier.get(0) + "/r" + r));
      }
      fs.setStoragePolicy(new Path(tier.get(0)), tier.get(1));
    }
    for (int r = 0; r < regions; r++) {
      fs.allowSnapshot(new Path("/hb/data/r" + r));
    }
  }

  /** Has the files of a region striped; ONE_SSD is no policy for these. */
  static void stripe(DistributedFileSystem fs, int region) throws IOException {
    for (List<String> tier : TIERS) {
      fs.setErasureCodingPolicy(new Path(tier.get(0) + "/r" + region), StripedFiles.POLICY);
    }
    fs.setStoragePolicy(new Path("/hb/data/r" + region), "ALL_SSD");
  }

  private String of(String tier) {
    return tier + "/r" + number;
  }

  private String fresh(String tier) {
    return of(tier) + "/" + names++;
  }

  private String anyTier() {
    return TIERS.get(random.nextInt(TIERS.size())).get(0);
  }

  private String anyFile() {
    List<String> all = new ArrayList<>(store.files().keySet());
    return all.get(random.nextInt(all.size()));
  }

  private int size() {
    return 1 + random.nextInt(striped ? 4 * StripedFiles.BLOCK : 3 * BLOCK);
  }

  /** One operation. */
  void step() throws IOException {
    Worker.pause(random.nextInt(60));
    int files = store.files().size();
    int dice = random.nextInt(100);
    if (files > MOST_FILES) {
      store.delete(anyFile());
    } else if (files < 5 || dice < (striped ? 45 : 15)) {
      flush();
    } else if (dice < 45) {
      log();
    } else if (dice < 48) {
      bulkLoad();
    } else {
      change(dice);
    }
  }

  private void change(int dice) throws IOException {
    String file = anyFile();
    if (dice < 66 && striped) {
      store.rename(file, fresh(anyTier()));
    } else if (dice < 60) {
      store.append(file, random.nextLong(), size(), random.nextBoolean());
    } else if (dice < 66) {
      truncate(file);
    } else if (dice < 76) {
      store.rename(file, fresh(anyTier()));
    } else if (dice < 79) {
      renameTree();
    } else if (dice < 83) {
      compact();
    } else if (dice < 87) {
      snapshot();
    } else if (dice < 93) {
      store.delete(file);
    } else {
      store.read(file, store.files().get(file));
    }
  }

  /**
   * Not one that a snapshot has: after such a load stock's NameNode once could not list a snapshot
   * (ArrayIndexOutOfBoundsException in createLocatedBlock).
   */
  private void truncate(String file) throws IOException {
    Content content = store.files().get(file);
    if (!snapshots.hold(content)) {
      store.truncate(file, (long) (content.length() * random.nextDouble()));
    }
  }

  /** A data file is written beside and renamed into place. */
  private void flush() throws IOException {
    String written = fresh("/hb/stage");
    store.create(written, random.nextLong(), size());
    if (store.files().containsKey(written)) {
      store.rename(written, fresh("/hb/data"));
    }
  }

  private void log() throws IOException {
    if (!wal.isOpen()) {
      wal.open(fresh("/hb/wal"));
    }
    for (int i = random.nextInt(5); i >= 0 && wal.isOpen(); i--) {
      wal.record(random.nextLong(), 1 + random.nextInt(BLOCK / 8));
    }
    if (wal.isOpen() && random.nextInt(20) == 0) {
      // of a file that is open a snapshot holds a part only, so it is not renamed below one
      wal.rename(fresh(random.nextBoolean() ? "/hb/wal" : "/hb/stage"));
    }
    if (wal.isOpen() && wal.length() > 3 * BLOCK) {
      wal.close();
      if (random.nextBoolean() && store.files().containsKey(wal.path())) {
        store.rename(wal.path(), fresh("/hb/archive"));
      }
    }
  }

  /** A directory of files is written and renamed into place as one. */
  private void bulkLoad() throws IOException {
    String directory = fresh("/hb/stage") + "t";
    for (int i = 0; i < 4; i++) {
      store.create(directory + "/" + i, random.nextLong(), size());
    }
    if (trees().contains(directory)) {
      store.rename(directory, fresh("/hb/data") + "t");
    }
  }

  private void renameTree() throws IOException {
    List<String> trees = new ArrayList<>(trees());
    if (!trees.isEmpty()) {
      store.rename(trees.get(random.nextInt(trees.size())), fresh(anyTier()) + "t");
    }
  }

  private Set<String> trees() {
    Set<String> trees = new TreeSet<>();
    for (String file : store.files().keySet()) {
      String parent = file.substring(0, file.lastIndexOf('/'));
      if (parent.endsWith("t")) {
        trees.add(parent);
      }
    }
    return trees;
  }

  /** Some files are read, one is written for them, and they go to the archive. */
  private void compact() throws IOException {
    long bytes = 1;
    for (int i = 0; i < 3; i++) {
      String file = anyFile();
      bytes += store.files().get(file).length();
      store.read(file, store.files().get(file));
      store.rename(file, fresh("/hb/archive"));
    }
    String written = fresh("/hb/stage");
    store.create(written, random.nextLong(), (int) Math.min(bytes, 8 * BLOCK));
    if (store.files().containsKey(written)) {
      store.rename(written, fresh("/hb/data"));
    }
  }

  /**
   * None of striped files: a NameNode that was started since refuses to delete one that was renamed
   * out of a snapshot's directory (IllegalStateException in collectBlocksBeyondSnapshot).
   */
  private void snapshot() throws IOException {
    if (striped) {
      return;
    }
    if (snapshots.count() >= MOST_SNAPSHOTS) {
      snapshots.deleteOne(random);
    } else {
      snapshots.create();
    }
  }

  /** Closes what is open. */
  void close() throws IOException {
    if (wal.isOpen()) {
      wal.close();
    }
  }

  /** Compares every byte of every file and snapshot, and the names. */
  void check() throws IOException {
    Set<String> found = new TreeSet<>();
    for (List<String> tier : TIERS) {
      found.addAll(Listing.files(store.fs(), new Path(of(tier.get(0)))).keySet());
    }
    assertThat(found).as("names of region %s", number).isEqualTo(store.files().keySet());
    for (String file : found) {
      store.read(file, store.files().get(file));
      store.tally().count("at the end", "files compared");
    }
    snapshots.check();
  }
}
