package io.evenkeel.mover.cli;

import io.evenkeel.common.cli.CommandException;
import io.evenkeel.common.cli.ExitCode;
import io.evenkeel.mover.request.FileOutcome;
import io.evenkeel.mover.request.FileReport;
import io.evenkeel.mover.request.MoveReport;
import io.evenkeel.mover.request.MoveRequest;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/**
 * Makes the request of a command line once: a thread reads the paths and hands each to the request
 * of its namespace, opened when the first path of it comes; the caller waits. Used once.
 */
final class Round {
  private final MoverOptions options;
  private final OpenMovers movers;
  private final PathFeed feed;
  private final ProgressPrinter progress;
  private Duration delay;
  private Duration deadline;
  private final Map<URI, Lane> lanes = new LinkedHashMap<>();
  private final MoveReport.Builder bad = new MoveReport.Builder();
  private final CompletableFuture<Void> done = new CompletableFuture<>();
  private boolean stopped;
  private boolean anyPath;

  Round(MoverOptions options, OpenMovers movers, PathFeed feed, ProgressPrinter progress) {
    this.options = options;
    this.movers = movers;
    this.feed = feed;
    this.progress = progress;
  }

  /**
   * Runs it to the end; an interrupt ends it early, and is set again.
   *
   * @param wait before anything is done
   * @param atMost after which nothing more is started, null for no end
   */
  MoveReport run(Duration wait, Duration atMost) throws IOException {
    delay = wait;
    deadline = atMost;
    feed.checkLists();
    Thread reader = new Thread(this::read, "mover-paths");
    reader.setDaemon(true); // standard input may never end
    reader.start();
    try {
      done.get();
    } catch (InterruptedException e) {
      stop(reader);
      Thread.currentThread().interrupt();
    } catch (ExecutionException e) {
      stop(reader);
      throw failure(e.getCause());
    }
    return report();
  }

  private void stop(Thread reader) {
    List<Lane> all;
    synchronized (this) {
      stopped = true;
      all = new ArrayList<>(lanes.values());
    }
    reader.interrupt();
    all.forEach(Lane::cancel);
    movers.close(); // waits for moves under way, and so for what is told of them
  }

  private static IOException failure(Throwable cause) {
    if (cause instanceof IOException) {
      return (IOException) cause;
    }
    if (cause instanceof RuntimeException) {
      throw (RuntimeException) cause;
    }
    return new IOException(cause);
  }

  private synchronized MoveReport report() {
    MoveReport.Builder sum = new MoveReport.Builder();
    lanes.values().forEach(lane -> lane.addTo(sum, lanes.size() > 1));
    return sum.addAll(bad.build(), "").build();
  }

  private void read() {
    try {
      Map<URI, List<String>> globs = new LinkedHashMap<>();
      for (NamedPath glob : feed.globs()) {
        globs.computeIfAbsent(movers.namenode(glob), uri -> new ArrayList<>()).add(glob.path());
      }
      for (Map.Entry<URI, List<String>> entry : globs.entrySet()) {
        open(entry.getKey(), entry.getValue());
        anyPath = true;
      }
      feed.each(new Router());
      if (!anyPath) {
        throw new CommandException(ExitCode.USAGE, "standard input holds no path");
      }
      for (Lane lane : opened()) {
        lane.end();
      }
      opened().forEach(Lane::await);
      done.complete(null);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // stopped
    } catch (IOException | RuntimeException | LinkageError e) {
      done.completeExceptionally(e); // unless a request that failed has said so itself
    }
  }

  private synchronized List<Lane> opened() {
    return new ArrayList<>(lanes.values());
  }

  private Lane open(URI namenode, List<String> globs) throws IOException {
    Movers.Mover mover = movers.get(namenode);
    Lane lane = new Lane(namenode.toString());
    MoveRequest.Builder request =
        MoveRequest.of()
            .globs(globs.toArray(new String[0]))
            .policyOverride(options.policy)
            .delay(delay)
            .deadline(deadline)
            .bytesPerSecond(options.bytesPerSecond())
            .dryRun(options.dryRun)
            .snapshots(options.snapshots)
            .listener(progress.listener(lane.told()));
    synchronized (this) {
      if (stopped) {
        throw new CommandException(ExitCode.INTERRUPTED, "interrupted");
      }
      lane.start(mover, request, done::completeExceptionally);
      lanes.put(namenode, lane);
    }
    return lane;
  }

  /** Hands each path to the lane of its namespace; only the reading thread uses it. */
  private final class Router implements PathFeed.Sink {
    @Override
    public void path(NamedPath path) throws IOException, InterruptedException {
      URI namenode = movers.namenode(path);
      Lane lane = lanes.get(namenode);
      if (lane == null) {
        lane = open(namenode, new ArrayList<>());
      }
      lane.put(path.path());
      anyPath = true;
    }

    @Override
    public void bad(String line, String reason) {
      bad.add(FileReport.of(line, FileOutcome.FAILED, reason));
      anyPath = true;
    }
  }
}
