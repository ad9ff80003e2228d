package io.evenkeel.mover.follow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.common.testing.Await;
import io.evenkeel.mover.follow.FollowFixture.Recorder;
import io.evenkeel.mover.hdfs.MoverIdFile;
import java.io.IOException;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.permission.FsPermission;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The root is erasure coded, and so are new files of the daemon if it does not ask for replicated
 * ones: {@code hsync} does nothing for those.
 */
@Timeout(180)
class ErasureCodedRootIT {
  private static FollowFixture hdfs;

  @BeforeAll
  static void start() throws IOException {
    hdfs = FollowFixture.start("dfs.blocksize", "1048576");
    hdfs.clear();
    hdfs.fs().enableErasureCodingPolicy("XOR-2-1-1024k");
    hdfs.fs().setErasureCodingPolicy(new Path("/"), "XOR-2-1-1024k");
    hdfs.fs().setErasureCodingPolicy(new Path(FollowFixture.PREFIX), "REPLICATION");
  }

  @AfterAll
  static void stop() {
    hdfs.close();
  }

  @Test
  void activeIsKilled_standbyHasWaitedAndTakesOverWithItsRequests() throws Exception {
    Recorder stuck = new Recorder();
    stuck.answer(path -> null);
    Follower first = hdfs.follow(stuck, "a");
    FollowFixture.awaitActive(first);
    Recorder other = new Recorder();
    Follower standby = hdfs.follow(other, "b");
    hdfs.arrives("/hot/f");
    Await.until("it is asked for", () -> stuck.asked.contains("/hot/f"));
    long looks = hdfs.calls("GetFileInfo");
    Await.until("looks at the lease", () -> hdfs.calls("GetFileInfo") >= looks + 12);
    assertThat(standby.status().getActivations()).isZero();
    assertThat(first.status().getState()).isEqualTo("active");
    RemoteIterator<LocatedFileStatus> files =
        hdfs.fs().listFiles(new Path("/system/evenkeel/mover"), true);
    while (files.hasNext()) {
      FileStatus file = files.next();
      assertThat(file.isErasureCoded()).as("%s", file).isFalse();
      assertThat(file.getPermission()).as("%s", file).isEqualTo(new FsPermission((short) 0600));
    }

    first.kill();

    FollowFixture.awaitActive(standby);
    Await.until("the request of the other", () -> other.asked.contains("/hot/f"));
  }

  @Test
  void moverId_isHeldByOneAndGivenBack() throws Exception {
    MoverIdFile first = new MoverIdFile(hdfs.fs());
    first.take();
    assertThat(first.confirm()).isTrue();
    // else neither flushed nor, after a kill, taken by the next one, which appends to see
    assertThat(hdfs.fs().getFileStatus(MoverIdFile.FILE).isErasureCoded()).isFalse();
    assertThatThrownBy(() -> hdfs.fs().append(MoverIdFile.FILE))
        .as("as stock's tools look whether another one runs")
        .isInstanceOf(IOException.class);
    first.release();
    assertThat(hdfs.fs().exists(MoverIdFile.FILE)).isFalse();
  }
}
