package io.evenkeel.mover.follow;

import io.evenkeel.mover.core.follow.SegmentStore;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Segments as files of HDFS, those of one owner in a directory {@code epoch-N}. A new owner renames
 * that directory, so that the former can neither start nor publish a segment, and recovers the
 * lease of what it was writing, so that its next sync fails. Not thread-safe.
 */
final class HdfsSegmentStore implements SegmentStore {
  private static final Logger LOG = LoggerFactory.getLogger(HdfsSegmentStore.class);
  private static final FsPermission PRIVATE = new FsPermission((short) 0700);
  private static final String EPOCH = "epoch-";
  private static final String FENCED = "fenced-";
  private static final String UNREAD = "unread-";
  private static final String CLAIM = "claim-";
  private static final Pattern NUMBERED = Pattern.compile("(epoch|fenced|unread)-(\\d{1,18})");
  private static final Pattern SEGMENT = Pattern.compile("segment-\\d+");

  private static final String STOPPED = "stopped while a segment was recovered";
  private static final int LOOKS = 3_000; // of a tenth of a second, until a segment is recovered
  private static final int LOOKS_PER_CALL = 50;

  private final DistributedFileSystem fs;
  private final Path directory;
  private final String incarnation;
  private final BooleanSupplier ended;
  private final List<Path> fenced = new ArrayList<>();
  private final List<HdfsOutput> open = new ArrayList<>();
  private HdfsOutput published;
  private int segments;
  private Path epoch;

  /**
   * Creates it.
   *
   * @param ended when it is not to be waited any more for the segments of others
   */
  HdfsSegmentStore(
      DistributedFileSystem fs, Path directory, String incarnation, BooleanSupplier ended) {
    this.ended = ended;
    this.fs = fs;
    this.directory = directory;
    this.incarnation = incarnation;
  }

  @Override
  public List<String> fence() throws IOException {
    fs.mkdirs(directory, PRIVATE);
    long last = 0;
    for (Path found : list(directory)) {
      Matcher numbered = NUMBERED.matcher(found.getName());
      if (numbered.matches()) {
        last = Math.max(last, Long.parseLong(numbered.group(2)));
        if (found.getName().startsWith(EPOCH)) {
          fs.rename(found, new Path(directory, FENCED + numbered.group(2)));
        }
      } else if (found.getName().startsWith(CLAIM)) {
        fs.delete(found, true); // its owner was killed before it had the journal
      }
    }
    claim(last + 1);
    List<String> names = new ArrayList<>();
    for (Path found : list(directory)) {
      if (found.getName().startsWith(FENCED)) {
        names.addAll(recoverAll(found));
      }
    }
    return names;
  }

  /** By their names. */
  private List<Path> list(Path where) throws IOException {
    FileStatus[] found = fs.listStatus(where);
    Arrays.sort(found);
    List<Path> paths = new ArrayList<>();
    for (FileStatus each : found) {
      paths.add(each.getPath());
    }
    return paths;
  }

  /** Makes the directory of this owner; fails when another process makes the same. */
  private void claim(long number) throws IOException {
    Path claim = new Path(directory, CLAIM + incarnation);
    fs.mkdirs(claim, PRIVATE);
    epoch = new Path(directory, EPOCH + padded(number));
    try {
      fs.rename(claim, epoch, Options.Rename.NONE);
    } catch (IOException e) {
      fs.delete(claim, true);
      throw e;
    }
  }

  private static String padded(long number) {
    return String.format("%010d", number);
  }

  /** Recovers the published segments of a former owner; deletes its directory if there are none. */
  private List<String> recoverAll(Path former) throws IOException {
    List<String> names = new ArrayList<>();
    for (Path segment : list(former)) {
      if (SEGMENT.matcher(segment.getName()).matches()) {
        recover(segment);
        names.add(former.getName() + "/" + segment.getName());
      }
    }
    if (names.isEmpty()) { // of an owner that failed before it had a segment
      fs.delete(former, true);
    } else {
      fenced.add(former);
    }
    return names;
  }

  /** Ends another process's writing to a file and waits until its length is settled. */
  private void recover(Path file) throws IOException {
    boolean closed = fs.isFileClosed(file) || fs.recoverLease(file);
    for (int look = 1; !closed; look++) {
      if (look > LOOKS) {
        throw new IOException("the journal's segment " + file + " cannot be recovered");
      }
      pause();
      if (look % LOOKS_PER_CALL == 0) {
        if (look == LOOKS_PER_CALL) { // told once: it may take minutes
          LOG.warn("Still waiting for HDFS to recover the lease of {}", file);
        }
        closed = fs.recoverLease(file);
      } else {
        closed = fs.isFileClosed(file);
      }
    }
  }

  private void pause() throws InterruptedIOException {
    if (ended.getAsBoolean()) {
      throw new InterruptedIOException(STOPPED);
    }
    try {
      Thread.sleep(100);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException(STOPPED);
    }
  }

  @Override
  public Output create() throws IOException {
    Path path = new Path(epoch, "segment-" + padded(++segments));
    Path temporary = path.suffix(".tmp");
    FSDataOutputStream out =
        fs.createFile(temporary)
            .overwrite(false)
            .replicate() // hsync does nothing for an erasure coded file
            .permission(new FsPermission((short) 0600))
            .build();
    HdfsOutput made = new HdfsOutput(out, temporary, path);
    open.add(made);
    return made;
  }

  @Override
  public InputStream open(String name) throws IOException {
    return fs.open(new Path(directory, name));
  }

  @Override
  public void close() throws IOException {
    IOException failure = null;
    for (HdfsOutput each : new ArrayList<>(open)) {
      try {
        each.close();
      } catch (IOException e) { // as of one that another daemon has fenced
        failure = e;
      }
    }
    if (failure != null) {
      throw failure;
    }
  }

  /** A file being written. */
  private final class HdfsOutput implements Output {
    private final FSDataOutputStream out;
    private final Path temporary;
    private final Path path;

    HdfsOutput(FSDataOutputStream out, Path temporary, Path path) {
      this.out = out;
      this.temporary = temporary;
      this.path = path;
    }

    @Override
    public void write(byte[] bytes) throws IOException {
      out.write(bytes);
    }

    @Override
    public void sync() throws IOException {
      out.hsync();
    }

    @Override
    public void publish(boolean keepFenced) throws IOException {
      if (!fs.rename(temporary, path)) {
        throw new FileNotFoundException(temporary + " is gone: another daemon is active");
      }
      for (Path former : fenced) {
        if (keepFenced) {
          String name = former.getName().replace(FENCED, UNREAD);
          fs.rename(former, new Path(directory, name), Options.Rename.NONE);
        } else {
          fs.delete(former, true);
        }
      }
      fenced.clear();
      if (published != null) {
        published.close();
        fs.delete(published.path, false);
      }
      published = this;
    }

    private void close() throws IOException {
      open.remove(this);
      out.close();
    }
  }
}
