package io.evenkeel.mover.follow;

import io.evenkeel.mover.core.follow.LeaseRule.Lease;
import java.io.BufferedReader;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
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

  private final DistributedFileSystem fs;
  private final Path file;
  private final String owner;
  private HdfsDataOutputStream out;
  private long seenAt = -1; // the modification time of what was seen; -1 to read it again
  private String seenOwner;

  /**
   * Creates it.
   *
   * @param owner this process, its first line
   */
  HdfsLease(DistributedFileSystem fs, Path file, String owner) {
    this.fs = fs;
    this.file = file;
    this.owner = owner;
  }

  Lease look() throws IOException {
    FileStatus status;
    try {
      status = fs.getFileStatus(file);
    } catch (FileNotFoundException e) {
      return Lease.ABSENT;
    }
    long time = status.getModificationTime();
    if (time != seenAt) {
      seenOwner = readOwner();
      seenAt = seenOwner.isEmpty() ? -1 : time;
    }
    return new Lease(seenOwner, 1 + status.getLen() + (time << 32));
  }

  /** As the file names it, empty when that cannot be read. */
  private String readOwner() {
    try (BufferedReader in =
        new BufferedReader(new InputStreamReader(fs.open(file), StandardCharsets.UTF_8))) {
      String line = in.readLine();
      return line == null ? "" : line;
    } catch (IOException e) {
      LOG.debug("The owner of {} cannot be read", file, e);
      return "";
    }
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
    out.write((owner + "\n").getBytes(StandardCharsets.UTF_8));
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

  /** Deletes the file when it is still this process's own. */
  void release() throws IOException {
    if (out != null) {
      boolean mine = look().isOf(owner);
      abandon();
      if (mine) {
        fs.delete(file, false);
      }
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
