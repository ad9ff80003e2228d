package io.evenkeel.mover.follow;

import io.evenkeel.mover.core.follow.SegmentStore;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;
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
  private static final String SEGMENT = "segment-";
  private static final String UNPUBLISHED = ".tmp";
  private static final int BUFFER = 64 << 10;
  private static final long RECOVERY_MS = 300_000;

  private final DistributedFileSystem fs;
  private final Path directory;
  private final String incarnation;
  private final List<Path> fenced = new ArrayList<>();
  private final List<Path> own = new ArrayList<>();
  private int segments;
  private Path epoch;

  HdfsSegmentStore(DistributedFileSystem fs, Path directory, String incarnation) {
    this.fs = fs;
    this.directory = directory;
    this.incarnation = incarnation;
  }

  @Override
  public List<String> fence() throws IOException {
    fs.mkdirs(directory, PRIVATE);
    long last = 0;
    for (FileStatus found : fs.listStatus(directory)) {
      String name = found.getPath().getName();
      if (name.startsWith(EPOCH)) {
        last = Math.max(last, number(name, EPOCH));
        fs.rename(found.getPath(), new Path(directory, FENCED + name.substring(EPOCH.length())));
      } else if (name.startsWith(FENCED)) {
        last = Math.max(last, number(name, FENCED));
      } else if (name.startsWith(UNREAD)) {
        last = Math.max(last, number(name, UNREAD));
      } else if (name.startsWith(CLAIM)) {
        fs.delete(found.getPath(), true); // its owner was killed before it had the journal
      }
    }
    claim(last + 1);
    return fencedSegments();
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

  private List<String> fencedSegments() throws IOException {
    for (FileStatus found : sorted(fs.listStatus(directory))) {
      if (found.getPath().getName().startsWith(FENCED)) {
        fenced.add(found.getPath());
      }
    }
    List<String> names = new ArrayList<>();
    for (Path former : fenced) {
      for (FileStatus found : sorted(fs.listStatus(former))) {
        String name = found.getPath().getName();
        if (name.startsWith(SEGMENT) && !name.endsWith(UNPUBLISHED)) {
          recover(found.getPath());
          names.add(former.getName() + "/" + name);
        }
      }
    }
    for (Path former : new ArrayList<>(fenced)) { // of an owner that failed before it had a segment
      if (names.stream().noneMatch(name -> name.startsWith(former.getName() + "/"))) {
        fs.delete(former, true);
        fenced.remove(former);
      }
    }
    return names;
  }

  private static FileStatus[] sorted(FileStatus[] list) {
    Arrays.sort(list, (a, b) -> a.getPath().getName().compareTo(b.getPath().getName()));
    return list;
  }

  private static long number(String name, String prefix) throws IOException {
    try {
      return Long.parseLong(name.substring(prefix.length()));
    } catch (NumberFormatException e) {
      throw new IOException("the journal's directory contains an unknown file: " + name, e);
    }
  }

  private static String padded(long number) {
    return String.format("%010d", number);
  }

  /** Ends another process's writing to a file and waits until its length is settled. */
  private void recover(Path file) throws IOException {
    long start = System.nanoTime();
    long asked = start;
    boolean closed = fs.isFileClosed(file) || fs.recoverLease(file);
    while (!closed) {
      pause();
      long now = System.nanoTime();
      if ((now - start) / 1_000_000 > RECOVERY_MS) {
        throw new IOException("the journal's segment " + file + " cannot be recovered");
      }
      if ((now - asked) / 1_000_000 > 5_000) {
        LOG.warn("Still waiting for the recovery of {}", file);
        asked = now;
        closed = fs.recoverLease(file);
      } else {
        closed = fs.isFileClosed(file);
      }
    }
  }

  private static void pause() throws InterruptedIOException {
    try {
      Thread.sleep(100);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("stopped while a segment was recovered");
    }
  }

  @Override
  public Output create() throws IOException {
    String name = SEGMENT + padded(++segments);
    Path temporary = new Path(epoch, name + UNPUBLISHED);
    FSDataOutputStream out =
        fs.createFile(temporary)
            .overwrite(false)
            .replicate() // hsync does nothing for an erasure coded file
            .permission(new FsPermission((short) 0600))
            .bufferSize(BUFFER)
            .build();
    own.add(new Path(epoch, name));
    return new HdfsOutput(out, temporary, own.get(own.size() - 1));
  }

  @Override
  public Input open(String name) throws IOException {
    return new HdfsInput(fs.open(new Path(directory, name)));
  }

  @Override
  public void setFencedAside() throws IOException {
    for (Path former : fenced) {
      String number = former.getName().substring(FENCED.length());
      fs.rename(former, new Path(directory, UNREAD + number), Options.Rename.NONE);
    }
    fenced.clear();
  }

  @Override
  public void keepOnly(String name) throws IOException {
    for (Path former : fenced) {
      fs.delete(former, true);
    }
    fenced.clear();
    for (Iterator<Path> all = own.iterator(); all.hasNext(); ) {
      Path segment = all.next();
      if (!(epoch.getName() + "/" + segment.getName()).equals(name)) {
        fs.delete(segment, false);
        all.remove();
      }
    }
  }

  @Override
  public void close() {}

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
    public String name() {
      return epoch.getName() + "/" + path.getName();
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
    public void publish() throws IOException {
      if (!fs.rename(temporary, path)) {
        throw new FileNotFoundException(temporary + " is gone: another daemon is active");
      }
    }

    @Override
    public void close() throws IOException {
      out.close();
    }
  }

  /** A file being read, as long as it was when it was opened. */
  private static final class HdfsInput implements Input {
    private final FSDataInputStream in;

    HdfsInput(FSDataInputStream in) {
      this.in = in;
    }

    @Override
    public long length() throws IOException {
      return ((HdfsDataInputStream) in).getVisibleLength();
    }

    @Override
    public int read(long position, byte[] into, int offset, int length) throws IOException {
      return position >= length() ? -1 : in.read(position, into, offset, length);
    }

    @Override
    public void close() throws IOException {
      in.close();
    }
  }
}
