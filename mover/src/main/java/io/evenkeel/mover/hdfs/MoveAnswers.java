package io.evenkeel.mover.hdfs;

import io.evenkeel.mover.core.task.MoveResult;
import io.evenkeel.mover.core.task.MoveResult.Kind;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.apache.hadoop.hdfs.protocol.datatransfer.InvalidEncryptionKeyException;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.BlockOpResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.Status;

/**
 * What a DataNode's answer to a request to move a replica means. The protocol has three codes and
 * else the text of the exception, so the text is read. Stateless.
 */
final class MoveAnswers {
  private static final Map<Pattern, Kind> KINDS = new LinkedHashMap<>();

  static {
    means(Kind.EXISTS, "ReplicaAlreadyExistsException");
    means(
        Kind.NO_SPACE, "DiskOutOfSpaceException|No more available volumes|No space left on device");
    means(Kind.PINNED, "BlockPinningException|because it's pinned");
    means(
        Kind.CHANGED,
        "ReplicaNotFoundException|Corrupted replica|Replica not found"
            + "|gen stamp|genstamp|generation stamp");
    means(
        Kind.DENIED,
        "InvalidBlockTokenException|InvalidToken|SaslException|InvalidEncryptionKeyException");
    means(
        Kind.UNREACHABLE,
        "EOFException|ConnectException|ConnectTimeoutException|SocketTimeoutException"
            + "|SocketException|NoRouteToHostException");
  }

  /** Begins what a DataNode says that was asked for the bytes; the target passes it on. */
  private static final String OF_PROXY = "Not able to copy block";

  private MoveAnswers() {}

  private static void means(Kind kind, String texts) {
    KINDS.put(Pattern.compile(texts), kind);
  }

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
    for (Map.Entry<Pattern, Kind> known : KINDS.entrySet()) {
      if (known.getKey().matcher(text).find()) {
        return known.getValue();
      }
    }
    return other;
  }

  private static String line(String text) {
    return text.split("\n", 2)[0].trim();
  }
}
