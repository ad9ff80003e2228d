package io.evenkeel.mover.hdfs;

import io.evenkeel.mover.engine.AccessDeniedException;
import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.channels.ClosedByInterruptException;
import org.apache.hadoop.fs.ParentNotDirectoryException;
import org.apache.hadoop.hdfs.protocol.AlreadyBeingCreatedException;
import org.apache.hadoop.hdfs.protocol.RecoveryInProgressException;
import org.apache.hadoop.hdfs.server.namenode.LeaseExpiredException;
import org.apache.hadoop.hdfs.server.namenode.SafeModeException;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.ipc.StandbyException;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;

/** What the NameNode's exceptions mean to a user. Stateless. */
public final class HdfsErrors {
  /** What a NameNode says of a path below a file, after the path. */
  private static final String NO_DIRECTORY = "(is not a directory)";

  private static final String INODES = "/.reserved/.inodes/";

  private HdfsErrors() {}

  /** The exception as the NameNode threw it, where its class is known here. */
  static IOException unwrap(IOException e) {
    return e instanceof RemoteException ? ((RemoteException) e).unwrapRemoteException() : e;
  }

  /** Whether the path is not there: missing, or below a file. */
  public static boolean isMissing(IOException e) {
    IOException real = unwrap(e);
    return real instanceof FileNotFoundException
        || real instanceof ParentNotDirectoryException
        || (real instanceof AccessControlException && isBelowAFile(firstLine(real)));
  }

  /** Of a message that is the path and that alone; one that denies a path may end with its name. */
  private static boolean isBelowAFile(String message) {
    return message.startsWith("/") && message.endsWith(NO_DIRECTORY);
  }

  /**
   * The same for a path that may name an inode. One that only a snapshot has, since what it was
   * renamed below is deleted, is not below the root any more, and stock's NameNode fails to find
   * its way there (INodesInPath.resolve) without a message.
   */
  static boolean isMissing(IOException e, String path) {
    if (isMissing(e)) {
      return true;
    }
    String name = remoteClass(e);
    String said = firstLine(e.getCause() instanceof RemoteException ? e.getCause() : e);
    return path.startsWith(INODES)
        && name.equals(IllegalArgumentException.class.getName())
        && (said.equals(name) || said.equals(IllegalArgumentException.class.getSimpleName()));
  }

  /** What the NameNode threw, also where {@link #translate} told of it; empty where it did not. */
  static String remoteClass(IOException e) {
    Throwable thrown = e instanceof RemoteException ? e : e.getCause();
    return thrown instanceof RemoteException ? ((RemoteException) thrown).getClassName() : "";
  }

  /** Whether a glob is none; Hadoop wraps the exception of a library that differs by release. */
  static boolean isNoPattern(IOException e) {
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (cause.getClass().getSimpleName().equals("PatternSyntaxException")) {
        return true;
      }
    }
    return false;
  }

  /**
   * Whether a moment later the same call may be answered. The end of a connection is what the first
   * call over one that was kept finds after a restart of the NameNode.
   */
  static boolean isPassing(IOException e) {
    IOException real = unwrap(e);
    return real instanceof RetriableException
        || real instanceof SafeModeException
        || real instanceof EOFException;
  }

  /** Whether the thread was interrupted, as when the mover is closed. */
  static boolean isInterrupt(IOException e) {
    return e instanceof ClosedByInterruptException
        || e instanceof InterruptedIOException && !(e instanceof SocketTimeoutException);
  }

  /** Whether a file cannot be opened for writing since somebody else has it open. */
  static boolean isHeldByAnother(IOException e) {
    IOException real = unwrap(e);
    return real instanceof AlreadyBeingCreatedException
        || real instanceof RecoveryInProgressException;
  }

  /** Whether {@link #isHeldByAnother} is said of the very client that asks. */
  static boolean isHeldByItself(IOException e) {
    return String.valueOf(e.getMessage()).contains("is already the current lease holder");
  }

  /** Whether a file is not open for writing, not for this client, or not there. */
  static boolean isNotOpen(IOException e) {
    IOException real = unwrap(e);
    return real instanceof LeaseExpiredException || real instanceof FileNotFoundException;
  }

  /** Whether the NameNode is older than the method, or is none at all. */
  static boolean isUnknownMethod(IOException e) {
    String name = remoteClass(e);
    return name.endsWith("RpcNoSuchMethodException")
        || name.endsWith("RpcNoSuchProtocolException")
        || name.endsWith("UnsupportedOperationException");
  }

  /**
   * The exception for the user: one line that names the NameNode and what was asked of it.
   *
   * @param what what was asked, such as {@code list /a}
   */
  static IOException translate(IOException e, URI nameNode, String what) {
    IOException real = unwrap(e);
    String where = nameNode + ": " + what + ": ";
    if (real instanceof AccessControlException) {
      return new AccessDeniedException(
          where + "denied to user " + user() + ": " + firstLine(real), e);
    }
    if (isInterrupt(real)) {
      return real;
    }
    if (real instanceof StandbyException) {
      return new IOException(
          where
              + (nameNode.getPort() < 0
                  ? "none of its NameNodes is active now"
                  : "this NameNode is a standby; name the nameservice or the active one"),
          e);
    }
    if (isSafeMode(real)) {
      return new IOException(where + "the NameNode is in safe mode", e);
    }
    if (isUnknownMethod(e)) {
      return new IOException(
          where
              + "not supported there; the mover does not work through a router, name the NameNode"
              + " itself",
          e);
    }
    String why = firstLine(real).replaceFirst("; +For more details see:.*", "");
    if (isNoAnswer(e)) {
      return new IOException(nameNode + ": the NameNode does not answer: " + why, e);
    }
    return new IOException(where + why, e);
  }

  /** Of this process alone: a NameNode that tells of another server that is away has answered. */
  private static boolean isNoAnswer(IOException e) {
    return e instanceof ConnectException
        || e instanceof UnknownHostException
        || e instanceof NoRouteToHostException
        || e instanceof SocketTimeoutException;
  }

  /** With HA the active NameNode has clients try again until it leaves safe mode by itself. */
  private static boolean isSafeMode(IOException real) {
    return real instanceof SafeModeException
        || real instanceof RetriableException
            && firstLine(real).startsWith(SafeModeException.class.getName() + ":");
  }

  /** Short name of the user the calls are made as. */
  static String user() {
    try {
      return UserGroupInformation.getCurrentUser().getShortUserName();
    } catch (IOException e) {
      return "unknown";
    }
  }

  static String firstLine(Throwable e) {
    String first = e.getMessage() == null ? "" : e.getMessage().split("\n", 2)[0].trim();
    if (!first.isEmpty()) {
      return first;
    }
    String name = e instanceof RemoteException ? ((RemoteException) e).getClassName() : null;
    return name == null ? e.getClass().getSimpleName() : name.substring(name.lastIndexOf('.') + 1);
  }
}
