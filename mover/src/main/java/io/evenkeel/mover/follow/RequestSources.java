package io.evenkeel.mover.follow;

import io.evenkeel.mover.config.FollowKeys;
import io.evenkeel.mover.core.follow.Journal;
import io.evenkeel.mover.core.follow.QueuedRequest;
import io.evenkeel.mover.core.follow.RequestKind;
import io.evenkeel.mover.request.MoveReport;
import java.io.IOException;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/**
 * Requests that are no events: scans and the NameNode's satisfier queue, and on a thread of its own
 * the spool directory, for reading what users ask for may take long. Separate from the daemon,
 * which only starts it.
 */
final class RequestSources {
  private static final long TICK_MS = 500;

  private final ActiveDaemon daemon;
  private final FollowSettings settings;
  private final long scanMs;
  private final SatisfierQueue satisfier;
  private final SpoolDirectory spool;

  RequestSources(ActiveDaemon daemon, FollowSettings settings, DistributedFileSystem fs) {
    this.daemon = daemon;
    this.settings = settings;
    this.scanMs = settings.get(FollowKeys.SCAN_INTERVAL).toMillis();
    boolean satisfies = settings.get(FollowKeys.SATISFIER).equals("on");
    this.satisfier = satisfies ? new SatisfierQueue(daemon, fs) : null;
    String directory = settings.get(FollowKeys.SPOOL);
    this.spool = directory.isEmpty() ? null : new SpoolDirectory(daemon, fs, new Path(directory));
  }

  void start() {
    daemon.start("asked", this::scanAndSatisfy);
    if (spool != null) {
      daemon.start("spool", this::collect);
    }
  }

  private void scanAndSatisfy() throws IOException, InterruptedException {
    try {
      while (!daemon.hasEnded()) {
        scanWhenDue();
        if (satisfier != null) {
          satisfier.drain();
        }
        Thread.sleep(TICK_MS);
      }
    } finally {
      if (satisfier != null) {
        satisfier.close();
      }
    }
  }

  private void collect() throws IOException, InterruptedException {
    while (!daemon.hasEnded()) {
      spool.collect();
      Thread.sleep(TICK_MS);
    }
  }

  private void scanWhenDue() throws IOException {
    Journal journal = daemon.journal();
    long now = System.currentTimeMillis();
    boolean due = journal.lastScan() < 0 || Math.abs(now - journal.lastScan()) >= scanMs;
    if (scanMs > 0 && due) {
      for (String root : settings.prefixes().roots()) {
        daemon.add(RequestKind.SCAN, root, 0);
      }
      journal.scanned(now);
      daemon.sync();
    }
  }

  /** Tells the one who asked, when it is somebody. */
  void finish(QueuedRequest request, MoveReport report) throws IOException {
    if (request.kind() == RequestKind.SATISFY && satisfier != null) {
      satisfier.finish(request);
    } else if (request.kind() == RequestKind.SPOOL && spool != null) {
      spool.finish(request, report);
    }
  }
}
