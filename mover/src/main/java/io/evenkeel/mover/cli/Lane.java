package io.evenkeel.mover.cli;

import io.evenkeel.mover.request.FileOutcome;
import io.evenkeel.mover.request.FileReport;
import io.evenkeel.mover.request.MoveReport;
import io.evenkeel.mover.request.MoveRequest;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * The request to one namespace, and the paths on their way to it: few, so that a list of any length
 * takes little memory. One thread puts, others take. Thread-safe.
 */
final class Lane implements Iterator<String> {
  /** Most paths that were read and not yet asked for. */
  static final int MOST_WAITING = 1000;

  private final BlockingQueue<Optional<String>> waiting = new ArrayBlockingQueue<>(MOST_WAITING);
  private final MoveReport.Builder told = new MoveReport.Builder();
  private final MoveReport.Builder notTaken = new MoveReport.Builder();
  private final String namenode;
  private CompletableFuture<MoveReport> future;
  private CompletableFuture<MoveReport> watched;
  private String next;
  private boolean ended;

  /** Creates it; the NameNode's URI stands before the paths of a report about several. */
  Lane(String namenode) {
    this.namenode = namenode;
  }

  /** Where the request's listener puts the files that are done. */
  MoveReport.Builder told() {
    return told;
  }

  /**
   * Starts the request; it takes paths from this lane.
   *
   * @param failed told when the request fails
   */
  void start(Movers.Mover mover, MoveRequest.Builder request, Consumer<Throwable> failed) {
    future = mover.move(request.stream(this).build());
    watched =
        future.whenComplete(
            (report, e) -> {
              if (e != null) {
                failed.accept(e);
              }
            });
  }

  /** Waits until the request is done; throws what it failed with. */
  void await() {
    watched.join();
  }

  /** Hands a path over; waits while enough wait already, but not for a request that has ended. */
  void put(String path) throws InterruptedException {
    if (!offer(Optional.of(path))) {
      notTaken.add(notReached(path));
    }
  }

  /** Says that no path follows. */
  void end() throws InterruptedException {
    offer(Optional.empty());
  }

  private boolean offer(Optional<String> path) throws InterruptedException {
    while (!future.isDone()) {
      if (waiting.offer(path, 50, TimeUnit.MILLISECONDS)) {
        return true;
      }
    }
    return false;
  }

  /** Ends the request where it is. */
  void cancel() {
    future.cancel(true);
    waiting.clear();
    waiting.add(Optional.empty());
  }

  /**
   * What became of its files, those told of where there is no report, with those nobody asked for
   * as cancelled. To be called once, when nobody puts any more.
   */
  void addTo(MoveReport.Builder sum, boolean severalNamespaces) {
    boolean whole = future.isDone() && !future.isCompletedExceptionally();
    String prefix = severalNamespaces ? namenode : "";
    sum.addAll(whole ? future.join() : told.build(), prefix);
    Optional<String> left;
    while ((left = waiting.poll()) != null) {
      left.ifPresent(path -> notTaken.add(notReached(path)));
    }
    sum.addAll(notTaken.build(), prefix);
  }

  private static FileReport notReached(String path) {
    return FileReport.of(path, FileOutcome.CANCELLED, "not reached");
  }

  /** Whether there is another path; waits until that is known. An interrupt ends the paths. */
  @Override
  public synchronized boolean hasNext() {
    if (next == null && !ended) {
      try {
        next = waiting.take().orElse(null);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      ended = next == null;
    }
    return next != null;
  }

  @Override
  public synchronized String next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    String path = next;
    next = null;
    return path;
  }
}
