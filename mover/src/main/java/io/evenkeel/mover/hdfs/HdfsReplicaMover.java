package io.evenkeel.mover.hdfs;

import io.evenkeel.mover.core.plan.ReplicaMove;
import io.evenkeel.mover.core.task.MoveResult;
import io.evenkeel.mover.engine.AccessDeniedException;
import io.evenkeel.mover.engine.LocalMoveLease;
import io.evenkeel.mover.engine.ReplicaMover;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.protocol.datatransfer.IOStreamPair;
import org.apache.hadoop.hdfs.protocol.datatransfer.Sender;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.BlockOpResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.Status;
import org.apache.hadoop.hdfs.protocolPB.PBHelperClient;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.util.Time;

/**
 * Asks the target DataNode to take a replica, over the network with block token and SASL as the
 * cluster wants it. The DataNodes are those of the last report on the connection. A refused token
 * is tried once more with new block keys. Thread-safe.
 */
public final class HdfsReplicaMover implements ReplicaMover {
  /** A DataNode that copies says so twice a minute; one that moves inside itself is silent. */
  private static final int SILENCE_MILLIS = 5 * HdfsConstants.READ_TIMEOUT;

  private static final int BUFFER = 512;

  private final HdfsConnection connection;
  private final long limitMillis;
  private final boolean byHostName;
  private final HdfsLocalMoveLease lease;

  /**
   * Creates it.
   *
   * @param limit after this time a move is given up; the DataNode may finish it all the same
   */
  public HdfsReplicaMover(HdfsConnection connection, Duration limit) {
    Configuration conf = connection.conf();
    this.connection = connection;
    this.limitMillis = limit.toMillis();
    this.lease = new HdfsLocalMoveLease(connection);
    this.byHostName =
        conf.getBoolean(
            HdfsClientConfigKeys.DFS_CLIENT_USE_DN_HOSTNAME,
            HdfsClientConfigKeys.DFS_CLIENT_USE_DN_HOSTNAME_DEFAULT);
  }

  @Override
  public MoveResult move(ReplicaMove move, Consumer<String> alive) throws InterruptedException {
    return move(move, alive, () -> true);
  }

  @Override
  public MoveResult move(ReplicaMove move, Consumer<String> alive, BooleanSupplier mayAsk)
      throws InterruptedException {
    String refusal = connection.refusal();
    if (refusal != null) {
      return MoveResult.of(MoveResult.Kind.HELD, refusal);
    }
    DatanodeInfo target = connection.dataNode(move.target());
    DatanodeInfo proxy = connection.dataNode(move.proxy());
    if (target == null) {
      return notLive(MoveResult.Kind.UNREACHABLE, move.target());
    }
    if (proxy == null) {
      return notLive(MoveResult.Kind.PROXY_UNREACHABLE, move.proxy());
    }
    try {
      BlockKeys keys = connection.blockKeys();
      int generation = keys.generation();
      MoveResult result = attempt(move, target, proxy, keys, alive, mayAsk);
      if (result.kind() != MoveResult.Kind.DENIED || !keys.areUsed()) {
        return result;
      }
      keys.refresh(generation);
      return attempt(move, target, proxy, keys, alive, mayAsk);
    } catch (AccessDeniedException e) {
      return MoveResult.of(MoveResult.Kind.DENIED, e.getMessage());
    } catch (IOException e) {
      throwIfInterrupted(e);
      return MoveResult.of(MoveResult.Kind.FAILED, e.getMessage());
    }
  }

  @Override
  public LocalMoveLease lease() {
    return lease;
  }

  private static MoveResult notLive(MoveResult.Kind kind, String node) {
    return MoveResult.of(kind, "DataNode " + node + " is not live");
  }

  private MoveResult attempt(
      ReplicaMove move,
      DatanodeInfo target,
      DatanodeInfo proxy,
      BlockKeys keys,
      Consumer<String> alive,
      BooleanSupplier mayAsk)
      throws InterruptedException {
    try {
      return exchange(move, target, proxy, keys, alive, mayAsk);
    } catch (IOException e) {
      throwIfInterrupted(e);
      MoveResult result = MoveAnswers.of(e);
      if (result.kind() == MoveResult.Kind.DENIED) { // by the target
        alive.accept(move.target());
      }
      return result;
    }
  }

  private static void throwIfInterrupted(IOException e) throws InterruptedException {
    if (HdfsErrors.isInterrupt(e)) {
      Thread.interrupted();
      throw (InterruptedException) new InterruptedException("move given up").initCause(e);
    }
  }

  private MoveResult exchange(
      ReplicaMove move,
      DatanodeInfo target,
      DatanodeInfo proxy,
      BlockKeys keys,
      Consumer<String> alive,
      BooleanSupplier mayAsk)
      throws IOException {
    ExtendedBlock block =
        new ExtendedBlock(
            connection.blockPool(),
            move.replica().blockId(),
            move.replica().bytes(),
            move.generationStamp());
    StorageType type = StorageType.valueOf(move.targetType());
    Token<BlockTokenIdentifier> token = keys.token(block, type);
    // The factory's sockets have channels, so that an interrupt ends a wait at once.
    try (Socket socket = NetUtils.getDefaultSocketFactory(connection.conf()).createSocket()) {
      socket.setTcpNoDelay(true);
      socket.setKeepAlive(true);
      NetUtils.connect(
          socket,
          NetUtils.createSocketAddr(target.getXferAddr(byHostName)),
          HdfsConstants.READ_TIMEOUT);
      OutputStream rawOut = NetUtils.getOutputStream(socket, HdfsConstants.READ_TIMEOUT);
      InputStream rawIn = NetUtils.getInputStream(socket, Math.min(limitMillis, SILENCE_MILLIS));
      IOStreamPair streams =
          connection
              .client()
              .getSaslDataTransferClient()
              .socketSend(socket, rawOut, rawIn, keys, token, target);
      DataOutputStream out = new DataOutputStream(new BufferedOutputStream(streams.out, BUFFER));
      DataInputStream in = new DataInputStream(new BufferedInputStream(streams.in, BUFFER));
      if (!mayAsk.getAsBoolean()) { // connecting may have taken long
        return MoveResult.of(MoveResult.Kind.TOO_LATE, "");
      }
      new Sender(out).replaceBlock(block, type, token, move.replica().node(), proxy, null);
      return answer(in, target, move, alive);
    }
  }

  private MoveResult answer(
      InputStream in, DatanodeInfo target, ReplicaMove move, Consumer<String> alive)
      throws IOException {
    long start = Time.monotonicNow();
    while (true) {
      BlockOpResponseProto answer;
      try {
        answer = BlockOpResponseProto.parseFrom(PBHelperClient.vintPrefixed(in));
      } catch (SocketTimeoutException e) {
        return MoveResult.of(MoveResult.Kind.UNANSWERED, target + ": " + e.getMessage());
      } catch (IOException e) {
        if (HdfsErrors.isInterrupt(e)) {
          throw e;
        }
        return MoveResult.of(MoveResult.Kind.BROKEN_OFF, target + ": " + e);
      }
      alive.accept(move.target());
      if (answer.getStatus() != Status.IN_PROGRESS) {
        return MoveAnswers.of(answer);
      }
      alive.accept(move.proxy()); // said with a packet that has come from it
      if (Time.monotonicNow() - start > limitMillis) {
        return MoveResult.of(
            MoveResult.Kind.UNANSWERED,
            "not done within " + limitMillis / 1000 + " s; the DataNode may still finish it");
      }
    }
  }
}
