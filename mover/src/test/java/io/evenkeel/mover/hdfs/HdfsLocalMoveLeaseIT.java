package io.evenkeel.mover.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.common.testing.Await;
import io.evenkeel.mover.engine.LocalMoveLease.State;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.SafeModeAction;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.util.Progressable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

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
}
