package io.evenkeel.mover.hdfs;

import io.evenkeel.mover.FileOutcome;
import io.evenkeel.mover.FileReport;
import io.evenkeel.mover.MoveReport;
import io.evenkeel.mover.MoveRequest;
import io.evenkeel.mover.engine.AccessDeniedException;
import io.evenkeel.mover.engine.Namespace;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.security.AccessControlException;

/**
 * Asks the NameNode to have paths satisfied by whoever does that: the way of users who may not move
 * themselves. The NameNode keeps the requests for the daemon, or a satisfier, that fetches them; it
 * does so only with {@code dfs.storage.policy.satisfier.mode=external}. Thread-safe.
 */
public final class HandOver {
  private static final ByReflection SATISFY =
      ByReflection.method(DistributedFileSystem.class, "satisfyStoragePolicy", Path.class);

  /** What stock says of a second request for a directory. */
  private static final String ALREADY_ASKED = "hdfs.sps already exists";

  private final HdfsConnection connection;
  private final Namespace namespace;
  private final String why;

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
   * Asks for every path of the request; a dry run, which nobody else can do, is denied. The paths
   * may come slowly, from standard input for one, so a thread of its own reads them.
   */
  public CompletableFuture<MoveReport> submit(MoveRequest request) {
    CompletableFuture<MoveReport> future = new CompletableFuture<>();
    Thread thread =
        new Thread(
            () -> {
              try {
                future.complete(ask(request, future));
              } catch (IOException | RuntimeException | Error e) {
                future.completeExceptionally(e);
              }
            },
            "evenkeel-mover-ask");
    thread.setDaemon(true);
    thread.start();
    return future;
  }

  private MoveReport ask(MoveRequest request, CompletableFuture<MoveReport> future)
      throws IOException {
    MoveReport.Builder report = new MoveReport.Builder();
    for (String path : request.paths()) {
      if (future.isDone()) { // cancelled
        break;
      }
      done(request, report, ask(request, path));
    }
    for (String glob : request.globs()) {
      for (String path : matching(request, report, glob)) {
        done(request, report, ask(request, path));
      }
    }
    return report.build();
  }

  /** The paths that match; when there are none the report says why. */
  private List<String> matching(MoveRequest request, MoveReport.Builder report, String glob)
      throws IOException {
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
    done(request, report, FileReport.of(glob, outcome, reason));
    return Collections.emptyList();
  }

  private static void done(MoveRequest request, MoveReport.Builder all, FileReport one) {
    all.add(one);
    request.listener().fileDone(one);
  }

  private FileReport ask(MoveRequest request, String given) {
    if (request.isDryRun() || !SATISFY.isThere()) {
      return FileReport.of(given, FileOutcome.DENIED, why);
    }
    try {
      String path = namespace.pathOf(given);
      SATISFY.call(connection.fileSystem(), new Path(path));
      return new FileReport(
          path, 0, FileOutcome.HANDED_OVER, "whoever fetches it moves it", Collections.emptyList());
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
      return FileReport.of(given, FileOutcome.HANDED_OVER, "asked for before, not done yet");
    }
    boolean denied = HdfsErrors.unwrap(e) instanceof AccessControlException || isOff(said);
    return FileReport.of(
        given, denied ? FileOutcome.DENIED : FileOutcome.FAILED, why + "; " + said);
  }

  /** The NameNode keeps no requests. */
  private static boolean isOff(String said) {
    return said.contains("disabled");
  }
}
