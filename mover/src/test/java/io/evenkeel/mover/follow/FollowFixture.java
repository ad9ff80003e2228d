package io.evenkeel.mover.follow;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.common.testing.Await;
import io.evenkeel.mover.hdfs.MoverCluster;
import io.evenkeel.mover.request.FileOutcome;
import io.evenkeel.mover.request.FileReport;
import io.evenkeel.mover.request.MoveReport;
import io.evenkeel.mover.request.MoveRequest;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.function.Predicate;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.tools.DFSAdmin;

/**
 * A real HDFS with daemons that hand their requests to a recording mover. One is for all tests of a
 * class: {@link #clear} takes away what a test left.
 */
final class FollowFixture implements AutoCloseable {
  static final String PREFIX = "/hot";

  private final MiniDFSCluster cluster;
  private final Configuration conf;
  private final List<Follower> followers = new ArrayList<>();

  /** Notes what it is asked for; answers with one outcome, or not at all. */
  static final class Recorder implements MoveService {
    final List<String> asked = new CopyOnWriteArrayList<>();
    private volatile Function<String, FileOutcome> answer = path -> FileOutcome.MOVED;

    /** Why nothing may be moved. */
    volatile String refusal;

    /** What may not even be looked at. */
    volatile Predicate<String> denied = path -> false;

    /** What to answer; null for no answer. */
    void answer(Function<String, FileOutcome> value) {
      answer = value;
    }

    @Override
    public CompletableFuture<MoveReport> move(MoveRequest request) {
      MoveReport.Builder report = new MoveReport.Builder();
      boolean ends = true;
      for (String path : request.paths()) {
        if (request.isDryRun() && !denied.test(path)) { // only a look
          request.listener().fileDone(FileReport.of(path, FileOutcome.PLANNED, "recorded"));
          continue;
        }
        asked.add(path);
        FileOutcome outcome = denied.test(path) ? FileOutcome.DENIED : answer.apply(path);
        if (outcome == null) {
          ends = false;
        } else {
          FileReport file = FileReport.of(path, outcome, "recorded");
          report.add(file);
          request.listener().fileDone(file);
        }
      }
      return ends ? CompletableFuture.completedFuture(report.build()) : new CompletableFuture<>();
    }

    @Override
    public String refusal() {
      return refusal;
    }
  }

  private FollowFixture(MiniDFSCluster cluster, Configuration conf) {
    this.cluster = cluster;
    this.conf = conf;
  }

  static FollowFixture start(String... settings) throws IOException {
    java.nio.file.Path base =
        Files.createDirectories(Paths.get(System.getProperty("test.build.data", "target/data")));
    java.nio.file.Path dir = Files.createTempDirectory(base.toAbsolutePath(), "follow");
    Configuration conf = MoverCluster.conf(dir);
    conf.setInt("dfs.replication", 2);
    conf.setInt("dfs.namenode.checkpoint.txns", 1_000_000);
    for (int i = 0; i < settings.length; i += 2) {
      conf.set(settings[i], settings[i + 1]);
    }
    MiniDFSCluster cluster =
        new MiniDFSCluster.Builder(conf).numDataNodes(2).storagesPerDatanode(1).build();
    cluster.waitActive();
    return new FollowFixture(cluster, cluster.getConfiguration(0));
  }

  /** Ends all daemons, and nothing is in HDFS but two empty directories. */
  void clear() throws IOException {
    followers.forEach(Follower::close);
    followers.clear();
    for (FileStatus left : fs().listStatus(new Path("/"))) {
      fs().delete(left.getPath(), true);
    }
    fs().mkdirs(new Path(PREFIX));
    fs().mkdirs(new Path("/cold"));
  }

  /** How often the NameNode has answered that call of clients, or failed a call so, till now. */
  long calls(String name) {
    return MoverCluster.of(cluster).calls().getOrDefault(name, 0L);
  }

  MiniDFSCluster cluster() {
    return cluster;
  }

  DistributedFileSystem fs() throws IOException {
    return cluster.getFileSystem();
  }

  /** Removes all edits that are in no open segment, as a NameNode does after some checkpoints. */
  void dropEdits() throws Exception {
    admin("-safemode", "enter");
    admin("-saveNamespace"); // so that the NameNode itself does without them
    admin("-safemode", "leave");
    int dropped = 0;
    for (URI directory : cluster.getNameDirs(0)) {
      File[] files = new File(directory.getPath(), "current").listFiles();
      for (File file : files) {
        if (file.getName().matches("edits_\\d+-\\d+")) {
          Files.delete(file.toPath());
          dropped++;
        }
      }
    }
    assertThat(dropped).isPositive();
  }

  private void admin(String... args) throws Exception {
    assertThat(new DFSAdmin(new Configuration(conf)).run(args)).isZero();
  }

  /** For clients and daemons; a copy. */
  Configuration conf(String instance, String... settings) {
    Configuration copy = new Configuration(conf);
    copy.set("evenkeel.mover.follow.prefixes", PREFIX);
    copy.set("evenkeel.mover.follow.instance", instance);
    copy.set("evenkeel.mover.follow.scan-interval", "0s");
    copy.set("evenkeel.mover.follow.lease-timeout", "4s");
    copy.set("evenkeel.mover.follow.retry-wait", "100ms");
    for (int i = 0; i < settings.length; i += 2) {
      copy.set(settings[i], settings[i + 1]);
    }
    return copy;
  }

  Follower follow(MoveService mover, String instance, String... settings) throws IOException {
    Follower follower = Follower.open(conf(instance, settings), mover);
    followers.add(follower);
    follower.start();
    return follower;
  }

  Path file(String path) throws IOException {
    DFSTestUtil.createFile(fs(), new Path(path), 1_000, (short) 2, 1);
    return new Path(path);
  }

  /** A file that was written elsewhere gets this path by a rename, which is an event. */
  Path arrives(String path) throws IOException {
    Path to = new Path(path);
    fs().mkdirs(to.getParent());
    assertThat(fs().rename(file("/arriving/" + to.getName()), to)).isTrue();
    return to;
  }

  static void awaitActive(Follower follower) throws Exception {
    Await.until("active", () -> follower.status().getState().equals("active"));
  }

  @Override
  public void close() {
    followers.forEach(Follower::close);
    cluster.shutdown();
  }
}
