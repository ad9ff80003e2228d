package io.evenkeel.mover.follow;

import io.evenkeel.mover.core.follow.LeaseView;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.client.HdfsDataOutputStream;
import org.apache.hadoop.hdfs.client.HdfsDataOutputStream.SyncFlag;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file that its owner keeps open and lengthens by a byte with each renewal; the NameNode knows
 * its length, so others see renewals without a DataNode. Taking it replaces the file, after which
 * the former owner's next renewal fails. Looks are for one thread, renewals for another one; no
 * renewal goes on while it is taken, released or abandoned. Separate from the daemon, which knows
 * nothing of the file.
 */
final class HdfsLease {
  private static final Logger LOG = LoggerFactory.getLogger(HdfsLease.class);
  private static final int LONGEST_HEAD = 1024;

  private final DistributedFileSystem fs;
  private final Path file;
  private final String instance;
  private final String incarnation;
  private HdfsDataOutputStream out;
  private long seenAt = -1; // the modification time of what was seen; -1 to read it again
  private LeaseView seen = LeaseView.ABSENT;

  HdfsLease(DistributedFileSystem fs, Path file, String instance, String incarnation) {
    this.fs = fs;
    this.file = file;
    this.instance = instance;
    this.incarnation = incarnation;
  }

  LeaseView look() throws IOException {
    FileStatus status;
    try {
      status = fs.getFileStatus(file);
    } catch (FileNotFoundException e) {
      return LeaseView.ABSENT;
    }
    long beats = 1 + status.getLen() + (status.getModificationTime() << 32);
    if (status.getModificationTime() != seenAt) {
      seen = read(beats);
      seenAt = seen.instance().isEmpty() ? -1 : status.getModificationTime();
    } else {
      seen = new LeaseView(seen.instance(), seen.incarnation(), beats);
    }
    return seen;
  }

  /** The owner as the file names it, empty when that cannot be read. */
  private LeaseView read(long beats) {
    byte[] bytes = new byte[LONGEST_HEAD];
    int length = 0;
    try (FSDataInputStream in = fs.open(file)) {
      int part = in.read(bytes, 0, bytes.length);
      while (part > 0) {
        length += part;
        part = length == bytes.length ? 0 : in.read(bytes, length, bytes.length - length);
      }
    } catch (IOException e) {
      LOG.debug("The owner of {} cannot be read", file, e);
      return new LeaseView("", "", beats);
    }
    String text = new String(bytes, 0, length, StandardCharsets.UTF_8);
    int end = text.indexOf('\n');
    int bar = text.lastIndexOf('|', Math.max(0, end));
    return end < 0 || bar < 0
        ? new LeaseView("", "", beats)
        : new LeaseView(text.substring(0, bar), text.substring(bar + 1, end), beats);
  }

  /** Makes this process the owner, whoever was. */
  void take() throws IOException {
    abandon();
    FSDataOutputStream created =
        fs.createFile(file)
            .recursive()
            .replicate() // hsync does nothing for an erasure coded file
            .permission(new FsPermission((short) 0600))
            .build();
    out = (HdfsDataOutputStream) created;
    seenAt = -1;
    out.write((instance + "|" + incarnation + "\n").getBytes(StandardCharsets.UTF_8));
    renew();
  }

  /**
   * Lengthens the file.
   *
   * @throws IOException when another process took it, or HDFS does not answer; the lease must be
   *     taken again then
   */
  void renew() throws IOException {
    out.write('.');
    out.hsync(EnumSet.of(SyncFlag.UPDATE_LENGTH));
  }

  /** Whether it is still this process's own. */
  private boolean isMine() throws IOException {
    LeaseView view = look();
    return view.instance().equals(instance) && view.incarnation().equals(incarnation);
  }

  /** Deletes the file when it is still this process's own. */
  void release() throws IOException {
    if (out == null) {
      return;
    }
    boolean mine = isMine();
    abandon();
    if (mine) {
      fs.delete(file, false);
    }
  }

  /** Lets go of the stream and leaves the file. */
  void abandon() {
    if (out != null) {
      try {
        out.close();
      } catch (IOException e) {
        LOG.debug("The former lease {} was not closed", file, e);
      }
      out = null;
    }
  }
}
