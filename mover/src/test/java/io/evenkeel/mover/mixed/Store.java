package io.evenkeel.mover.mixed;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Predicate;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/**
 * Files of one writer and what they must contain. An operation that is not acknowledged leaves two
 * allowed states, or all between them; which of these it is, is looked up before anything else is
 * done to the file, and is what counts from then on. Confined to its thread.
 */
final class Store {
  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final Duration HURRY = Duration.ofSeconds(10);

  /** Two attempts of the NameNode to recover a block, and more. */
  private static final Duration SEVERAL_ATTEMPTS = Duration.ofSeconds(75);

  private static final short REPLICATION = 3;

  private final DistributedFileSystem fs;
  private final Tally tally;
  private final Predicate<String> cutInPart;
  private final boolean striped;
  private final TreeMap<String, Content> files = new TreeMap<>();

  /**
   * @param cutInPart whether replicas of the last block of a file differ in their length
   * @param striped whether files are erasure coded
   */
  Store(DistributedFileSystem fs, Tally tally, Predicate<String> cutInPart, boolean striped) {
    this.striped = striped;
    this.fs = fs;
    this.tally = tally;
    this.cutInPart = cutInPart;
  }

  /** A question that may be asked again. */
  interface Question<T> {
    T ask() throws IOException;
  }

  /** A change of the namespace. */
  private interface Change {
    void make() throws IOException;
  }

  DistributedFileSystem fs() {
    return fs;
  }

  Tally tally() {
    return tally;
  }

  TreeMap<String, Content> files() {
    return files;
  }

  /** Asks until it is answered; that the path does not exist is an answer. */
  <T> T ask(String what, Question<T> question) throws IOException {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (true) {
      try {
        return question.ask();
      } catch (FileNotFoundException e) {
        throw e;
      } catch (IOException e) {
        tally.count("asked again", what + ", " + e.getClass().getSimpleName());
        if (System.nanoTime() > end) {
          throw new AssertionError(what, e);
        }
        Worker.pause(500);
      }
    }
  }

  /**
   * Waits for a change that is acknowledged. A NameNode shows a change before it is safe in the
   * edits, and may be lost in between; what it shows after a later change was acknowledged is safe.
   * Each attempt is another change: one that has closed its edit log and still answers acknowledges
   * what changes nothing, and shows what it could not log.
   */
  private void awaitSafe() throws IOException {
    ask("mkdirs", () -> fs.mkdirs(new Path("/safe/" + UUID.randomUUID())));
  }

  private boolean exists(String path) throws IOException {
    return ask("exists", () -> fs.exists(new Path(path)));
  }

  FSDataOutputStream open(String path) throws IOException {
    int block = striped ? StripedFiles.BLOCK : MixedStand.BLOCK;
    return fs.create(new Path(path), false, 4096, REPLICATION, block);
  }

  /** What is written to a file. */
  private interface Writing {
    void to(FSDataOutputStream out) throws IOException;
  }

  /** HDFS may throw one exception from write and close, which then cannot suppress itself. */
  private static void writeTo(FSDataOutputStream out, Writing writing) throws IOException {
    IOException failure = null;
    try {
      writing.to(out);
    } catch (IOException e) {
      failure = e;
    }
    try {
      out.close();
    } catch (IOException e) {
      failure = failure == null ? e : failure;
    }
    if (failure != null) {
      throw failure;
    }
  }

  void create(String path, long seed, int bytes) throws IOException {
    Content full = Content.EMPTY.plus(seed, bytes);
    try {
      writeTo(open(path), out -> out.write(full.bytes(0, bytes)));
      files.put(path, full);
      tally.count("operations", "create");
    } catch (IOException e) {
      tally.error("create", e);
      if (striped) {
        deleteUnfinished(path);
      } else {
        settle(path, Content.EMPTY, full);
      }
    }
  }

  /**
   * Stock's recovery may make a striped file longer than it was: it takes a parity block that is
   * longer than a data block for one full stripe more (StripedBlockUtil.getSafeLength).
   */
  private void deleteUnfinished(String path) throws IOException {
    awaitSafe();
    while (exists(path)) {
      delete(path);
    }
  }

  void append(String path, long seed, int bytes, boolean flush) throws IOException {
    Content before = files.get(path);
    Content after = before.plus(seed, bytes);
    byte[] more = after.bytes(before.length(), bytes);
    try {
      writeTo(
          fs.append(new Path(path)),
          out -> {
            out.write(more, 0, bytes / 2);
            if (flush) {
              out.hflush();
            }
            out.write(more, bytes / 2, bytes - bytes / 2);
          });
      files.put(path, after);
      tally.count("operations", "append");
    } catch (IOException e) {
      tally.error("append", e);
      settle(path, before, after);
    }
  }

  /**
   * Cuts a file, or deletes it where stock cannot end what it began: a DataNode that was away while
   * the others cut their replicas, and the NameNode lost before they told it, comes back with a
   * replica of the old length, and BlockRecoveryWorker refuses finalized replicas that differ
   * ("Inconsistent size of finalized replicas") for as long as it is there.
   */
  void truncate(String path, long length) throws IOException {
    try {
      cut(path, length);
    } catch (CutInPart e) {
      tally.count("operations", "truncate that stock cannot end");
      delete(path);
    }
  }

  /** A truncate that reached some replicas and not others. */
  private static final class CutInPart extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  private void cut(String path, long length) throws IOException {
    Content before = files.get(path);
    Content after = before.cut(length);
    try {
      if (!fs.truncate(new Path(path), length)) {
        awaitClosed(path);
      }
      files.put(path, after);
      tally.count("operations", "truncate");
    } catch (IOException e) {
      tally.error("truncate", e);
      long now = settle(path, after, before);
      if (now != length && now != before.length()) {
        throw new AssertionError(path + " is cut to " + now + ", not " + length, e);
      }
    }
  }

  /**
   * The NameNode lets a DataNode cut the last block. When that one goes away it asks another one
   * after a long time only, unless it is asked to.
   */
  private void awaitClosed(String path) throws IOException {
    long start = System.nanoTime();
    while (!ask("isFileClosed", () -> fs.isFileClosed(new Path(path)))) {
      if (System.nanoTime() - start > HURRY.toNanos()) {
        tally.count("operations", "truncate that a DataNode did not finish");
        awaitRecovered(path);
        return;
      }
      Worker.pause(100);
    }
  }

  private void awaitRecovered(String path) throws IOException {
    long start = System.nanoTime();
    while (!ask("recoverLease", () -> fs.recoverLease(new Path(path)))) {
      long waited = System.nanoTime() - start;
      if (waited > SEVERAL_ATTEMPTS.toNanos() && cutInPart.test(path)) {
        throw new CutInPart();
      }
      if (waited > PATIENCE.toNanos()) {
        throw new AssertionError(path + " is not recovered after " + PATIENCE);
      }
      Worker.pause(1000);
    }
  }

  /** Renames a file, or a directory with all its files. */
  void rename(String from, String to) throws IOException {
    boolean there =
        change("rename", () -> fs.rename(new Path(from), new Path(to), Options.Rename.NONE), to);
    if (there == exists(from)) {
      throw new AssertionError(from + " and " + to + (there ? " both exist" : " are both away"));
    }
    if (there) {
      renamed(from, to);
    }
  }

  private void renamed(String from, String to) {
    Content file = files.remove(from);
    if (file != null) {
      files.put(to, file);
    }
    Map<String, Content> below = files.subMap(from + "/", from + "0"); // '0' follows '/'
    Map<String, Content> moved = new TreeMap<>(below);
    below.clear();
    moved.forEach((path, content) -> files.put(to + path.substring(from.length()), content));
  }

  void delete(String path) throws IOException {
    String what = "delete";
    try {
      fs.delete(new Path(path), true);
      tally.count("operations", what);
    } catch (IOException e) {
      tally.error(what, e);
      awaitSafe();
      if (exists(path)) {
        return;
      }
    }
    files.remove(path);
    files.subMap(path + "/", path + "0").clear();
  }

  /** Whether the path exists after the change, acknowledged or not. */
  private boolean change(String what, Change change, String made) throws IOException {
    try {
      change.make();
      tally.count("operations", what);
      return true;
    } catch (IOException e) {
      tally.error(what, e);
      awaitSafe();
      return exists(made);
    }
  }

  boolean createSnapshot(String directory, String name) throws IOException {
    return change(
        "createSnapshot",
        () -> fs.createSnapshot(new Path(directory), name),
        directory + "/.snapshot/" + name);
  }

  /** Whether the snapshot is away now. */
  boolean deleteSnapshot(String directory, String name) throws IOException {
    String what = "deleteSnapshot";
    try {
      fs.deleteSnapshot(new Path(directory), name);
      tally.count("operations", what);
      return true;
    } catch (IOException e) {
      tally.error(what, e);
      awaitSafe();
      return !exists(directory + "/.snapshot/" + name);
    }
  }

  /** Reads a file and compares every byte. */
  void read(String path, Content wanted) throws IOException {
    long length =
        ask(
            "read",
            () -> {
              try (FSDataInputStream in = fs.open(new Path(path))) {
                return wanted.check(path, in);
              }
            });
    if (length != wanted.length()) {
      throw new AssertionError(path + " has " + length + " of " + wanted.length() + " bytes");
    }
    tally.count("operations", "read and compared");
  }

  /** Has a file closed whose writer saw an error, and takes its length, -1 when there is none. */
  long settle(String path, Content least, Content most) throws IOException {
    awaitSafe();
    try {
      awaitRecovered(path);
      long length =
          ask(
              "read after an error",
              () -> {
                try (FSDataInputStream in = fs.open(new Path(path))) {
                  return most.check(path, in);
                }
              });
      if (length < least.length()) {
        throw new AssertionError(
            path + " lost acknowledged bytes: " + length + " of " + least.length());
      }
      files.put(path, most.cut(length));
      return length;
    } catch (FileNotFoundException e) {
      if (least.length() > 0 || files.containsKey(path)) {
        throw new AssertionError(path + " is away", e);
      }
      return -1;
    }
  }
}
