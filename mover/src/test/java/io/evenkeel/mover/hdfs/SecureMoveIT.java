package io.evenkeel.mover.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.mover.core.plan.BlockView;
import io.evenkeel.mover.core.plan.FileView;
import io.evenkeel.mover.core.plan.Replica;
import io.evenkeel.mover.core.plan.ReplicaMove;
import io.evenkeel.mover.core.task.MoveResult;
import io.evenkeel.mover.core.task.MoveResult.Kind;
import java.lang.reflect.Field;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.security.token.block.BlockKey;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenSecretManager;
import org.apache.hadoop.hdfs.security.token.block.ExportedBlockKeys;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** DataNodes that ask for block tokens, and those that encrypt what they send as well. */
class SecureMoveIT {
  private static MoverCluster tokens;

  @BeforeAll
  static void start(@TempDir Path dir) throws Exception {
    tokens = start(dir, false);
  }

  @AfterAll
  static void stop() {
    tokens.close();
  }

  private static MoverCluster start(Path dir, boolean encrypted) throws Exception {
    Configuration conf = MoverCluster.conf(dir);
    conf.setBoolean("dfs.block.access.token.enable", true);
    conf.setBoolean("dfs.encrypt.data.transfer", encrypted);
    return MoverCluster.start(conf, 4);
  }

  static void moveFile(MoverCluster cluster, String path) throws Exception {
    byte[] data = cluster.write(path, 2 * MoverCluster.BLOCK + 1, 3);
    cluster.fs().setStoragePolicy(new org.apache.hadoop.fs.Path(path), "ALL_SSD");
    Map<String, Long> before = cluster.allCalls();
    try (HdfsConnection connection = cluster.connect()) {
      HdfsNamespace namespace = new HdfsNamespace(connection);
      connection.checkUpgrade(false);
      namespace.cluster();
      FileView file = MoverCluster.file(namespace, path);
      BlockView first = file.blocks().get(0);
      Replica source = first.replicas().get(0);
      String other = MoverCluster.other(namespace.cluster(), first).uuid();
      MoveResult remote =
          MoverCluster.mover(connection)
              .move(
                  new ReplicaMove(source, first.generationStamp(), other, "SSD", source.node()),
                  node -> {});
      assertThat(remote.kind()).as("%s", remote).isEqualTo(Kind.DONE);
      MoverCluster.awaitGone(namespace, path, source);
      assertThat(MoverCluster.moveAll(connection, MoverCluster.file(namespace, path), "SSD"))
          .hasSize(8)
          .allMatch(r -> r.kind() == Kind.DONE);
      MoverCluster.awaitAll(namespace, path, "SSD", 3);
    }
    assertThat(cluster.callsSince(before).get("GetBlockKeys")).isEqualTo(1);
    assertThat(cluster.read(path)).isEqualTo(data);
  }

  @Test
  void blockTokens_areMadeOfKeysFetchedOnce() throws Exception {
    moveFile(tokens, "/token");
  }

  @Test
  void encryptedTransfer_moves(@TempDir Path dir) throws Exception {
    try (MoverCluster cluster = start(dir, true)) {
      moveFile(cluster, "/encrypted");
    }
  }

  @Test
  void keysTheDataNodesDoNotKnow_areFetchedAgainOnce() throws Exception {
    try (HdfsConnection connection = tokens.connect()) {
      tokens.write("/keys", 10, 1);
      HdfsNamespace namespace = new HdfsNamespace(connection);
      namespace.cluster();
      FileView file = MoverCluster.file(namespace, "/keys");
      ExportedBlockKeys real = connection.protocol().getBlockKeys();
      Deque<ExportedBlockKeys> answers = new ArrayDeque<>(List.of(foreign(), real, foreign()));
      setKeys(
          connection,
          new BlockKeys(answers::poll, connection.blockPool(), () -> false, connection.conf()));

      assertThat(MoverCluster.moveAll(connection, file, "SSD"))
          .extracting(MoveResult::kind)
          .containsExactly(Kind.DONE);
      assertThat(answers).hasSize(1);

      MoverCluster.awaitAll(namespace, "/keys", "SSD", 1);
      Deque<ExportedBlockKeys> bad = new ArrayDeque<>(List.of(foreign(), foreign()));
      setKeys(
          connection,
          new BlockKeys(bad::poll, connection.blockPool(), () -> false, connection.conf()));
      List<MoveResult> refused =
          MoverCluster.moveAll(connection, MoverCluster.file(namespace, "/keys"), "DISK");
      assertThat(refused).extracting(MoveResult::kind).containsExactly(Kind.DENIED);
      assertThat(bad).isEmpty();
    }
  }

  /** Keys of another NameNode. */
  private static ExportedBlockKeys foreign() throws Exception {
    BlockTokenSecretManager other =
        new BlockTokenSecretManager(600_000, 600_000, 0, 1, "other", null, false);
    ExportedBlockKeys keys = other.exportKeys();
    BlockKey current = keys.getCurrentKey();
    assertThat(current.getKey()).isNotNull();
    return keys;
  }

  private static void setKeys(HdfsConnection connection, BlockKeys keys) throws Exception {
    Field field = HdfsConnection.class.getDeclaredField("keys");
    field.setAccessible(true);
    field.set(connection, keys);
  }
}
