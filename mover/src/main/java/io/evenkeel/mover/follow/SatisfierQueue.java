package io.evenkeel.mover.follow;

import io.evenkeel.mover.config.FollowKeys;
import io.evenkeel.mover.core.follow.QueuedRequest;
import io.evenkeel.mover.core.follow.RequestKind;
import io.evenkeel.mover.hdfs.ByReflection;
import io.evenkeel.mover.hdfs.MoverIdFile;
import io.evenkeel.mover.request.MoveRequest;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.NameNodeProxies;
import org.apache.hadoop.hdfs.server.protocol.NamenodeProtocol;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.util.Time;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The NameNode's queue of {@code satisfyStoragePolicy}. Taking an inode from it removes it there,
 * so it is journalled at once; one lost in between is in the queue again after the NameNode's next
 * restart, because the attribute on the inode stays until the request has its end. {@link #run} is
 * for a thread of its own, {@link #finish} for another.
 */
final class SatisfierQueue implements ActiveDaemon.Work {
  private static final Logger LOG = LoggerFactory.getLogger(SatisfierQueue.class);
  private static final String ATTRIBUTE = "user.hdfs.sps";
  private static final long LOOK_MS = 500;
  private static final long AGAIN_MS = 5_000;

  /** A sixth of the time after which the NameNode gives the file of a silent holder to others. */
  private static final long CONFIRM_MS = 10_000;

  /** Inodes between two syncs of the journal: as many as a crash can take out of the queue. */
  private static final int AT_ONCE = 10;

  private final ActiveDaemon daemon;
  private final DistributedFileSystem fs;
  private final MoverIdFile id;

  /** Not there on Hadoop 3.1, which has no such queue outside the NameNode. */
  private final ByReflection next = ByReflection.method(NamenodeProtocol.class, "getNextSPSPath");

  private NamenodeProtocol nameNode;
  private long confirmed = Time.monotonicNow();
  private String lastProblem = "";

  SatisfierQueue(ActiveDaemon daemon, DistributedFileSystem fs) {
    this.daemon = daemon;
    this.fs = fs;
    this.id = new MoverIdFile(fs);
  }

  @Override
  public void run() throws IOException, InterruptedException {
    if (!next.isThere()) {
      daemon.counters().satisfier("this Hadoop has no satisfier queue");
      LOG.warn(
          "{} = on has no effect: Hadoop before 3.3 gives the queue of its satisfier to no other"
              + " process",
          FollowKeys.SATISFIER.name());
      daemon.awaitEnd(Long.MAX_VALUE);
      return;
    }
    try {
      while (!daemon.hasEnded()) {
        Thread.sleep(drain()); // takes the interrupt that ends it, which is not to hit the release
      }
    } finally {
      id.release(); // lets other tools serve the queue
      if (nameNode != null) {
        RPC.stopProxy(nameNode);
      }
    }
  }

  /**
   * Journals what is in the queue; what keeps it from that is shown.
   *
   * @return how long to wait before it is tried again
   */
  private long drain() throws IOException {
    String problem = "";
    int taken = AT_ONCE;
    while (taken == AT_ONCE && mayTake()) {
      List<Long> inodes = new ArrayList<>();
      try {
        hold();
        takeInto(inodes);
      } catch (IOException | RuntimeException | LinkageError e) { // none ends being active
        problem = Problems.line(e);
      }
      for (long inode : inodes) {
        daemon.add(RequestKind.SATISFY, MoveRequest.inode(inode));
      }
      daemon.sync();
      taken = problem.isEmpty() ? inodes.size() : 0;
    }
    if (mayTake()) {
      daemon.counters().satisfier(problem.isEmpty() ? "on" : "waiting: " + problem);
      if (!problem.isEmpty() && !problem.equals(lastProblem)) {
        LOG.warn("The satisfier queue is not served: {}", problem);
      }
      lastProblem = problem;
    }
    return problem.isEmpty() ? LOOK_MS : AGAIN_MS;
  }

  /** Not what another daemon may own by now. */
  private boolean mayTake() {
    return !daemon.hasEnded() && !daemon.isHeld();
  }

  private void hold() throws IOException {
    long now = Time.monotonicNow();
    if (!id.isHeld()) {
      id.take();
      confirmed = now;
    } else if (now - confirmed >= CONFIRM_MS) {
      if (!id.confirm()) {
        // not taken back at once: where another daemon has it, this one is not active much longer
        throw new IOException(MoverIdFile.FILE + " was taken by another process");
      }
      confirmed = now; // not where the NameNode did not answer: then it is asked first again
    }
    if (nameNode == null) {
      nameNode =
          NameNodeProxies.createProxy(fs.getConf(), fs.getUri(), NamenodeProtocol.class).getProxy();
    }
  }

  /** Takes no more than the journal has room for: the NameNode keeps the others. */
  private void takeInto(List<Long> inodes) throws IOException {
    while (inodes.size() < AT_ONCE && mayTake() && daemon.hasRoom()) {
      Long inode = (Long) next.call(nameNode);
      if (inode == null) {
        return;
      }
      inodes.add(inode);
    }
  }

  /** Removes the mark of the request from its inode. */
  void finish(QueuedRequest request) throws IOException {
    Path inode = new Path(request.text());
    try {
      if (fs.listXAttrs(inode).contains(ATTRIBUTE)) {
        fs.removeXAttr(inode, ATTRIBUTE);
      }
    } catch (FileNotFoundException e) {
      LOG.debug("{} is gone", inode);
    }
  }
}
