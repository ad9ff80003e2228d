package io.evenkeel.mover.follow;

import io.evenkeel.mover.core.follow.QueuedRequest;
import io.evenkeel.mover.core.follow.RequestKind;
import io.evenkeel.mover.hdfs.ByReflection;
import io.evenkeel.mover.hdfs.MoverIdFile;
import io.evenkeel.mover.request.MoveRequest;
import java.io.FileNotFoundException;
import java.io.IOException;
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
 * restart, because the attribute on the inode stays until the request has its end. {@link #drain}
 * and {@link #close} are for one thread, {@link #finish} for another. Separate from the other
 * sources, for its promise.
 */
final class SatisfierQueue {
  private static final Logger LOG = LoggerFactory.getLogger(SatisfierQueue.class);
  private static final String ATTRIBUTE = "user.hdfs.sps";
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
  private long notBefore = Time.monotonicNow();
  private long confirmed = Time.monotonicNow();
  private String lastProblem = "";

  SatisfierQueue(ActiveDaemon daemon, DistributedFileSystem fs) {
    this.daemon = daemon;
    this.fs = fs;
    this.id = new MoverIdFile(fs);
  }

  /** Journals what is in the queue; what keeps it from that is shown and tried again. */
  void drain() throws IOException {
    if (!next.isThere()) {
      daemon.counters().satisfier("this Hadoop has no satisfier queue");
      return;
    }
    if (daemon.isHeld() || Time.monotonicNow() < notBefore) { // what another daemon may own by now
      return;
    }
    try {
      int taken = AT_ONCE;
      while (taken == AT_ONCE && !daemon.hasEnded() && !daemon.isHeld()) {
        hold();
        boolean goesOn = !daemon.hasEnded() && !daemon.isHeld() && daemon.hasRoom();
        taken = goesOn ? takeSome() : 0; // the NameNode keeps the others
      }
      daemon.counters().satisfier("on");
      lastProblem = "";
    } catch (QueueException e) {
      if (!daemon.hasEnded()) {
        String problem = String.valueOf(e.getMessage()).split("\n", 2)[0];
        daemon.counters().satisfier("waiting: " + problem);
        if (!problem.equals(lastProblem)) {
          LOG.warn("The satisfier queue is not served: {}", problem);
          lastProblem = problem;
        }
      }
      notBefore = Time.monotonicNow() + AGAIN_MS;
    }
  }

  private void hold() throws QueueException {
    try {
      long now = Time.monotonicNow();
      if (!id.isHeld()) {
        id.take();
        confirmed = now;
      } else if (now - confirmed >= CONFIRM_MS) {
        if (!id.confirm()) {
          // not taken back at once: where another daemon has it, this one is not active much longer
          throw new QueueException(MoverIdFile.FILE + " was taken by another process", null);
        }
        confirmed = now; // not where the NameNode did not answer: then it is asked first again
      }
      if (nameNode == null) {
        nameNode =
            NameNodeProxies.createProxy(fs.getConf(), fs.getUri(), NamenodeProtocol.class)
                .getProxy();
      }
    } catch (IOException | RuntimeException e) { // none ends being active
      throw new QueueException(MoverIdFile.FILE + " cannot be taken: " + e, e);
    }
  }

  private int takeSome() throws IOException, QueueException {
    int taken = 0;
    try {
      for (Long inode = pop(); inode != null; inode = taken < AT_ONCE ? pop() : null) {
        daemon.add(RequestKind.SATISFY, MoveRequest.inode(inode), 0);
        taken++;
      }
    } finally {
      if (taken > 0) {
        daemon.sync();
      }
    }
    return taken;
  }

  private Long pop() throws QueueException {
    try {
      return (Long) next.call(nameNode);
    } catch (IOException | RuntimeException | LinkageError e) { // none ends being active
      throw new QueueException(e.toString(), e);
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

  /** Lets other tools serve the queue. */
  void close() {
    id.release();
    if (nameNode != null) {
      RPC.stopProxy(nameNode);
      nameNode = null;
    }
  }

  /** Why the queue cannot be served now. */
  private static final class QueueException extends Exception {
    private static final long serialVersionUID = 1L;

    QueueException(String message, Throwable cause) {
      super(message, cause);
    }
  }
}
