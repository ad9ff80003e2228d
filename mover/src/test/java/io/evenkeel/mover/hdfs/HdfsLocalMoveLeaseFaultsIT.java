package io.evenkeel.mover.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.common.testing.Await;
import io.evenkeel.mover.engine.LocalMoveLease.State;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.permission.AclEntry;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What an attacker found: each of these let two processes, or stock and one of ours, go on. */
@Timeout(150)
class HdfsLocalMoveLeaseFaultsIT {
  @TempDir private static Path dir;
  private static MoverCluster hdfs;
  private HdfsConnection connection;
  private HdfsLocalMoveLease one;
  private HdfsLocalMoveLease two;

  @BeforeAll
  static void startCluster() throws Exception {
    hdfs = MoverCluster.start(MoverCluster.conf(dir), 1);
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

  private static Field reachable(String name) throws Exception {
    Field field = HdfsLocalMoveLease.class.getDeclaredField(name);
    field.setAccessible(true);
    return field;
  }

  /** HdfsLocalMoveLeaseIT.notHeardOfForTooLong_isLost, with somebody who waits. */
  @Test
  void notHeardOfForTooLong_whileWanted_isLost() throws Exception {
    assertThat(one.take()).isNull();
    assertThat(two.take()).contains("held by another mover"); // within the 5 s before a look
    assertThat(one.look()).isEqualTo(State.WANTED);
    hdfs.mini().setLeasePeriod(1_000, 1_200_000);
    Await.until("taken by the other", () -> two.take() == null);
    hdfs.mini().setLeasePeriod(60_000, 1_200_000);
    assertThat(two.look()).as("the other has it").isEqualTo(State.HELD);
    State of = one.look();
    System.out.println("BOTH: one " + of + ", again " + one.look() + "; two " + two.look());
    assertThat(of).as("of who lost it").isEqualTo(State.LOST);
  }

  /** The same before the first look. */
  @Test
  void notHeardOfForTooLong_beforeTheFirstLook_isLost() throws Exception {
    assertThat(one.take()).isNull();
    hdfs.mini().setLeasePeriod(1_000, 1_200_000);
    Await.until("taken by the other", () -> two.take() == null);
    hdfs.mini().setLeasePeriod(60_000, 1_200_000);
    State of = one.look();
    System.out.println("BOTH first look: one " + of + "; two " + two.look());
    assertThat(of).as("of who lost it").isEqualTo(State.LOST);
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
    State of = one.look();
    System.out.println("DELETED: one " + of + "; two " + two.look());
    three.close(false);
    assertThat(of).as("of who lost it").isEqualTo(State.LOST);
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
    String again = one.take();
    System.out.println("TWICE " + again + "; look " + one.look());
    assertThat(again).isNull();
  }

  /** How often a waiting process makes the NameNode log a refusal while stock's mover runs. */
  @Test
  void stockRuns_waitingAsksRarelyForWhatIsLogged() throws Exception {
    DistributedFileSystem stock = (DistributedFileSystem) FileSystem.newInstance(hdfs.conf());
    OutputStream id = stock.create(MoverIdFile.FILE, false);
    id.write("host".getBytes(StandardCharsets.UTF_8));
    id.flush();
    int clients = 0;
    for (int i = 0; i < 10; i++) {
      Object before = reachable("fs").get(one);
      assertThatThrownBy(one::take).hasMessageContaining("is held");
      clients += before == null ? 1 : 0;
    }
    id.close();
    stock.close();
    assertThat(clients).isLessThanOrEqualTo(2);
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
}
