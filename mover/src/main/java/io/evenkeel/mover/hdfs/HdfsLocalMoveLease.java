package io.evenkeel.mover.hdfs;

import io.evenkeel.mover.engine.LocalMoveLease;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.security.PrivilegedExceptionAction;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The lease as a file of HDFS: who has it open for writing holds it, and of one that died the
 * NameNode keeps it for a minute. It stays empty and is never deleted, so nobody can delete
 * another's. An owner asks the NameNode to sync it, which that does for nobody else; a process that
 * waits sets its modification time to {@link #WANTED}, which changes when it is closed. {@code
 * this} guards it.
 */
final class HdfsLocalMoveLease implements LocalMoveLease {
  /** Path of the file. */
  static final Path FILE = new Path("/system/evenkeel-mover.id");

  /** The same where it needs no key, should {@code /system} be an encryption zone. */
  private static final Path RAW = new Path("/.reserved/raw" + FILE);

  private static final Logger LOG = LoggerFactory.getLogger(HdfsLocalMoveLease.class);

  /** No file was closed then. */
  private static final long WANTED = 1;

  /** What the NameNode logs is asked so seldom. */
  private static final int TRIES = 5;

  private static final long CLOSE_MILLIS = 5_000;

  private final HdfsConnection connection;

  /** One of its own: the NameNode knows who holds a file by its client. Null until needed. */
  private DistributedFileSystem fs;

  private FSDataOutputStream out; // null while it is not held

  private long inode; // of the file that is open
  private long modified; // at the last look
  private int looks; // since it was taken
  private int refused; // in a row
  private boolean stock; // had its file at the last attempt
  private boolean closed;

  HdfsLocalMoveLease(HdfsConnection connection) {
    this.connection = connection;
  }

  @Override
  public synchronized String take() throws IOException {
    if (closed) {
      return "this mover is closed";
    }
    if (out != null && isThere() && isMine()) { // an Error kept the caller from knowing of it
      return opened();
    }
    if (out != null) {
      abandon();
    }
    if (fs == null) {
      fs = connected();
    }
    boolean thorough = refused % TRIES == 0;
    if (stock) {
      refuseBesideStock(thorough);
    }
    if (!thorough && isOpen()) {
      return heldByAnother();
    }
    try {
      out = open();
      inode = MoverIdFile.inodeOf(out);
    } catch (IOException e) {
      if (HdfsErrors.isHeldByAnother(e)) {
        String held = heldByAnother();
        if (HdfsErrors.isHeldByItself(e)) {
          abandon(); // or it would renew it for good
        }
        return held;
      }
      abandon(); // the NameNode may have given it to this client, and not to another one then
      throw new IOException(FILE + " cannot be taken: " + HdfsErrors.firstLine(e), e);
    } catch (RuntimeException | Error e) {
      abandon();
      throw e;
    }
    return opened();
  }

  private String opened() throws IOException {
    refuseBesideStock(true);
    refused = 0;
    looks = 0;
    return null;
  }

  /** By a satisfier for as long as that runs. */
  private void refuseBesideStock(boolean thorough) throws IOException {
    try {
      stock = MoverIdFile.isHeldByStock(fs, thorough);
    } catch (IOException | RuntimeException | Error e) {
      release();
      abandon(); // the NameNode may have given stock's file to this client
      throw e;
    }
    if (stock) {
      release();
      refused++;
      throw new IOException(
          MoverIdFile.FILE + " is held: stop hdfs mover or the storage policy satisfier");
    }
  }

  private DistributedFileSystem connected() throws IOException {
    try {
      return connection
          .user()
          .doAs((PrivilegedExceptionAction<DistributedFileSystem>) this::connect);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (IOException) new InterruptedIOException("interrupted").initCause(e);
    }
  }

  /**
   * Whether the NameNode has the file open for this client; it syncs it for no other. It logs that
   * and writes an edit.
   */
  private boolean isMine() throws IOException {
    DFSClient client = fs.getClient();
    try {
      client.getNamenode().fsync(FILE.toString(), inode, client.getClientName(), -1);
      return true;
    } catch (IOException e) {
      if (HdfsErrors.isNotOpen(e)) {
        return false;
      }
      throw e;
    }
  }

  /** Whether the file is still where others look for it. */
  private boolean isThere() throws IOException {
    HdfsFileStatus status = fs.getClient().getFileInfo(FILE.toString());
    return status != null && status.getFileId() == inode;
  }

  private String heldByAnother() {
    refused++;
    tell();
    return FILE + " is held by another mover of Evenkeel";
  }

  private boolean isOpen() throws IOException {
    try {
      return !fs.isFileClosed(FILE);
    } catch (FileNotFoundException e) {
      return false;
    }
  }

  private DistributedFileSystem connect() throws IOException {
    DistributedFileSystem made = new DistributedFileSystem();
    made.initialize(connection.nameNode(), connection.conf());
    return made;
  }

  private FSDataOutputStream open() throws IOException {
    try {
      return fs.append(RAW);
    } catch (FileNotFoundException e) {
      LOG.debug("{} is made", FILE, e);
    }
    try {
      return fs.createFile(RAW)
          .overwrite(false)
          .recursive()
          .replicate() // an erasure coded file cannot be appended to
          .permission(new FsPermission((short) 0600))
          .build();
    } catch (FileAlreadyExistsException e) {
      return fs.append(RAW); // another made it meanwhile, or it is no file
    }
  }

  private void tell() {
    try {
      HdfsFileStatus status = fs.getClient().getFileInfo(FILE.toString());
      if (status != null && status.getModificationTime() != WANTED) { // each time is an edit
        fs.setTimes(FILE, WANTED, -1);
      }
    } catch (IOException e) {
      LOG.debug("{} was released meanwhile", FILE, e);
    }
  }

  /**
   * Also renews it, so that nobody else gets it for a minute from then on: HDFS's client does so
   * only twice a minute, and gives up without a word when it was not answered for long.
   */
  @Override
  public synchronized State look() throws IOException {
    if (out == null || !fs.getClient().renewLease()) {
      return State.LOST;
    }
    HdfsFileStatus status = fs.getClient().getFileInfo(FILE.toString());
    if (status == null || status.getFileId() != inode) {
      return State.LOST; // it was deleted or renamed: the next one makes the file anew
    }
    // Losing it changes the time, but whoever waits sets that again.
    boolean wanted = status.getModificationTime() == WANTED;
    boolean asks = wanted || status.getModificationTime() != modified || looks % TRIES == 0;
    if (asks && !isMine()) {
      return State.LOST; // and the next look asks again
    }
    looks++;
    modified = status.getModificationTime();
    if (MoverIdFile.isHeldByStock(fs, false)) {
      return State.FORBIDDEN;
    }
    return wanted ? State.WANTED : State.HELD;
  }

  @Override
  public synchronized void release() {
    if (out != null) {
      try {
        out.close();
        out = null;
      } catch (IOException e) {
        LOG.debug("{} was not released", FILE, e);
      } finally {
        if (out != null) {
          abandon();
        }
      }
    }
  }

  /**
   * Lets the NameNode believe that this process has died. Nor could it get the file back with this
   * client, which it has it of.
   */
  private synchronized void abandon() {
    if (fs != null) {
      fs.getClient().closeAllFilesBeingWritten(true);
      disconnect();
    }
  }

  /** The minute begins now. */
  private void renew() {
    try {
      if (fs != null) {
        fs.getClient().renewLease();
      }
    } catch (IOException e) {
      LOG.debug("{} was renewed a while ago", FILE, e);
    }
  }

  private void disconnect() {
    try {
      fs.close();
    } catch (IOException e) {
      LOG.debug("On closing", e);
    } finally {
      fs = null;
      out = null;
    }
  }

  @Override
  public void close(boolean goesOn) {
    if (goesOn) {
      LOG.warn(
          "DataNodes may still move replicas inside themselves: for a minute no other process"
              + " starts such moves ({} stays open)",
          FILE);
    }
    // The NameNode may not answer, and who closes a mover should not wait for it.
    Thread last = new Thread(() -> end(goesOn), "evenkeel-mover-lease-end");
    last.setDaemon(true);
    last.start();
    try {
      last.join(CLOSE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized void end(boolean goesOn) {
    closed = true;
    if (goesOn) {
      renew();
      abandon();
    }
    release();
    if (fs != null) {
      disconnect();
    }
  }
}
