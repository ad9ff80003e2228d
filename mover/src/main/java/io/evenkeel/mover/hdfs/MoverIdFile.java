package io.evenkeel.mover.hdfs;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.OutputStream;
import org.apache.hadoop.crypto.CryptoOutputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Options.ChecksumOpt;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSOutputStream;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.util.DataChecksum;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The file by which {@code hdfs mover} and the stock satisfier keep off each other: whoever has it
 * open for writing runs. After a crash the NameNode gives it to nobody else for a minute; a daemon
 * of ours takes one that an earlier daemon left over at once, since that one lost its lease of the
 * daemon. Not thread-safe.
 */
public final class MoverIdFile {
  /** Path of the file. */
  public static final Path FILE = new Path("/system/mover.id");

  /** The same where it needs no key, should {@code /system} be an encryption zone. */
  private static final Path RAW = new Path("/.reserved/raw" + FILE);

  private static final Logger LOG = LoggerFactory.getLogger(MoverIdFile.class);

  private static final long MIB = 1 << 20;

  /**
   * How others tell a daemon's from stock's: by a block size of whole MiB and this many bytes. The
   * NameNode knows it while no DataNode answers, and nobody can change it. It is of whole checksum
   * chunks up to 64 KiB: with another size no client could open the file.
   */
  private static final long MARK = 192 << 10;

  private final DistributedFileSystem fs;
  private FSDataOutputStream out;
  private long inode;

  /** For a daemon, which takes over what another daemon left. */
  public MoverIdFile(DistributedFileSystem fs) {
    this.fs = fs;
  }

  /**
   * Whether stock's mover or satisfier has it. After a crash of one that is so for a minute.
   *
   * @param thorough whether a file that is open is tried to be opened, which has the NameNode log a
   *     line where it refuses; else an open one counts as held, also after that minute
   * @throws IOException when HDFS does not answer
   */
  static boolean isHeldByStock(DistributedFileSystem fs, boolean thorough) throws IOException {
    HdfsFileStatus now = fs.getClient().getFileInfo(FILE.toString());
    try {
      if (now == null || isOfDaemon(now) || fs.isFileClosed(FILE)) {
        return false;
      }
      if (!thorough) {
        return true;
      }
      fs.append(RAW).close();
      return false;
    } catch (FileNotFoundException e) {
      return false;
    } catch (RemoteException e) {
      if (HdfsErrors.isHeldByAnother(e) && !HdfsErrors.isHeldByItself(e)) {
        return true;
      }
      throw e;
    }
  }

  /** Whether it was taken and not released; who was held up for a minute asks {@link #confirm}. */
  public boolean isHeld() {
    return out != null;
  }

  /**
   * Asks the NameNode whether what was taken is still open for this one: who does not renew its
   * lease for a minute loses it to the next that comes. When lost, it is not held any more. Two
   * calls, which change nothing.
   *
   * @return whether it is held
   * @throws IOException when HDFS does not answer
   */
  public boolean confirm() throws IOException {
    if (out != null && isLost()) {
      LOG.warn("{} was taken by another tool, as this one had not renewed it for too long", FILE);
      try {
        out.close();
      } catch (IOException e) {
        LOG.debug("{} is not closed, as another tool holds it", FILE, e);
      }
      out = null;
    }
    return out != null;
  }

  /** By path: a snapshot keeps the inode of a file that was deleted. */
  private boolean isLost() throws IOException {
    HdfsFileStatus now = fs.getClient().getFileInfo(FILE.toString());
    return now == null || now.getFileId() != inode || fs.isFileClosed(FILE);
  }

  /**
   * Takes the file.
   *
   * @throws IOException when another tool holds it, or HDFS does not answer
   */
  public void take() throws IOException {
    HdfsFileStatus now = fs.getClient().getFileInfo(FILE.toString());
    if (now != null) {
      if (!isOfDaemon(now)) {
        openAndClose(); // fails while somebody writes to it
      }
      delete(now.getFileId());
    }
    // As stock's Mover does: an erasure coded file could be neither flushed nor appended to.
    // The least the NameNode allows may be as large as either.
    long usual = Math.max(fs.getServerDefaults(FILE).getBlockSize(), fs.getDefaultBlockSize(FILE));
    out =
        fs.createFile(FILE)
            .overwrite(false)
            .recursive()
            .replicate()
            .blockSize((usual + MIB - 1) / MIB * MIB + MARK)
            .checksumOpt(new ChecksumOpt(DataChecksum.Type.CRC32C, 512)) // divides it
            .build();
    inode = inodeOf(out);
  }

  private void openAndClose() throws IOException {
    try {
      FSDataOutputStream opened = fs.append(RAW);
      try {
        opened.close();
      } catch (IOException e) {
        LOG.debug("{} was not closed, and is deleted", FILE, e); // as stock does
      }
    } catch (IOException e) {
      if (!HdfsErrors.isHeldByItself(e)) { // since an attempt before was not answered
        throw e;
      }
    }
  }

  /** Of a file that was opened for writing. */
  static long inodeOf(FSDataOutputStream created) {
    OutputStream stream = created.getWrappedStream();
    if (stream instanceof CryptoOutputStream) {
      stream = ((CryptoOutputStream) stream).getWrappedStream();
    }
    return ((DFSOutputStream) stream).getFileId();
  }

  /**
   * By its inode, as another tool may replace the file at any moment; and only while it is there,
   * as the inode of one that a snapshot keeps leads to what has its path by now.
   */
  private void delete(long id) throws IOException {
    try {
      HdfsFileStatus now = fs.getClient().getFileInfo(FILE.toString());
      if (now != null && now.getFileId() == id) {
        fs.delete(new Path("/.reserved/.inodes/" + id), false);
      }
    } catch (FileNotFoundException e) {
      LOG.debug("{} is gone already", FILE, e);
    }
  }

  private static boolean isOfDaemon(HdfsFileStatus file) {
    long mark = file.getBlockSize() % MIB;
    return file.getBlockSize() > MIB && (mark == MARK || mark == 512); // of the first ones
  }

  /** Gives it back and deletes it. */
  public void release() {
    if (out == null) {
      return;
    }
    try {
      out.close();
    } catch (IOException e) {
      LOG.debug("{} was not closed", FILE, e); // as when no DataNode of it answers
    }
    out = null;
    try {
      delete(inode);
    } catch (IOException e) {
      LOG.debug("{} was not released", FILE, e);
    }
  }
}
