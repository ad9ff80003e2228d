package io.evenkeel.mover.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.common.testing.Await;
import io.evenkeel.mover.engine.LocalMoveLease.State;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.util.EnumSet;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.permission.AclEntry;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.SafeModeAction;
import org.apache.hadoop.io.EnumSetWritable;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.util.Progressable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The lease for moves inside DataNodes between connections to one NameNode. */
@Timeout(120)
class HdfsLocalMoveLeaseIT {
  @TempDir private static Path dir;
  private static MoverCluster hdfs;

  private HdfsConnection connection;
  private HdfsLocalMoveLease one;
  private HdfsLocalMoveLease two;

  @BeforeAll
  static void startCluster() throws Exception {
    Configuration conf = MoverCluster.conf(dir);
    conf.setBoolean("dfs.namenode.acls.enabled", true); // the default since 3.3
    hdfs = MoverCluster.start(conf, 1);
  }

  @AfterAll
  static void stopCluster() throws Exception {
    hdfs.close();
  }

  @BeforeEach
  void open() throws Exception {
    hdfs.mini().setLeasePeriod(60_000, 1_200_000);
    connection = HdfsConnection.open(hdfs.conf(), FileSystem.getDefaultUri(hdfs.conf()));
    one = new HdfsLocalMoveLease(connection);
    two = new HdfsLocalMoveLease(connection);
  }

  @AfterEach
  void close() throws Exception {
    one.close(false);
    two.close(false);
    connection.close();
    hdfs.fs().delete(HdfsLocalMoveLease.FILE, false);
    hdfs.fs().delete(MoverIdFile.FILE, false);
  }

  @Test
  void held_anotherAsksAndGetsItWhenItIsGivenBack() throws Exception {
    for (int turn = 0; turn < 3; turn++) { // made, and then taken over as it was left
      assertThat(one.take()).isNull();
      assertThat(one.look()).isEqualTo(State.HELD);
      assertThat(two.take()).contains("held by another mover");
      assertThat(one.look()).isEqualTo(State.WANTED);
      one.release();
      assertThat(two.take()).isNull();
      assertThat(two.look()).as("wanted by nobody else").isEqualTo(State.HELD);
      assertThat(one.look()).isEqualTo(State.LOST);
      two.release();
    }
    assertThat(hdfs.fs().getFileStatus(HdfsLocalMoveLease.FILE).getPermission())
        .isEqualTo(new FsPermission((short) 0600));
    assertThat(hdfs.fs().isFileClosed(HdfsLocalMoveLease.FILE)).isTrue();
  }

  @Test
  void closedWhileDataNodesGoOn_nobodyGetsItBeforeTheNameNodeGivesItUp() throws Exception {
    assertThat(one.take()).isNull();
    one.close(true);
    Await.pause(3_000);
    assertThat(two.take()).contains("held by another mover");
    hdfs.mini().setLeasePeriod(2_000, 1_200_000);
    Await.until("recovered", () -> two.take() == null);
    assertThat(two.look()).isEqualTo(State.HELD);
  }

  @Test
  void notHeardOfForTooLong_isLost() throws Exception {
    assertThat(one.take()).isNull();
    assertThat(one.look()).isEqualTo(State.HELD);
    hdfs.mini().setLeasePeriod(1_000, 1_200_000);
    Await.until("taken by the other", () -> two.take() == null);
    assertThat(one.look()).isEqualTo(State.LOST);
    one.release();
    assertThat(two.look()).as("not closed by who lost it").isEqualTo(State.HELD);
  }

  @Test
  void deleted_isLost_andMadeAnew() throws Exception {
    assertThat(one.take()).isNull();
    hdfs.fs().delete(HdfsLocalMoveLease.FILE, false);
    assertThat(one.look()).isEqualTo(State.LOST);
    one.release();
    assertThat(one.take()).isNull();
    assertThat(one.look()).isEqualTo(State.HELD);
  }

  @Test
  void nameNodeIsAwayAsItIsGivenBack_isTakenAgainWhenTheNameNodeGivesItUp() throws Exception {
    assertThat(one.take()).isNull();
    hdfs.mini().shutdownNameNode(0);
    one.release();
    hdfs.mini().restartNameNode(0, true);
    assertThat(one.take()).contains("held by another mover");
    hdfs.mini().setLeasePeriod(1_000, 1_200_000);
    Await.until("taken again", () -> one.take() == null);
    assertThat(one.look()).isEqualTo(State.HELD);
  }

  @Test
  void nameNodeRestartsWhileItIsHeld_isHeldAfterwards() throws Exception {
    assertThat(one.take()).isNull();
    hdfs.mini().restartNameNode(0, true);
    assertThat(one.look()).isEqualTo(State.HELD);
    assertThat(two.take()).contains("held by another mover");
  }

  @Test
  void notAFile_isSaid() throws Exception {
    hdfs.fs().mkdirs(HdfsLocalMoveLease.FILE);
    assertThatThrownBy(() -> one.take())
        .hasMessageContaining("/system/evenkeel-mover.id cannot be taken")
        .hasMessageContaining("directory");
  }

  @Test
  void madeForAnotherUser_isTakenAsThatUser() throws Exception {
    UserGroupInformation user =
        UserGroupInformation.createUserForTesting("mallory", new String[] {"users"});
    try (HdfsConnection theirs =
        user.doAs(
            (PrivilegedExceptionAction<HdfsConnection>)
                () -> HdfsConnection.open(hdfs.conf(), connection.nameNode()))) {
      HdfsLocalMoveLease lease = new HdfsLocalMoveLease(theirs);
      assertThatThrownBy(lease::take).hasMessageContaining("mallory");
      lease.close(false);
    }
  }

  @Test
  void moverOfStockRuns_isSaidAsTheReason() throws Exception {
    assertThat(one.take()).isNull();
    DistributedFileSystem stock = (DistributedFileSystem) FileSystem.newInstance(hdfs.conf());
    OutputStream id = stock.create(MoverIdFile.FILE, false);
    id.write("host".getBytes(StandardCharsets.UTF_8));
    id.flush();
    assertThat(one.look()).isEqualTo(State.FORBIDDEN);
    one.release();
    assertThatThrownBy(() -> one.take())
        .hasMessageContaining("/system/mover.id")
        .hasMessageContaining("hdfs mover");
    id.close();
    assertThat(one.take()).isNull();
    stock.delete(MoverIdFile.FILE, false);
    stock.close();
  }

  @Test
  void daemonOfOursServesTheSatisfiersQueue_isNotWaitedFor() throws Exception {
    MoverIdFile daemon = new MoverIdFile(hdfs.fs());
    daemon.take();
    assertThat(one.take()).isNull();
    assertThat(one.look()).isEqualTo(State.HELD);
    daemon.release();
  }

  @Test
  void safeMode_isSaidAsTheReason() throws Exception {
    hdfs.fs().setSafeMode(SafeModeAction.SAFEMODE_ENTER);
    try {
      assertThatThrownBy(() -> one.take())
          .hasMessageContaining("/system/evenkeel-mover.id cannot be taken")
          .hasMessageContaining("safe mode");
    } finally {
      hdfs.fs().setSafeMode(SafeModeAction.SAFEMODE_LEAVE);
    }
    assertThat(one.take()).isNull();
  }

  private Object field(String name) throws Exception {
    return reachable(name).get(one);
  }

  private static Field reachable(String name) throws Exception {
    Field field = HdfsLocalMoveLease.class.getDeclaredField(name);
    field.setAccessible(true);
    return field;
  }

  @Test
  void looks_renewIt() throws Exception {
    assertThat(one.take()).isNull();
    hdfs.mini().setLeasePeriod(4_000, 1_200_000);
    for (int i = 0; i < 8; i++) {
      assertThat(one.look()).isIn(State.HELD, State.WANTED);
      Await.pause(1_000);
      assertThat(two.take()).contains("held by another mover");
    }
  }

  @Test
  void clientHasGivenUp_isLost() throws Exception {
    assertThat(one.take()).isNull();
    assertThat(one.look()).isEqualTo(State.HELD);
    // as its renewals do when one is not answered
    ((DistributedFileSystem) field("fs")).getClient().closeAllFilesBeingWritten(true);
    assertThat(one.look()).isEqualTo(State.LOST);
    one.release();
    assertThat(two.take()).contains("held by another mover");
  }

  @Test
  void errorAsItIsGivenBack_othersGetItAfterAWhile() throws Exception {
    assertThat(one.take()).isNull();
    FSDataOutputStream out = (FSDataOutputStream) field("out");
    OutputStream fails =
        new FilterOutputStream(out) {
          @Override
          public void close() {
            throw new OutOfMemoryError("of the test");
          }
        };
    reachable("out").set(one, new FSDataOutputStream(fails, null));
    assertThatThrownBy(() -> one.release()).hasMessage("of the test");
    assertThat(one.take()).contains("held by another mover");
    hdfs.mini().setLeasePeriod(1_000, 1_200_000);
    Await.until("taken again", () -> one.take() == null);
    assertThat(one.look()).isEqualTo(State.HELD);
  }

  @Test
  void errorAfterTheNameNodeGaveIt_othersGetItAfterAWhile() throws Exception {
    assertThat(one.take()).isNull();
    one.release();
    DistributedFileSystem fails =
        new DistributedFileSystem() {
          @Override
          public FSDataOutputStream append(
              org.apache.hadoop.fs.Path file, int buffer, Progressable progress)
              throws IOException {
            super.append(file, buffer, progress);
            throw new OutOfMemoryError("of the test"); // no thread for the stream
          }
        };
    fails.initialize(connection.nameNode(), connection.conf());
    ((DistributedFileSystem) field("fs")).close();
    reachable("fs").set(one, fails);
    assertThatThrownBy(() -> one.take()).hasMessage("of the test");
    hdfs.mini().setLeasePeriod(1_000, 1_200_000);
    Await.until("taken again", () -> one.take() == null);
    assertThat(one.look()).isEqualTo(State.HELD);
  }

  /** With the replicas of its content the mark would be away too. */
  @Test
  void noDataNodeOfADaemonsFileAnswers_isNotTakenForStock() throws Exception {
    DistributedFileSystem own = (DistributedFileSystem) FileSystem.newInstance(hdfs.conf());
    MoverIdFile daemon = new MoverIdFile(own);
    daemon.take();
    MiniDFSCluster.DataNodeProperties stopped = hdfs.mini().stopDataNode(0);
    try {
      assertThat(one.take()).isNull();
      assertThat(one.look()).isEqualTo(State.HELD);
      assertThat(daemon.confirm()).isTrue();
      daemon.release();
      assertThat(hdfs.fs().exists(MoverIdFile.FILE)).isFalse();
    } finally {
      hdfs.mini().restartDataNode(stopped, true);
      hdfs.mini().waitActive();
      own.close();
    }
  }

  /** Who waits sets the modification time. */
  @Test
  void notHeardOfForTooLong_whileWanted_isLost() throws Exception {
    assertThat(one.take()).isNull();
    assertThat(two.take()).contains("held by another mover"); // within the 5 s before a look
    assertThat(one.look()).isEqualTo(State.WANTED);
    hdfs.mini().setLeasePeriod(1_000, 1_200_000);
    Await.until("taken by the other", () -> two.take() == null);
    hdfs.mini().setLeasePeriod(60_000, 1_200_000);
    assertThat(two.look()).as("the other has it").isEqualTo(State.HELD);
    assertThat(one.look()).as("of who lost it").isEqualTo(State.LOST);
  }

  /** The same before the first look. */
  @Test
  void notHeardOfForTooLong_beforeTheFirstLook_isLost() throws Exception {
    assertThat(one.take()).isNull();
    hdfs.mini().setLeasePeriod(1_000, 1_200_000);
    Await.until("taken by the other", () -> two.take() == null);
    hdfs.mini().setLeasePeriod(60_000, 1_200_000);
    assertThat(one.look()).as("of who lost it").isEqualTo(State.LOST);
  }

  /** Deleted by an administrator, and made anew by another process at once. */
  @Test
  void deletedAndMadeAnewByAnother_whileWanted_isLost() throws Exception {
    assertThat(one.take()).isNull();
    assertThat(one.look()).isEqualTo(State.HELD);
    hdfs.fs().delete(HdfsLocalMoveLease.FILE, false);
    assertThat(two.take()).isNull();
    HdfsLocalMoveLease three = new HdfsLocalMoveLease(connection);
    assertThat(three.take()).contains("held by another mover");
    assertThat(one.look()).as("of who lost it").isEqualTo(State.LOST);
    three.close(false);
  }

  /** "takes at most some seconds", while a look waits for the NameNode. */
  @Test
  void closedGoingOn_whileALookDoesNotReturn_takesSeconds() throws Exception {
    assertThat(one.take()).isNull();
    Thread look =
        new Thread(
            () -> {
              synchronized (one) { // as look() has it, blocked in the IPC client's monitor
                try {
                  new CountDownLatch(1).await();
                } catch (InterruptedException e) {
                  Thread.currentThread().interrupt();
                }
              }
            });
    look.start();
    Await.pause(500);
    Thread closes = new Thread(() -> one.close(true));
    closes.start();
    closes.join(15_000);
    boolean hangs = closes.isAlive();
    look.interrupt();
    closes.join();
    assertThat(hangs).isFalse();
  }

  /** Each attempt left a stream that kept stock out. */
  @Test
  void noDataNodeAnswers_daemonTakesItsFileAndGivesItBack() throws Exception {
    DistributedFileSystem own = (DistributedFileSystem) FileSystem.newInstance(hdfs.conf());
    MiniDFSCluster.DataNodeProperties stopped = hdfs.mini().stopDataNode(0);
    MoverIdFile daemon = new MoverIdFile(own);
    try {
      daemon.take();
      daemon.release();
      assertThat(hdfs.fs().exists(MoverIdFile.FILE)).as("stock is kept off by nobody").isFalse();
    } finally {
      hdfs.mini().restartDataNode(stopped, true);
      hdfs.mini().waitActive();
      own.close();
    }
  }

  /** An administrator makes /system tidy while hdfs mover runs. */
  @Test
  void permissionOfStocksFileIsChanged_isStillStocks() throws Exception {
    DistributedFileSystem stock = (DistributedFileSystem) FileSystem.newInstance(hdfs.conf());
    OutputStream id = stock.create(MoverIdFile.FILE, false);
    id.write("host".getBytes(StandardCharsets.UTF_8));
    id.flush();
    hdfs.fs().setPermission(MoverIdFile.FILE, new FsPermission((short) 0755)); // chmod -R 755
    boolean held = MoverIdFile.isHeldByStock(hdfs.fs(), true);
    DistributedFileSystem own = (DistributedFileSystem) FileSystem.newInstance(hdfs.conf());
    try {
      assertThat(held).isTrue();
      assertThatThrownBy(() -> new MoverIdFile(own).take()).isInstanceOf(IOException.class);
    } finally {
      own.close();
      id.close();
      stock.close();
    }
  }

  /** The mark below a default ACL that gives no x. */
  @Test
  void defaultAclOfSystem_daemonKnowsItself() throws Exception {
    hdfs.fs().mkdirs(new org.apache.hadoop.fs.Path("/system"));
    hdfs.fs()
        .modifyAclEntries(
            new org.apache.hadoop.fs.Path("/system"),
            AclEntry.parseAclSpec("default:user::rw-,default:group::r--,default:other::---", true));
    DistributedFileSystem own = (DistributedFileSystem) FileSystem.newInstance(hdfs.conf());
    try {
      MoverIdFile daemon = new MoverIdFile(own);
      daemon.take();
      boolean held = MoverIdFile.isHeldByStock(hdfs.fs(), true);
      daemon.release();
      assertThat(held).as("a daemon's").isFalse();
    } finally {
      own.close();
      hdfs.fs().removeDefaultAcl(new org.apache.hadoop.fs.Path("/system"));
    }
  }

  /** What a second tick does; and an Error between the lease's take and LocalMoves' note of it. */
  @Test
  void takenTwice_isNotHeldByAnother() throws Exception {
    assertThat(one.take()).isNull();
    assertThat(one.take()).isNull();
    org.apache.hadoop.fs.Path trash = new org.apache.hadoop.fs.Path("/trash");
    hdfs.fs().rename(new org.apache.hadoop.fs.Path("/system"), trash);
    try {
      assertThat(two.take()).isNull();
      assertThat(one.take()).as("what it had is elsewhere").contains("held by another mover");
    } finally {
      hdfs.fs().delete(trash, true);
    }
  }

  /** How often a waiting process makes the NameNode log a refusal while stock's mover runs. */
  @Test
  void stockRuns_waitingAsksRarelyForWhatIsLogged() throws Exception {
    assertThat(one.take()).isNull();
    one.release();
    AtomicInteger appends = new AtomicInteger();
    intercept(
        (DistributedFileSystem) field("fs"),
        call -> {
          if (call.equals("append")) {
            appends.incrementAndGet();
          }
        },
        call -> {});
    DistributedFileSystem stock = (DistributedFileSystem) FileSystem.newInstance(hdfs.conf());
    OutputStream id = stock.create(MoverIdFile.FILE, false);
    id.write("host".getBytes(StandardCharsets.UTF_8));
    id.flush();
    for (int i = 0; i < 10; i++) {
      assertThatThrownBy(one::take).hasMessageContaining("is held");
    }
    id.close();
    stock.close();
    assertThat(appends.get()).isBetween(1, 4);
  }

  /**
   * Its own file system runs {@code before} at the first creation or deletion of the mover's file.
   */
  private static DistributedFileSystem interrupted(Callable<?> before) throws Exception {
    AtomicBoolean armed = new AtomicBoolean(true);
    DistributedFileSystem own =
        new DistributedFileSystem() {
          private void run() {
            if (armed.getAndSet(false)) {
              try {
                before.call();
              } catch (Exception e) {
                throw new IllegalStateException(e);
              }
            }
          }

          @Override
          public HdfsDataOutputStreamBuilder createFile(org.apache.hadoop.fs.Path path) {
            run();
            return super.createFile(path);
          }

          @Override
          public boolean delete(org.apache.hadoop.fs.Path path, boolean all) throws IOException {
            run();
            return super.delete(path, all);
          }
        };
    own.initialize(FileSystem.getDefaultUri(hdfs.conf()), hdfs.conf());
    return own;
  }

  @Test
  void stockBeginsWhileADaemonTakesOver_isLeftAlone() throws Exception {
    DistributedFileSystem stock = (DistributedFileSystem) FileSystem.newInstance(hdfs.conf());
    OutputStream[] id = new OutputStream[1];
    DistributedFileSystem own =
        interrupted(() -> id[0] = stock.createFile(MoverIdFile.FILE).recursive().build());
    try {
      assertThatThrownBy(() -> new MoverIdFile(own).take()).isInstanceOf(IOException.class);
      assertThat(hdfs.fs().isFileClosed(MoverIdFile.FILE)).isFalse();
      id[0].close();
    } finally {
      own.close();
      stock.close();
    }
  }

  @Test
  void anotherDaemonTakesOverWhileOneGivesBack_keepsItsFile() throws Exception {
    DistributedFileSystem next = (DistributedFileSystem) FileSystem.newInstance(hdfs.conf());
    MoverIdFile second = new MoverIdFile(next);
    DistributedFileSystem own = (DistributedFileSystem) FileSystem.newInstance(hdfs.conf());
    MoverIdFile first = new MoverIdFile(own);
    first.take();
    second.take(); // as it does when the lease of the daemon was lost
    try {
      first.release();
      assertThat(second.confirm()).isTrue();
    } finally {
      second.release();
      own.close();
      next.close();
    }
  }

  /** A block has to be of whole checksum chunks, for whoever opens the file. */
  @Test
  void largerChecksumChunks_daemonTakesItsFile_andStockWhatIsLeftOfIt() throws Exception {
    Configuration conf = new Configuration(hdfs.conf());
    conf.setInt("dfs.bytes-per-checksum", 64 << 10);
    conf.setLong("dfs.blocksize", 1 << 20);
    DistributedFileSystem own = (DistributedFileSystem) FileSystem.newInstance(conf);
    DistributedFileSystem stock = (DistributedFileSystem) FileSystem.newInstance(conf);
    try {
      new MoverIdFile(own).take();
      own.getClient().closeAllFilesBeingWritten(true); // killed
      hdfs.mini().setLeasePeriod(1_000, 1_200_000);
      Await.until(
          "as NameNodeConnector does",
          () -> {
            try {
              stock.append(MoverIdFile.FILE).close();
              return true;
            } catch (IOException e) {
              return false;
            }
          });
    } finally {
      own.close();
      stock.close();
    }
  }

  /** What is open for it is somewhere else then, and the next one makes the file anew. */
  @ParameterizedTest
  @ValueSource(strings = {"/system/evenkeel-mover.id", "/system"})
  void renamedByAnAdministrator_isLost(String path) throws Exception {
    org.apache.hadoop.fs.Path trash = new org.apache.hadoop.fs.Path("/trash");
    assertThat(one.take()).isNull();
    assertThat(one.look()).isEqualTo(State.HELD);
    hdfs.fs().rename(new org.apache.hadoop.fs.Path(path), trash);
    try {
      assertThat(one.look()).isEqualTo(State.LOST);
      assertThat(two.take()).isNull();
      assertThat(two.look()).isEqualTo(State.HELD);
      assertThat(one.look()).isEqualTo(State.LOST);
    } finally {
      hdfs.fs().delete(trash, true);
    }
  }

  /** A snapshot keeps the inode of a file that is gone, and its path is that of the next one. */
  @Test
  void snapshotOfSystem_daemonDeletesOnlyItsOwnFile() throws Exception {
    org.apache.hadoop.fs.Path system = new org.apache.hadoop.fs.Path("/system");
    hdfs.fs().mkdirs(system);
    hdfs.fs().allowSnapshot(system);
    DistributedFileSystem own = (DistributedFileSystem) FileSystem.newInstance(hdfs.conf());
    DistributedFileSystem next = (DistributedFileSystem) FileSystem.newInstance(hdfs.conf());
    MoverIdFile first = new MoverIdFile(own);
    MoverIdFile second = new MoverIdFile(next);
    try {
      first.take();
      hdfs.fs().createSnapshot(system, "nightly");
      second.take();
      first.release();
      assertThat(second.confirm()).isTrue();
    } finally {
      second.release();
      hdfs.fs().deleteSnapshot(system, "nightly");
      hdfs.fs().disallowSnapshot(system);
      own.close();
      next.close();
    }
  }

  /** What happens before and after a call of the client to the NameNode, by the call's name. */
  private interface Call {
    void made(String name) throws IOException;
  }

  private static void intercept(DistributedFileSystem fs, Call before, Call after)
      throws Exception {
    ClientProtocol real = fs.getClient().getNamenode();
    Object proxy =
        Proxy.newProxyInstance(
            ClientProtocol.class.getClassLoader(),
            new Class<?>[] {ClientProtocol.class},
            (self, method, args) -> {
              before.made(method.getName());
              try {
                Object result = method.invoke(real, args);
                after.made(method.getName());
                return result;
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
    Field field = DFSClient.class.getDeclaredField("namenode");
    field.setAccessible(true);
    field.set(fs.getClient(), proxy);
  }

  /** Has the client's next call of a method end without an answer, carried out or not. */
  private static void failOnce(DistributedFileSystem fs, String what, boolean done)
      throws Exception {
    AtomicBoolean armed = new AtomicBoolean(true);
    Call fails =
        call -> {
          if (call.equals(what) && armed.getAndSet(false)) {
            throw new SocketTimeoutException("of the test");
          }
        };
    Call nothing = call -> {};
    intercept(fs, done ? nothing : fails, done ? fails : nothing);
  }

  /** Not every look asks the NameNode to sync it. */
  @Test
  void notHeardOfForTooLong_staysLost() throws Exception {
    assertThat(one.take()).isNull();
    assertThat(one.look()).isEqualTo(State.HELD);
    hdfs.mini().setLeasePeriod(1_000, 1_200_000);
    Await.until("taken by the other", () -> two.take() == null);
    hdfs.mini().setLeasePeriod(60_000, 1_200_000);
    failOnce((DistributedFileSystem) field("fs"), "fsync", false);
    assertThatThrownBy(() -> one.look()).isInstanceOf(SocketTimeoutException.class);
    for (int look = 0; look < 12; look++) {
      assertThat(one.look()).isEqualTo(State.LOST);
    }
    assertThat(two.look()).isEqualTo(State.HELD);
  }

  /** The NameNode has it open for this client then, which would renew it for good. */
  @Test
  void openForThisClientWithoutItsKnowledge_isTakenAfterAWhile() throws Exception {
    assertThat(one.take()).isNull();
    one.release();
    DFSClient client = ((DistributedFileSystem) field("fs")).getClient();
    client
        .getNamenode()
        .append(
            HdfsLocalMoveLease.FILE.toString(),
            client.getClientName(),
            new EnumSetWritable<>(EnumSet.of(CreateFlag.APPEND)));
    hdfs.mini().setLeasePeriod(1_000, 1_200_000);
    Await.until("taken", () -> one.take() == null);
  }

  /** With the file of stock, which a mover of stock left open without content. */
  @Test
  void openingStocksFileIsNotAnswered_isTakenAfterAWhile() throws Exception {
    assertThat(one.take()).isNull();
    one.release();
    DistributedFileSystem stock = (DistributedFileSystem) FileSystem.newInstance(hdfs.conf());
    stock.createFile(MoverIdFile.FILE).recursive().build();
    stock.getClient().closeAllFilesBeingWritten(true); // killed
    stock.close();
    hdfs.mini().setLeasePeriod(1_000, 1_200_000);
    Await.pause(1_500);
    DistributedFileSystem own = (DistributedFileSystem) field("fs");
    DistributedFileSystem fails =
        new DistributedFileSystem() {
          @Override
          public FSDataOutputStream append(
              org.apache.hadoop.fs.Path file, int buffer, Progressable progress)
              throws IOException {
            FSDataOutputStream given = super.append(file, buffer, progress);
            if (file.getName().equals(MoverIdFile.FILE.getName())) {
              throw new OutOfMemoryError("of the test"); // no thread for the stream
            }
            return given;
          }
        };
    fails.initialize(connection.nameNode(), connection.conf());
    own.close();
    reachable("fs").set(one, fails);
    assertThatThrownBy(() -> one.take()).hasMessage("of the test");
    Await.until("taken", () -> isTaken(one));
  }

  private static boolean isTaken(HdfsLocalMoveLease lease) {
    try {
      return lease.take() == null;
    } catch (IOException e) {
      return false; // for now
    }
  }

  /** With that DataNode the file cannot be closed either, and the daemon has it open then. */
  @Test
  void dataNodeOfWhatStockLeftIsAway_daemonTakesIt() throws Exception {
    DistributedFileSystem stock = (DistributedFileSystem) FileSystem.newInstance(hdfs.conf());
    try (OutputStream id = stock.create(MoverIdFile.FILE)) {
      id.write('h');
    }
    stock.close();
    DistributedFileSystem own = (DistributedFileSystem) FileSystem.newInstance(hdfs.conf());
    MoverIdFile daemon = new MoverIdFile(own);
    MiniDFSCluster.DataNodeProperties stopped = hdfs.mini().stopDataNode(0);
    try {
      daemon.take();
      assertThat(daemon.confirm()).isTrue();
    } finally {
      hdfs.mini().restartDataNode(stopped, true);
      hdfs.mini().waitActive();
      daemon.release();
      own.close();
    }
  }

  /** By a block size of whole MiB and 512 bytes. */
  @Test
  void daemonOfAnEarlierSnapshotRuns_isNotTakenForStock() throws Exception {
    DistributedFileSystem old = (DistributedFileSystem) FileSystem.newInstance(hdfs.conf());
    old.createFile(MoverIdFile.FILE).recursive().replicate().blockSize((1 << 20) + 512).build();
    assertThat(one.take()).isNull();
    old.getClient().closeAllFilesBeingWritten(true); // killed
    old.close();
    Configuration conf = new Configuration(hdfs.conf());
    conf.setInt("dfs.bytes-per-checksum", 4096);
    conf.setLong("dfs.blocksize", 1 << 20);
    try (FileSystem own = FileSystem.newInstance(conf)) {
      MoverIdFile daemon = new MoverIdFile((DistributedFileSystem) own);
      daemon.take();
      assertThat(daemon.confirm()).isTrue();
      daemon.release();
    }
  }

  /** The NameNode has opened it for the daemon then. */
  @Test
  void openingWhatStockLeftIsNotAnswered_daemonTakesItTheNextTime() throws Exception {
    DistributedFileSystem stock = (DistributedFileSystem) FileSystem.newInstance(hdfs.conf());
    stock.create(MoverIdFile.FILE).close();
    stock.close();
    DistributedFileSystem own = (DistributedFileSystem) FileSystem.newInstance(hdfs.conf());
    MoverIdFile daemon = new MoverIdFile(own);
    failOnce(own, "append", true);
    assertThatThrownBy(daemon::take).isInstanceOf(IOException.class);
    daemon.take();
    assertThat(daemon.confirm()).isTrue();
    daemon.release();
  }
}
