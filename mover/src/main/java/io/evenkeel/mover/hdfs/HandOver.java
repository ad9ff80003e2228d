package io.evenkeel.mover.hdfs;

import io.evenkeel.mover.engine.AccessDeniedException;
import io.evenkeel.mover.engine.Namespace;
import io.evenkeel.mover.request.FileOutcome;
import io.evenkeel.mover.request.FileReport;
import io.evenkeel.mover.request.MoveReport;
import io.evenkeel.mover.request.MoveRequest;
import java.io.IOException;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.security.AccessControlException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the NameNode to have paths satisfied by whoever does that: the way of users who may not move
 * themselves. The NameNode keeps the requests for the daemon, or a satisfier, that fetches them; it
 * does so only with {@code dfs.storage.policy.satisfier.mode=external}. Thread-safe.
 */
public final class HandOver implements AutoCloseable {
  private static final ByReflection SATISFY =
      ByReflection.method(DistributedFileSystem.class, "satisfyStoragePolicy", Path.class);

  /** What stock says of a second request for a directory. */
  private static final String ALREADY_ASKED = "hdfs.sps already exists";

  private static final Logger LOG = LoggerFactory.getLogger(HandOver.class);
  private static final Duration LONGEST = Duration.ofDays(36_500);

  private final HdfsConnection connection;
  private final Namespace namespace;
  private final String why;
  private final Set<Asking> open = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  /**
   * Creates it.
   *
   * @param why why the user cannot move, one line
   */
  public HandOver(HdfsConnection connection, String why) {
    this.connection = connection;
    this.namespace = new HdfsNamespace(connection);
    this.why = why;
  }

  /**
   * Asks for every path of the request, after its delay and until its deadline; a dry run, which
   * nobody else can do, is denied. The paths may come slowly, so a thread of its own reads them,
   * and another one waits for the deadline.
   *
   * @throws IllegalStateException when it is closed
   */
  public CompletableFuture<MoveReport> submit(MoveRequest request) {
    Asking asking = new Asking(request);
    open.add(asking);
    CompletableFuture<MoveReport> unused =
        asking.future.whenComplete(
            (report, failure) -> {
              open.remove(asking);
              asking.ended.countDown();
            });
    if (closed) { // after it is in the set, so that it is not missed by who closes
      asking.future.cancel(false);
      throw new IllegalStateException("this mover is closed");
    }
    start(request.delay(), asking, () -> askForAll(asking));
    if (request.deadline() != null) {
      start(request.deadline(), asking, () -> asking.end("deadline passed"));
    }
    return asking.future;
  }

  /** Ends all requests as cancelled; what the NameNode was asked for stays asked for. */
  @Override
  public void close() {
    closed = true;
    open.forEach(asking -> asking.end("the mover was closed"));
  }

  /** Does the work after a time, if the request has not ended by then. */
  private static void start(Duration delay, Asking asking, Runnable work) {
    Thread thread =
        new Thread(
            () -> {
              if (asking.isOpenAfter(delay)) {
                work.run();
              }
            },
            "evenkeel-mover-ask");
    thread.setDaemon(true);
    thread.start();
  }

  private void askForAll(Asking asking) {
    MoveRequest request = asking.request;
    try {
      boolean goesOn = askFor(asking, request.paths());
      for (String glob : request.globs()) {
        goesOn = goesOn && askFor(asking, matching(asking, glob));
      }
      if (goesOn) {
        asking.end(null);
      }
    } catch (IOException | RuntimeException | Error e) {
      asking.future.completeExceptionally(e);
    }
  }

  /** Whether the request goes on after them. */
  private boolean askFor(Asking asking, Iterable<String> paths) {
    for (String path : paths) {
      if (!asking.next(path)) { // or a path more would be asked for
        return false;
      }
      asking.done(answer(asking.request, path));
    }
    return true;
  }

  /** The paths that match; when there are none the report says why. */
  private List<String> matching(Asking asking, String glob) throws IOException {
    FileOutcome outcome = FileOutcome.MISSING;
    String reason = "no path matches";
    try {
      List<String> matches = namespace.glob(namespace.pathOf(glob));
      if (!matches.isEmpty()) {
        return matches;
      }
    } catch (AccessDeniedException e) {
      outcome = FileOutcome.DENIED;
      reason = e.getMessage();
    } catch (IllegalArgumentException e) {
      outcome = FileOutcome.FAILED;
      reason = e.getMessage();
    }
    asking.done(FileReport.of(glob, outcome, reason));
    return Collections.emptyList();
  }

  /**
   * One request and its report. Thread-safe; the listener, and who waits for the future, are called
   * without its monitor, or a listener that does not return would hold up who closes. The monitor
   * guards the report and all that is not final.
   */
  private static final class Asking {
    private final CompletableFuture<MoveReport> future = new CompletableFuture<>();
    private final CountDownLatch ended = new CountDownLatch(1);
    private final MoveReport.Builder report = new MoveReport.Builder();
    private final MoveRequest request;

    /** Why the report would be incomplete now. */
    private String rest = "not begun";

    /** Whether the report is made, and the future told, or about to be. */
    private boolean complete;

    Asking(MoveRequest request) {
      this.request = request;
    }

    /** Waits for so long or until it has ended, or is cancelled; whether it has not by then. */
    boolean isOpenAfter(Duration time) {
      Duration wait = time.compareTo(LONGEST) > 0 ? LONGEST : time;
      try {
        return !ended.await(wait.toMillis(), TimeUnit.MILLISECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return false;
      }
    }

    /** Whether the path is to be asked for now. */
    synchronized boolean next(String path) {
      if (complete || future.isDone()) {
        return false;
      }
      rest = "no answer yet for " + path;
      return true;
    }

    /** The answer for a path; of one thread. */
    void done(FileReport one) {
      synchronized (this) {
        rest = "not all paths asked for";
        if (complete || future.isDone()) {
          return;
        }
        report.add(one);
      }
      try {
        request.listener().fileDone(one);
      } catch (RuntimeException | Error e) {
        LOG.warn("The listener of a request failed", e);
      }
    }

    /**
     * Ends it, once.
     *
     * @param early why before all paths are asked for; null when all are
     */
    void end(String early) {
      MoveReport whole;
      synchronized (this) {
        if (complete) {
          return;
        }
        complete = true;
        if (early != null) {
          report.add(FileReport.of("", FileOutcome.CANCELLED, early + ": " + rest));
        }
        whole = report.build();
      }
      future.complete(whole);
    }
  }

  private FileReport answer(MoveRequest request, String given) {
    if (request.isDryRun() || !SATISFY.isThere()) {
      return FileReport.of(given, FileOutcome.DENIED, why);
    }
    try {
      String path = namespace.pathOf(given);
      SATISFY.call(connection.fileSystem(), new Path(path));
      return FileReport.of(
          path,
          FileOutcome.HANDED_OVER,
          "in the NameNode's queue, moved when a satisfier reads it");
    } catch (IllegalArgumentException e) {
      return FileReport.of(given, FileOutcome.FAILED, e.getMessage());
    } catch (IOException e) {
      return refused(given, e);
    }
  }

  private FileReport refused(String given, IOException e) {
    if (HdfsErrors.isMissing(e)) {
      return FileReport.of(given, FileOutcome.MISSING, "no such path");
    }
    String said = HdfsErrors.firstLine(e);
    if (said.contains(ALREADY_ASKED)) {
      return FileReport.of(
          given, FileOutcome.HANDED_OVER, "in the NameNode's queue already, not done yet");
    }
    boolean denied =
        HdfsErrors.unwrap(e) instanceof AccessControlException
            || said.contains("disabled"); // the NameNode keeps no requests
    return FileReport.of(
        given,
        denied ? FileOutcome.DENIED : FileOutcome.FAILED,
        why + " (satisfyStoragePolicy: " + said + ")");
  }
}
