package io.evenkeel.mover.follow;

import io.evenkeel.mover.core.follow.Journal;
import io.evenkeel.mover.core.follow.Prefixes;
import io.evenkeel.mover.core.follow.RequestKind;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.util.Time;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One time of being active: the journal and the threads that work on it. Ends with the first
 * failure of the journal, since another daemon may own it by then. Thread-safe.
 */
final class ActiveDaemon {
  private static final Logger LOG = LoggerFactory.getLogger(ActiveDaemon.class);
  private static final long JOIN_MS = 10_000;
  private static final long LOOK_MS = 500;

  /** A file of the spool may have a quarter of a million. */
  private static final long MOST_TEXT = 32 << 20;

  /** One of the threads' work; returns or throws when this daemon is to be active no more. */
  interface Work {
    void run() throws IOException, InterruptedException;
  }

  private final Journal journal;
  private final FollowCounters counters;
  private final long mostQueued;
  private final List<Thread> threads = new ArrayList<>();
  private final CountDownLatch ended = new CountDownLatch(1);
  private volatile BooleanSupplier held = () -> false;
  private volatile String paused = "";
  private volatile Runnable stop = () -> {};

  /**
   * Creates it.
   *
   * @param mostQueued requests from which on the journal {@link #isFull}
   */
  ActiveDaemon(Journal journal, FollowCounters counters, long mostQueued) {
    this.journal = journal;
    this.counters = counters;
    this.mostQueued = mostQueued;
  }

  Journal journal() {
    return journal;
  }

  FollowCounters counters() {
    return counters;
  }

  /** Whether no more renames are taken one by one. */
  boolean isFull() {
    return journal.size() >= mostQueued;
  }

  /** Whether there is room for what can wait elsewhere; the other half is for renames. */
  boolean hasRoom() {
    return journal.size() < mostQueued / 2 && journal.textLength() < MOST_TEXT;
  }

  /** Whether there is room for looks nobody needs: so little that all others keep theirs. */
  boolean hasRoomToSpare() {
    return journal.size() <= Math.max(1, mostQueued / 20) && journal.textLength() < MOST_TEXT / 10;
  }

  /** Nothing more is handed out while this holds. */
  void holdWhile(BooleanSupplier condition) {
    held = condition;
  }

  boolean isHeld() {
    return held.getAsBoolean();
  }

  /** Has nothing moved until it is called again with an empty text: by whom, and since when. */
  void pause(String by) {
    if (by.isEmpty() != paused.isEmpty()) {
      LOG.info(by.isEmpty() ? "Resumed" : "Paused {}: nothing is moved until --resume", by);
    }
    paused = by;
  }

  /** By whom it is paused and since when; empty when it is not. */
  String paused() {
    return paused;
  }

  /** What stops the moves, from any thread. */
  void onStop(Runnable value) {
    stop = value;
  }

  /** Stops what is being moved; it is handed over again once it may be. */
  void stopMoves() {
    stop.run();
  }

  /** Adds a request; safe after {@link #sync}. */
  void add(RequestKind kind, String text) throws IOException {
    if (journal.add(kind, text, 0, Time.monotonicNow())) {
      counters.requests.incrementAndGet();
    }
  }

  /** Asks for all that is followed, since requests for some of it were lost. */
  void rescan(Prefixes prefixes) throws IOException {
    counters.rescans.incrementAndGet();
    for (String root : prefixes.roots()) {
      add(RequestKind.RESCAN, root);
    }
    sync();
  }

  /** Asks for it from time to time, whichever daemon was active before. */
  void scan(Prefixes prefixes, long everyMs) throws IOException, InterruptedException {
    do {
      long now = System.currentTimeMillis();
      if (journal.lastScan() < 0 || Math.abs(now - journal.lastScan()) >= everyMs) {
        for (String root : prefixes.roots()) {
          add(RequestKind.SCAN, root);
        }
        journal.scanned(now);
        sync();
      }
    } while (!awaitEnd(LOOK_MS));
  }

  /** Makes what was added safe. */
  void sync() throws IOException {
    journal.sync();
  }

  /** Starts a thread. */
  void start(String name, Work work) {
    Thread thread = new Thread(() -> runWork(name, work), "evenkeel-follow-" + name);
    thread.setDaemon(true);
    threads.add(thread);
    thread.start();
  }

  private void runWork(String name, Work work) {
    try {
      work.run();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException | RuntimeException | Error e) {
      if (!hasEnded()) {
        counters.error(name + ": " + Problems.line(e));
        LOG.warn("No longer active: {} failed", name, e);
      }
    } finally {
      ended.countDown();
    }
  }

  boolean hasEnded() {
    return ended.getCount() == 0;
  }

  /** Waits until it is not active any more, at most so long; tells whether it has. */
  boolean awaitEnd(long millis) throws InterruptedException {
    return ended.await(millis, TimeUnit.MILLISECONDS);
  }

  /** Ends all threads. */
  void stop() {
    ended.countDown();
    stop.run(); // at once: a thread may hang in a call
    for (Thread thread : threads) {
      thread.interrupt();
    }
    long until = Time.monotonicNow() + JOIN_MS;
    for (Thread thread : threads) {
      try {
        thread.join(Math.max(1, until - Time.monotonicNow()));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }
}
