package io.evenkeel.mover.hdfs;

import io.evenkeel.mover.core.task.MoveResult;
import io.evenkeel.mover.core.task.MoveResult.Kind;
import java.io.IOException;
import org.apache.hadoop.hdfs.protocol.datatransfer.InvalidEncryptionKeyException;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.BlockOpResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.Status;

/**
 * What a DataNode's answer to a request to move a replica means. The protocol has three codes and
 * else the text of the exception, so the text is read. Stateless.
 */
final class MoveAnswers {
  private static final Object[][] TEXTS = {
    {"ReplicaAlreadyExistsException", Kind.EXISTS},
    {"DiskOutOfSpaceException", Kind.NO_SPACE},
    {"No more available volumes", Kind.NO_SPACE},
    {"No space left on device", Kind.NO_SPACE},
    {"BlockPinningException", Kind.PINNED},
    {"because it's pinned", Kind.PINNED},
    {"ReplicaNotFoundException", Kind.CHANGED},
    {"Corrupted replica", Kind.CHANGED},
    {"Replica not found", Kind.CHANGED},
    {"gen stamp", Kind.CHANGED},
    {"genstamp", Kind.CHANGED},
    {"generation stamp", Kind.CHANGED},
    {"InvalidBlockTokenException", Kind.DENIED},
    {"InvalidToken", Kind.DENIED},
    {"SaslException", Kind.DENIED},
    {"InvalidEncryptionKeyException", Kind.DENIED},
    {"EOFException", Kind.UNREACHABLE},
    {"ConnectException", Kind.UNREACHABLE},
    {"ConnectTimeoutException", Kind.UNREACHABLE},
    {"SocketTimeoutException", Kind.UNREACHABLE},
    {"SocketException", Kind.UNREACHABLE},
    {"NoRouteToHostException", Kind.UNREACHABLE},
  };

  /** Begins what a DataNode says that was asked for the bytes; the target passes it on. */
  private static final String OF_PROXY = "Not able to copy block";

  private MoveAnswers() {}

  /** Of the final answer. */
  static MoveResult of(BlockOpResponseProto answer) {
    String message = line(answer.getMessage());
    Status status = answer.getStatus();
    switch (status) {
      case SUCCESS:
        return MoveResult.of(Kind.DONE, "");
      case ERROR_ACCESS_TOKEN:
        return MoveResult.of(Kind.DENIED, "block token refused " + message);
      case ERROR_BLOCK_PINNED:
        return MoveResult.of(Kind.PINNED, message);
      default:
        Kind kind = kind(message, Kind.FAILED);
        if (kind == Kind.UNREACHABLE) { // not the target, which has answered
          kind = Kind.PROXY_UNREACHABLE;
        }
        return MoveResult.of(kind, status.name() + " " + message);
    }
  }

  /** Of an exception on the way to the DataNode or back. */
  static MoveResult of(IOException e) {
    String text = line(e.toString());
    if (e instanceof InvalidEncryptionKeyException
        || e instanceof javax.security.sasl.SaslException) {
      return MoveResult.of(Kind.DENIED, text);
    }
    return MoveResult.of(kind(text, Kind.UNREACHABLE), text);
  }

  private static Kind kind(String text, Kind other) {
    if (text.contains("because threads quota")) {
      return text.contains(OF_PROXY) ? Kind.PROXY_BUSY : Kind.BUSY;
    }
    for (Object[] entry : TEXTS) {
      if (text.contains((String) entry[0])) {
        return (Kind) entry[1];
      }
    }
    return other;
  }

  private static String line(String text) {
    int end = text == null ? 0 : text.indexOf('\n');
    String line = text == null ? "" : end < 0 ? text : text.substring(0, end);
    return line.trim();
  }
}
