package io.evenkeel.mover.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.common.cli.CommandException;
import io.evenkeel.common.testing.Await;
import io.evenkeel.mover.core.plan.BlockView;
import io.evenkeel.mover.core.plan.ClusterView;
import io.evenkeel.mover.core.plan.FileView;
import io.evenkeel.mover.core.plan.NodeView;
import io.evenkeel.mover.core.plan.Replica;
import io.evenkeel.mover.core.plan.ReplicaMove;
import io.evenkeel.mover.core.task.MoveResult;
import io.evenkeel.mover.core.task.MoveResult.Kind;
import io.evenkeel.mover.engine.AccessDeniedException;
import io.evenkeel.mover.engine.Namespace;
import io.evenkeel.mover.request.MoveRequest;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.reflect.Field;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.BlockOpResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.Status;
import org.apache.hadoop.hdfs.tools.DFSAdmin;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.util.ToolRunner;
import org.apache.hadoop.util.VersionInfo;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The adapter and a real HDFS of four DataNodes with DISK, SSD and ARCHIVE each, on two racks. */
class HdfsMoveIT {
  private static final int B = MoverCluster.BLOCK;

  private static MoverCluster cluster;

  private HdfsConnection connection;
  private HdfsNamespace namespace;

  @BeforeAll
  static void start(@TempDir Path dir) throws IOException {
    cluster = MoverCluster.start(MoverCluster.conf(dir), 4, new String[] {"/a", "/a", "/b", "/b"});
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  @BeforeEach
  void open() throws IOException {
    connection = cluster.connect();
    namespace = new HdfsNamespace(connection);
  }

  @AfterEach
  void close() {
    connection.close();
  }

  private static org.apache.hadoop.fs.Path path(String path) {
    return new org.apache.hadoop.fs.Path(path);
  }

  private static DistributedFileSystem fs() throws IOException {
    return cluster.fs();
  }

  @Test
  void oneFile_movedInsideItsDataNodes_costsSevenCalls() throws Exception {
    byte[] data = cluster.write("/one/f", 3 * B - 100, 3);
    fs().setStoragePolicy(path("/one/f"), "ALL_SSD");
    Map<String, Long> before = cluster.allCalls();

    try (HdfsConnection own = cluster.connect()) {
      HdfsNamespace files = new HdfsNamespace(own);
      own.checkUpgrade(false);
      files.cluster();
      FileView file = MoverCluster.file(files, "/one/f");
      assertThat(file.wantedTypes().policy()).isEqualTo("ALL_SSD");
      assertThat(file.wantedTypes().replication()).isEqualTo(3);
      assertThat(file.isOpen()).isFalse();
      assertThat(file.blocks()).hasSize(3);
      assertThat(file.blocks())
          .extracting(BlockView::bytes)
          .containsExactly((long) B, (long) B, B - 100L);
      for (BlockView block : file.blocks()) {
        assertThat(block.replicas()).extracting(Replica::type).containsOnly("DISK").hasSize(3);
        assertThat(file.wantedTypes().typesFor(block)).containsExactly("SSD", "SSD", "SSD");
      }
      assertThat(MoverCluster.moveAll(own, file, "SSD"))
          .hasSize(9)
          .allMatch(r -> r.kind() == Kind.DONE);
      files.files(List.of("/one/f"));
    }
    Map<String, Long> calls = cluster.callsSince(before, 7);
    assertThat(calls.values().stream().mapToLong(c -> c).sum()).as("%s", calls).isEqualTo(7);

    MoverCluster.awaitAll(namespace, "/one/f", "SSD", 3);
    assertThat(cluster.read("/one/f")).isEqualTo(data);
  }

  @Test
  void replica_movedToAnotherDataNode_leavesItsOwn() throws Exception {
    byte[] data = cluster.write("/remote", B, 3);
    fs().setStoragePolicy(path("/remote"), "ONE_SSD");
    ClusterView view = namespace.cluster();
    BlockView block = MoverCluster.file(namespace, "/remote").blocks().get(0);
    NodeView target = MoverCluster.other(view, block);
    List<String> holders = block.replicas().stream().map(Replica::node).toList();
    Replica source =
        block.replicas().stream()
            .filter(r -> namespace.movableRule().isMovable(false, holders, r.node(), target.uuid()))
            .findFirst()
            .orElseThrow();

    MoveResult result =
        MoverCluster.mover(connection)
            .move(
                new ReplicaMove(
                    source, block.generationStamp(), target.uuid(), "SSD", source.node()),
                node -> {});

    assertThat(result.kind()).as("%s", result).isEqualTo(Kind.DONE);
    FileView after = MoverCluster.awaitTypes(namespace, "/remote", List.of("DISK", "DISK", "SSD"));
    assertThat(after.blocks().get(0).replicas())
        .extracting(Replica::node)
        .contains(target.uuid())
        .doesNotContain(source.node());
    assertThat(cluster.read("/remote")).isEqualTo(data);
  }

  @Test
  void placementRule_lastReplicaOfARack_staysInIt() throws Exception {
    ClusterView view = namespace.cluster();
    List<String> a = new ArrayList<>();
    List<String> b = new ArrayList<>();
    for (NodeView node : view.nodes()) {
      (node.location().equals("/a") ? a : b).add(node.uuid());
    }
    List<String> holders = List.of(a.get(0), b.get(0));
    assertThat(namespace.movableRule().isMovable(false, holders, a.get(0), a.get(1))).isTrue();
    assertThat(namespace.movableRule().isMovable(false, holders, a.get(0), b.get(1))).isFalse();
    assertThat(namespace.movableRule().isMovable(false, holders, a.get(0), "gone")).isFalse();
  }

  @Test
  void refusals_ofADataNode_haveTheirKind() throws Exception {
    cluster.write("/refused", B, 3);
    ClusterView view = namespace.cluster();
    BlockView block = MoverCluster.file(namespace, "/refused").blocks().get(0);
    Replica replica = block.replicas().get(0);
    HdfsReplicaMover mover = MoverCluster.mover(connection);

    assertThat(mover.move(MoverCluster.local(block, replica, "DISK"), node -> {}).kind())
        .isEqualTo(Kind.EXISTS);
    assertThat(mover.move(MoverCluster.local(block, replica, "RAM_DISK"), node -> {}).kind())
        .isEqualTo(Kind.NO_SPACE);
    Replica longer = new Replica(replica.node(), "DISK", replica.blockId(), B + 1);
    assertThat(mover.move(MoverCluster.local(block, longer, "SSD"), node -> {}).kind())
        .isEqualTo(Kind.CHANGED);
    Replica unknown = new Replica(replica.node(), "DISK", 1, B);
    assertThat(mover.move(MoverCluster.local(block, unknown, "SSD"), node -> {}).kind())
        .isEqualTo(Kind.CHANGED);
    String target = MoverCluster.other(view, block).uuid();
    assertThat(
            mover
                .move(
                    new ReplicaMove(
                        unknown, block.generationStamp(), target, "SSD", replica.node()),
                    node -> {})
                .kind())
        .isIn(Kind.CHANGED, Kind.PROXY_UNREACHABLE);
    assertThat(
            mover
                .move(
                    new ReplicaMove(replica, block.generationStamp(), "gone", "SSD", "gone"),
                    node -> {})
                .kind())
        .isEqualTo(Kind.UNREACHABLE);
  }

  /** A move of a new file to a DataNode that is a socket of the test. */
  private ReplicaMove toMute(String path, ServerSocket socket) throws Exception {
    cluster.write(path, 10, 1);
    namespace.cluster();
    BlockView block = MoverCluster.file(namespace, path).blocks().get(0);
    Replica replica = block.replicas().get(0);
    DatanodeInfo mute =
        new DatanodeInfo.DatanodeInfoBuilder()
            .setFrom(connection.dataNode(replica.node()))
            .setNodeID(
                new DatanodeID("127.0.0.1", "localhost", "mute", socket.getLocalPort(), 1, 0, 1))
            .build();
    dataNodes(connection).put("mute", mute);
    return new ReplicaMove(replica, block.generationStamp(), "mute", "SSD", replica.node());
  }

  private static ServerSocket socket() throws IOException {
    return new ServerSocket(0, 5, InetAddress.getByName("127.0.0.1"));
  }

  /** Throttled, a move may take an hour. */
  @Test
  void dataNodeThatIsAtWork_givesSignsOfLife() throws Exception {
    try (ServerSocket slow = socket()) {
      ReplicaMove move = toMute("/slow", slow);
      List<String> alive = new CopyOnWriteArrayList<>();
      CompletableFuture<MoveResult> result =
          CompletableFuture.supplyAsync(
              () -> {
                try {
                  return MoverCluster.mover(connection).move(move, alive::add);
                } catch (InterruptedException e) {
                  throw new IllegalStateException(e);
                }
              });
      try (Socket asked = slow.accept()) {
        BlockOpResponseProto.Builder answer = BlockOpResponseProto.newBuilder();
        answer.setStatus(Status.IN_PROGRESS).build().writeDelimitedTo(asked.getOutputStream());
        answer.setStatus(Status.SUCCESS).build().writeDelimitedTo(asked.getOutputStream());
        assertThat(result.get(60, TimeUnit.SECONDS).kind()).isEqualTo(Kind.DONE);
      }
      assertThat(alive).containsExactly("mute", move.proxy(), "mute");
    }
  }

  @Test
  void silentDataNode_isGivenUpByLimitAndByInterrupt() throws Exception {
    try (ServerSocket silent = socket()) {
      ReplicaMove move = toMute("/silent", silent);

      MoveResult late =
          new HdfsReplicaMover(connection, Duration.ofMillis(300)).move(move, node -> {});
      assertThat(late.kind()).as("%s", late).isEqualTo(Kind.UNANSWERED);

      AtomicReference<Throwable> end = new AtomicReference<>();
      Thread thread =
          new Thread(
              () -> {
                try {
                  MoverCluster.mover(connection).move(move, node -> {});
                } catch (InterruptedException e) {
                  end.set(e);
                }
              });
      thread.start();
      silent.accept().close();
      Socket second = silent.accept();
      second.getInputStream().read();
      thread.interrupt();
      thread.join(30_000);
      second.close();
      assertThat(end.get()).isInstanceOf(InterruptedException.class);
    }
  }

  @SuppressWarnings("unchecked")
  private static Map<String, DatanodeInfo> dataNodes(HdfsConnection connection) throws Exception {
    Field field = HdfsConnection.class.getDeclaredField("dataNodes");
    field.setAccessible(true);
    return (Map<String, DatanodeInfo>) field.get(connection);
  }

  /** What will be written to it goes where its policy says. */
  @Test
  void openFileWithoutABlock_isAsOneThatIsClosed() throws Exception {
    try (FSDataOutputStream out = fs().create(path("/begun"))) {
      assertThat(MoverCluster.file(namespace, "/begun").isOpen()).isFalse();
      out.write(1);
      out.hflush();
      assertThat(MoverCluster.file(namespace, "/begun").isOpen()).isTrue();
    }
  }

  @Test
  void openFile_lastBlockBeingWritten_isLeftOut() throws Exception {
    try (FSDataOutputStream out = fs().create(path("/open"))) {
      out.write(new byte[B + 10]);
      out.hflush();
      FileView file = MoverCluster.file(namespace, "/open");
      assertThat(file.isOpen()).isTrue();
      assertThat(file.blocks()).extracting(BlockView::bytes).containsExactly((long) B);
    }
    FileView closed = MoverCluster.file(namespace, "/open");
    assertThat(closed.isOpen()).isFalse();
    assertThat(closed.blocks()).hasSize(2);
  }

  @Test
  void listing_filesAndDirectoriesAndNothing() throws Exception {
    fs().mkdirs(path("/tree/sub"));
    fs().create(path("/tree/empty")).close();
    cluster.write("/tree/full", 10, 1);

    Namespace.Page page = namespace.list("/tree", null);
    assertThat(page.directories()).containsOnlyKeys("/tree/sub");
    assertThat(page.files())
        .extracting(FileView::path)
        .containsExactly("/tree/empty", "/tree/full");
    assertThat(page.files().get(0).blocks()).isEmpty();
    assertThat(page.files().get(1).wantedTypes().policy()).isEqualTo("HOT");
    assertThat(page.next()).isNull();
    assertThat(namespace.list("/tree/full", null).files())
        .extracting(FileView::path)
        .containsExactly("/tree/full");
    assertThat(namespace.list("/none", null)).isNull();
    assertThat(namespace.list("/tree/full/below", null)).isNull();
    assertThat(namespace.list("/.reserved/.inodes/123456", null)).isNull();
    assertThat(namespace.list("/", null).directories()).containsKey("/tree");
    assertThat(namespace.glob("/tree/f*")).containsExactly("/tree/full");
    assertThat(namespace.glob("/tree/x*")).isEmpty();
    assertThat(namespace.glob("/tree/x")).isEmpty();
  }

  @Test
  void listing_ofARenamedDirectory_goesOnByItsInodeId() throws Exception {
    fs().mkdirs(path("/from/d/sub"));
    cluster.write("/from/d/a", 10, 1);
    cluster.write("/from/d/b", 10, 1);
    long id = namespace.list("/from", null).directories().get("/from/d");
    fs().mkdirs(path("/to"));
    assertThat(fs().rename(path("/from/d"), path("/to/e"))).isTrue();
    String inode = "/.reserved/.inodes/" + id;

    Namespace.Page page = namespace.list(inode, null);
    assertThat(page.files()).extracting(FileView::path).containsExactly(inode + "/a", inode + "/b");
    assertThat(page.directories()).containsOnlyKeys(inode + "/sub");
    Namespace.Page rest = namespace.list(inode, "a");
    assertThat(rest.files()).extracting(FileView::path).containsExactly(inode + "/b");
    assertThat(namespace.list(inode + "/sub", null).files()).isEmpty();

    assertThat(fs().delete(path("/to/e"), true)).isTrue();
    assertThat(namespace.list(inode, null)).isNull();
  }

  @Test
  void files_byPathAndInode_nullForWhatIsNone() throws Exception {
    cluster.write("/many/a", 10, 1);
    cluster.write("/many/b", B + 1, 2);
    long id = MoverCluster.file(namespace, "/many/b").inodeId();
    String inode = "/.reserved/.inodes/" + id;
    fs().mkdirs(path("/many/dir"));
    Map<String, Long> before = cluster.allCalls();

    List<FileView> files =
        namespace.files(
            List.of("/many/a", "/none", inode, "/many/dir", "/.reserved/.inodes/77777", "/many/b"));

    assertThat(files).hasSize(6);
    assertThat(files.get(0).path()).isEqualTo("/many/a");
    assertThat(files.get(1)).isNull();
    assertThat(files.get(2).path()).isEqualTo(inode);
    assertThat(files.get(2).inodeId()).isEqualTo(id);
    assertThat(files.get(3)).isNull();
    assertThat(files.get(4)).isNull();
    assertThat(files.get(5).blocks()).hasSize(2);
    boolean batched =
        ByReflection.method(
                DFSClient.class, "batchedListPaths", String[].class, byte[].class, boolean.class)
            .isThere();
    long calls = cluster.callsSince(before).values().stream().mapToLong(c -> c).sum();
    // Storage policies and their default are asked for once more.
    assertThat(calls).isLessThanOrEqualTo(batched ? 3 : 8);
  }

  @Test
  void snapshot_ofADeletedFile_isFoundAndMoved() throws Exception {
    cluster.write("/snap/sub/f", B, 2);
    fs().setStoragePolicy(path("/snap"), "COLD");
    fs().allowSnapshot(path("/snap"));
    fs().createSnapshot(path("/snap"), "s1");
    fs().delete(path("/snap/sub/f"), false);
    assertThat(namespace.list("/snap/sub", null).files()).isEmpty();

    assertThat(namespace.snapshotRoots("/")).contains("/snap/.snapshot/s1");
    assertThat(namespace.snapshotRoots("/snap")).containsExactly("/snap/.snapshot/s1");
    assertThat(namespace.snapshotRoots("/snap/sub")).containsExactly("/snap/.snapshot/s1/sub");
    assertThat(namespace.snapshotRoots("/sna")).isEmpty();
    String file = "/snap/.snapshot/s1/sub/f";
    namespace.cluster();
    FileView found = namespace.list("/snap/.snapshot/s1/sub", null).files().get(0);
    assertThat(found.path()).isEqualTo(file);
    assertThat(found.wantedTypes().policy()).isEqualTo("COLD");
    assertThat(MoverCluster.moveAll(connection, found, "ARCHIVE"))
        .hasSize(2)
        .allMatch(r -> r.kind() == Kind.DONE);
    MoverCluster.awaitAll(namespace, file, "ARCHIVE", 2);
  }

  @Test
  void striped_internalBlocks_moveByTheirOwnIdAndLength() throws Exception {
    fs().enableErasureCodingPolicy("XOR-2-1-1024k");
    fs().mkdirs(path("/ec"));
    fs().setErasureCodingPolicy(path("/ec"), "XOR-2-1-1024k");
    int cell = 1 << 20;
    byte[] big = new byte[cell + 77];
    new java.util.Random(2).nextBytes(big);
    try (OutputStream out = fs().create(path("/ec/f"), true, 4096, (short) 1, 4L * cell)) {
      out.write(big);
    }
    fs().setStoragePolicy(path("/ec"), "ALL_SSD");
    namespace.cluster();
    FileView file = MoverCluster.file(namespace, "/ec/f");
    assertThat(file.wantedTypes().isStriped()).isTrue();
    assertThat(file.wantedTypes().isSupported()).isTrue();
    assertThat(file.wantedTypes().replication()).isEqualTo(3);
    BlockView group = file.blocks().get(0);
    assertThat(group.bytes()).isEqualTo(cell + 77L);
    assertThat(group.replicas())
        .extracting(r -> r.blockId() - group.blockId() + ":" + r.bytes())
        .containsExactlyInAnyOrder("0:" + cell, "1:77", "2:" + cell);

    assertThat(MoverCluster.moveAll(connection, file, "SSD"))
        .hasSize(3)
        .allMatch(r -> r.kind() == Kind.DONE);
    MoverCluster.awaitAll(namespace, "/ec/f", "SSD", 3);
    assertThat(cluster.read("/ec/f")).isEqualTo(big);

    fs().allowSnapshot(path("/ec"));
    fs().setStoragePolicy(path("/ec"), "COLD");
    fs().createSnapshot(path("/ec"), "s");
    fs().setStoragePolicy(path("/ec"), "WARM");
    String byId = MoveRequest.inode(file.inodeId());
    String raw = "/.reserved/raw/ec/f";
    for (String asked : List.of("/ec", "/ec/f", byId, raw, "/ec/.snapshot/s")) {
      FileView warm = MoverCluster.file(namespace, asked);
      assertThat(warm.wantedTypes().policy()).isEqualTo("WARM");
      assertThat(warm.wantedTypes().isSupported()).isFalse();
    }
  }

  @Test
  void policyOverride_forADryRun_changesTheWantedTypesOnly() throws Exception {
    cluster.write("/dry", 10, 3);
    Namespace cold = namespace.withPolicy("one_ssd");
    FileView file = cold.list("/dry", null).files().get(0);
    assertThat(file.wantedTypes().policy()).isEqualTo("ONE_SSD");
    assertThat(file.wantedTypes().typesFor(file.blocks().get(0)))
        .containsExactly("SSD", "DISK", "DISK");
    assertThat(MoverCluster.file(namespace, "/dry").wantedTypes().policy()).isEqualTo("HOT");
    assertThatThrownBy(() -> namespace.withPolicy("NONE"))
        .isInstanceOf(CommandException.class)
        .hasMessageContaining("ALL_SSD");
  }

  @Test
  void lazyPersist_asksForNothingThatDoesNotMove() throws Exception {
    cluster.write("/lazy", 10, 3);
    FileView file = namespace.withPolicy("LAZY_PERSIST").list("/lazy", null).files().get(0);
    assertThat(file.wantedTypes().typesFor(file.blocks().get(0))).containsOnly("DISK");
  }

  @Test
  void cluster_viewOfDataNodes() throws Exception {
    ClusterView view = namespace.cluster();
    assertThat(view.nodes()).hasSize(4).allMatch(n -> n.use() == NodeView.Use.TARGET);
    assertThat(view.hasNodeGroups()).isFalse();
    for (NodeView node : view.nodes()) {
      assertThat(node.remaining()).containsOnlyKeys("DISK", "SSD", "ARCHIVE");
      assertThat(node.remaining().get("SSD")).hasSize(1).allMatch(free -> free > 0);
      assertThat(node.host()).isEqualTo(node.uuid());
      assertThat(node.location()).isIn("/a", "/b");
    }
    assertThat(namespace.cluster().nodes()).hasSize(4);
  }

  @Test
  void ordinaryUser_isDenied() throws Exception {
    cluster.write("/secret/f", 10, 1);
    fs().setPermission(
            path("/secret"), org.apache.hadoop.fs.permission.FsPermission.valueOf("drwx------"));
    UserGroupInformation bob = UserGroupInformation.createUserForTesting("bob", new String[] {"x"});
    bob.doAs(
        (PrivilegedExceptionAction<Void>)
            () -> {
              try (HdfsConnection own = cluster.connect()) {
                HdfsNamespace files = new HdfsNamespace(own);
                assertThatThrownBy(() -> own.checkUpgrade(false))
                    .isInstanceOf(AccessDeniedException.class)
                    .hasMessageContaining("bob")
                    .hasMessageContaining("superuser");
                assertThatThrownBy(files::cluster)
                    .isInstanceOf(AccessDeniedException.class)
                    .hasMessageContaining("bob");
                assertThatThrownBy(own::blockKeys)
                    .isInstanceOf(AccessDeniedException.class)
                    .hasMessageContaining("bob");
                assertThatThrownBy(() -> files.list("/secret", null))
                    .isInstanceOf(AccessDeniedException.class)
                    .hasMessageContaining("/secret");
                assertThatThrownBy(() -> files.files(List.of("/secret/f", "/none")))
                    .isInstanceOf(AccessDeniedException.class)
                    .hasMessageContaining("/secret/f");
              }
              return null;
            });
  }

  @Test
  void wrongNameNode_saysSo() throws Exception {
    try (HdfsConnection other =
        HdfsConnection.open(cluster.conf(), URI.create("hdfs://localhost:1"))) {
      assertThatThrownBy(() -> other.checkUpgrade(false))
          .isInstanceOf(CommandException.class)
          .hasMessageContaining("hdfs://localhost:1")
          .hasMessageContaining("does not answer");
    }
    assertThatThrownBy(
            () -> HdfsConnection.open(cluster.conf(), URI.create("hdfs://no-such-host.invalid")))
        .isInstanceOf(CommandException.class)
        .hasMessageContaining("no-such-host.invalid");
  }

  @Test
  void checkVersion_nameNodeOfALineThatIsNotKnown_isRefusedWithTheKey() throws Exception {
    connection.checkVersion(VersionInfo.getVersion()::equals, "a.key");
    assertThatThrownBy(() -> connection.checkVersion(any -> false, "a.key"))
        .isInstanceOf(CommandException.class)
        .hasMessageContaining("is Hadoop " + VersionInfo.getVersion())
        .hasMessageContaining("set a.key=true");
  }

  @Test
  void dataNodeVersions_ofTheNameNodesPage_areAsked() {
    List<String> asked = new ArrayList<>();
    DataNodeVersions.warn(connection.conf(), connection.nameNode(), asked::add);
    assertThat(asked).isNotEmpty().containsOnly(VersionInfo.getVersion());
  }

  @Test
  void pathOf_ownAndOtherAuthority() throws Exception {
    String own = cluster.mini().getURI(0).toString();
    assertThat(connection.pathOf(path("/x"))).isEqualTo("/x");
    assertThat(connection.pathOf(path(own + "/x/y"))).isEqualTo("/x/y");
    assertThatThrownBy(() -> connection.pathOf(path("hdfs://other:8020/x")))
        .isInstanceOf(CommandException.class)
        .hasMessageContaining("hdfs://other:8020/x");
    assertThatThrownBy(() -> connection.pathOf(path("x"))).isInstanceOf(CommandException.class);
    assertThatThrownBy(() -> connection.pathOf(path("file:///x")))
        .isInstanceOf(CommandException.class);
  }

  private static void safeMode(String action) throws Exception {
    DFSAdmin admin = new DFSAdmin(cluster.conf());
    assertThat(ToolRunner.run(admin, new String[] {"-safemode", action})).isZero();
  }

  /** What was known before the upgrade holds for some seconds. */
  private String awaitRefusal() throws Exception {
    Await.until("refused", () -> connection.refusal() != null);
    return connection.refusal();
  }

  @Test
  void rollingUpgrade_notFinalised_isRefusedUnlessAllowed() throws Exception {
    connection.checkUpgrade(false);
    assertThat(connection.isInSafeMode()).isFalse();
    safeMode("enter");
    assertThat(connection.isInSafeMode()).isTrue();
    fs().rollingUpgrade(org.apache.hadoop.hdfs.protocol.HdfsConstants.RollingUpgradeAction.PREPARE);
    safeMode("leave");
    try {
      assertThatThrownBy(() -> connection.checkUpgrade(false))
          .isInstanceOf(CommandException.class)
          .hasMessageContaining("rolling upgrade");
      assertThat(awaitRefusal()).contains("rolling upgrade", "not finalised");
      cluster.write("/upgrade/f", 10, 1);
      FileView file = MoverCluster.file(namespace, "/upgrade/f");
      namespace.cluster();
      assertThat(MoverCluster.moveAll(connection, file, "SSD"))
          .extracting(MoveResult::kind)
          .containsOnly(MoveResult.Kind.HELD);
      connection.checkUpgrade(true);
      assertThat(connection.refusal()).isNull();
    } finally {
      fs().rollingUpgrade(
              org.apache.hadoop.hdfs.protocol.HdfsConstants.RollingUpgradeAction.FINALIZE);
    }
    connection.checkUpgrade(false);
  }
}
