package io.evenkeel.locking.stress;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import org.apache.hadoop.hdfs.protocol.RecoveryInProgressException;
import org.apache.hadoop.hdfs.server.datanode.ReplicaAlreadyExistsException;
import org.apache.hadoop.hdfs.server.datanode.ReplicaNotFoundException;

/**
 * How a call ended.
 *
 * @param result what came back, by stock's type of exception
 * @param length bytes the caller knows of: after a write the length, of a recovery the length found
 * @param newLength bytes a recovery cuts to
 * @param volume index of the volume a new replica was put on, else -1
 * @param text the exception's message, for the report
 */
record Outcome(Result result, long length, long newLength, int volume, String text) {

  /** Kinds of ends. */
  enum Result {
    OK,
    NONE,
    NOT_FOUND,
    EXISTS,
    IN_PROGRESS,
    IO,
    BAD_ARGUMENT,
    INTERRUPTED,
    INJECTED,
    LOST,
    RUNTIME
  }

  static Outcome ok() {
    return new Outcome(Result.OK, 0, 0, -1, "");
  }

  static Outcome ok(long length, long newLength) {
    return new Outcome(Result.OK, length, newLength, -1, "");
  }

  static Outcome on(int volume) {
    return new Outcome(Result.OK, 0, 0, volume, "");
  }

  static Outcome of(Result result) {
    return new Outcome(result, 0, 0, -1, "");
  }

  /** What a thrown exception means to the model. */
  static Outcome failed(Throwable e) {
    return new Outcome(resultOf(e), 0, 0, -1, describe(e));
  }

  private static Result resultOf(Throwable e) {
    if (injected(e)) {
      return Result.INJECTED;
    }
    if (e instanceof ReplicaNotFoundException) {
      return Result.NOT_FOUND;
    }
    if (e instanceof ReplicaAlreadyExistsException) {
      return Result.EXISTS;
    }
    if (e instanceof RecoveryInProgressException) {
      return Result.IN_PROGRESS;
    }
    if (e instanceof IllegalArgumentException) {
      return Result.BAD_ARGUMENT;
    }
    if (!(e instanceof IOException)) {
      return Result.RUNTIME;
    }
    boolean interrupted =
        e instanceof ClosedByInterruptException
            || String.valueOf(e.getMessage()).contains("nterrupted")
            || Thread.currentThread().isInterrupted();
    return interrupted ? Result.INTERRUPTED : Result.IO;
  }

  private static boolean injected(Throwable e) {
    for (Throwable t = e; t != null; t = t.getCause()) {
      if (t instanceof SlowDisks.InjectedException) {
        return true;
      }
    }
    return false;
  }

  private static String describe(Throwable e) {
    StringBuilder b = new StringBuilder();
    for (Throwable t = e; t != null; t = t.getCause()) {
      String line = String.valueOf(t).replaceAll("\\s+", " ");
      b.append(b.length() == 0 ? "" : " <- ").append(line, 0, Math.min(260, line.length()));
    }
    if (!(e instanceof IOException)) {
      StackTraceElement[] stack = e.getStackTrace();
      for (int i = 0; i < Math.min(4, stack.length); i++) {
        b.append(" at ").append(stack[i]);
      }
    }
    return b.toString();
  }
}
