package io.evenkeel.mover.cli;

import io.evenkeel.mover.follow.MoveService;
import io.evenkeel.mover.request.FileReport;
import io.evenkeel.mover.request.MoveReport;
import io.evenkeel.mover.request.MoveRequest;
import java.net.URI;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import org.apache.hadoop.conf.Configuration;

/** Movers that only note what they are asked and answer as they are told. */
final class FakeMovers implements MoverCommand.Opener {
  /** Paths and globs, each with its NameNode, in the order they came. */
  final List<String> asked = new CopyOnWriteArrayList<>();

  final List<MoveRequest> requests = new CopyOnWriteArrayList<>();
  final List<URI> closed = new CopyOnWriteArrayList<>();
  private final Function<String, FileReport> answer;

  /** What becomes of each path or glob; null leaves the request without an end. */
  FakeMovers(Function<String, FileReport> answer) {
    this.answer = answer;
  }

  @Override
  public MoveService open(Configuration conf, URI namenode) {
    return new MoveService() {
      @Override
      public CompletableFuture<MoveReport> move(MoveRequest request) {
        requests.add(request);
        CompletableFuture<MoveReport> future = new CompletableFuture<>();
        Thread worker = new Thread(() -> work(namenode, request, future));
        worker.setDaemon(true);
        worker.start();
        return future;
      }

      @Override
      public void close() {
        closed.add(namenode);
      }
    };
  }

  private void work(URI namenode, MoveRequest request, CompletableFuture<MoveReport> future) {
    MoveReport.Builder report = new MoveReport.Builder();
    boolean ends = true;
    try {
      for (String glob : request.globs()) {
        ends &= one(namenode + " glob " + glob, glob, request, report);
      }
      for (String path : request.paths()) {
        ends &= one(namenode + " " + path, path, request, report);
      }
      if (ends) {
        future.complete(report.build());
      }
    } catch (RuntimeException e) {
      future.completeExceptionally(e);
    }
  }

  private boolean one(String note, String path, MoveRequest request, MoveReport.Builder report) {
    asked.add(note);
    FileReport file = answer.apply(path);
    if (file == null) {
      return false;
    }
    report.add(file);
    request.listener().fileDone(file);
    return true;
  }
}
