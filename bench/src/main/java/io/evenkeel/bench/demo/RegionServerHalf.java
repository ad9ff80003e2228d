package io.evenkeel.bench.demo;

import io.evenkeel.bench.demo.RegionServerLife.Directory;
import io.evenkeel.bench.demo.RegionServerLife.Renames;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/**
 * One side of the section of the region server: its life once, and when the replicas of what it
 * renamed were where they should be. Used by one thread.
 */
final class RegionServerHalf {
  /** Storage types of each DataNode. */
  static final List<String> STORAGES = List.of("DISK", "SSD", "ARCHIVE");

  static final int FLUSHES = 2;
  static final int STORE_FILE_BYTES = 5 << 20;
  static final int BLOCK_BYTES = 1 << 20;

  /** How long is waited after a rename for replicas that do not move. */
  static final double PATIENCE_SECONDS = 5;

  private static final double SATISFIER_SECONDS = 30;
  private static final long LOOK_MILLIS = 10;
  private static final Path ROOT = new Path("/hbase");

  private final RegionServerLife life;
  private List<Expected> renamed = List.of();

  /** Files in a directory, and since when they are to be where its policy wants them. */
  private record Expected(List<Path> files, Directory directory, long since) {}

  /** Asks for the files of a directory to be moved. */
  interface Request {
    void of(Path file) throws IOException;
  }

  /**
   * What was measured, in seconds; not a number for what did not happen in time.
   *
   * @param log share of the log's replicas on SSD when it was closed
   * @param flushed rename to moved of flushed files
   * @param compacted the same of the compacted file
   * @param archived the same of the files in the archive
   * @param right share of all renamed replicas where they should be when nothing more was waited
   *     for
   * @param asked from an explicit request for all files to moved
   */
  record Result(
      double log, double flushed, double compacted, double archived, double right, double asked) {
    /** Longest rename to moved. */
    double longest() {
      return Math.max(flushed, Math.max(compacted, archived));
    }

    Result withAsked(double seconds) {
      return new Result(log, flushed, compacted, archived, right, seconds);
    }
  }

  RegionServerHalf(DistributedFileSystem fs) {
    this.life = new RegionServerLife(fs, ROOT, STORE_FILE_BYTES);
  }

  /** Lives once. */
  Result run(Renames renames) throws IOException, InterruptedException {
    life.prepare();
    double log = life.right(List.of(life.log()), Directory.LOGS);
    Timed flushing = new Timed(renames);
    List<Path> flushed = new ArrayList<>();
    for (int i = 0; i < FLUSHES; i++) {
      flushed.add(life.flush(flushing));
    }
    double flush = await(new Expected(flushed, Directory.STORE, flushing.first), PATIENCE_SECONDS);
    Timed compacting = new Timed(renames);
    List<Path> compact = List.of(life.compact(flushed, compacting));
    Expected compacted = new Expected(compact, Directory.STORE, compacting.first);
    double compaction = await(compacted, PATIENCE_SECONDS);
    Timed archiving = new Timed(renames);
    List<Path> old = life.archive(flushed, archiving);
    Expected archived = new Expected(old, Directory.ARCHIVE, archiving.first);
    double archive = await(archived, PATIENCE_SECONDS);
    renamed = List.of(compacted, archived);
    // Equal numbers of bytes in both, so the mean is that of all replicas.
    double right = (life.right(compact, Directory.STORE) + life.right(old, Directory.ARCHIVE)) / 2;
    return new Result(log, flush, compaction, archive, right, Double.NaN);
  }

  /** Notes when the first rename began. */
  private static final class Timed implements Renames {
    private final Renames renames;
    private long first;

    Timed(Renames renames) {
      this.renames = renames;
    }

    @Override
    public void rename(Path source, Path destination) throws IOException {
      first = first == 0 ? System.nanoTime() : first;
      renames.rename(source, destination);
    }
  }

  /** Asks for what was renamed and returns the seconds until all was moved. */
  double ask(Request request) throws IOException, InterruptedException {
    long now = System.nanoTime();
    for (Expected expected : renamed) {
      for (Path file : expected.files) {
        request.of(file);
      }
    }
    double last = 0;
    for (Expected expected : renamed) {
      Expected asked = new Expected(expected.files, expected.directory, now);
      last = Math.max(last, await(asked, SATISFIER_SECONDS));
    }
    return last;
  }

  /** Seconds from the beginning until all is right; not a number when it is not within patience. */
  private double await(Expected expected, double patience)
      throws IOException, InterruptedException {
    long deadline = System.nanoTime() + (long) (patience * 1e9);
    while (System.nanoTime() < deadline) {
      if (life.right(expected.files, expected.directory) == 1) {
        return (System.nanoTime() - expected.since) / 1e9;
      }
      TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
    }
    return Double.NaN;
  }

  /** The plain rename of HDFS. */
  static Renames plain(DistributedFileSystem fs) {
    return (source, destination) -> {
      if (!fs.rename(source, destination)) {
        throw new IOException("cannot rename " + source + " to " + destination);
      }
    };
  }
}
