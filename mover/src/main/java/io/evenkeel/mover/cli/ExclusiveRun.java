package io.evenkeel.mover.cli;

import io.evenkeel.common.cli.CommandException;
import io.evenkeel.common.cli.ExitCode;
import io.evenkeel.mover.hdfs.MoverIdFile;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.AlreadyBeingCreatedException;
import org.apache.hadoop.hdfs.protocol.RecoveryInProgressException;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.AccessControlException;

/** {@code --exclusive}: holds the file by which stock's tools keep off each other. */
public final class ExclusiveRun implements Closeable {
  private final DistributedFileSystem fs;
  private final MoverIdFile id;

  private ExclusiveRun(DistributedFileSystem fs, MoverIdFile id) {
    this.fs = fs;
    this.id = id;
  }

  /**
   * Takes the file.
   *
   * @throws CommandException when another one has it, or when it may not be written
   */
  public static ExclusiveRun take(Configuration conf, URI namenode) throws IOException {
    DistributedFileSystem fs = (DistributedFileSystem) FileSystem.newInstance(namenode, conf);
    MoverIdFile id = MoverIdFile.ofRun(fs, InetAddress.getLocalHost().getHostName());
    try {
      id.take();
      return new ExclusiveRun(fs, id);
    } catch (IOException e) {
      throw explained(e, namenode);
    } finally {
      if (!id.isHeld()) {
        fs.close();
      }
    }
  }

  private static IOException explained(IOException e, URI namenode) {
    IOException said =
        e instanceof RemoteException ? ((RemoteException) e).unwrapRemoteException() : e;
    if (said instanceof AlreadyBeingCreatedException
        || said instanceof RecoveryInProgressException
        || said instanceof FileAlreadyExistsException) {
      throw new CommandException(
          ExitCode.COULD_NOT_RUN,
          "--exclusive: another mover or satisfier has " + MoverIdFile.FILE + " of " + namenode,
          e);
    }
    if (said instanceof AccessControlException) {
      throw new CommandException(
          ExitCode.DENIED,
          "--exclusive: " + MoverIdFile.FILE + " of " + namenode + " may not be written",
          e);
    }
    return e;
  }

  /** Gives it back. */
  @Override
  public void close() throws IOException {
    id.release();
    fs.close();
  }
}
