package io.evenkeel.mover.follow;

import io.evenkeel.mover.core.follow.FileEvent;
import io.evenkeel.mover.core.follow.Journal;
import io.evenkeel.mover.core.follow.PollPace;
import io.evenkeel.mover.core.follow.Prefixes;
import io.evenkeel.mover.core.follow.RequestKind;
import io.evenkeel.mover.core.task.GrowingWait;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.util.Time;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Turns events into requests of the journal, from the last transaction there on. */
final class EventReader implements ActiveDaemon.Work {
  private static final Logger LOG = LoggerFactory.getLogger(EventReader.class);

  /** Transactions without a request are noted only so often; reading them again is cheap. */
  private static final long NOTE_MS = 10_000;

  private static final long RETRY_MS = 1_000;
  private static final long FULL_MS = 60_000;
  private static final long LONGEST_MS = 3_600_000;

  private final ActiveDaemon daemon;
  private final DistributedFileSystem fs;
  private final Prefixes prefixes;
  private final PollPace pace;
  private long lastTxid;
  private long notedAt = Time.monotonicNow();

  /** By prefix: when it may be scanned since the queue is full, and how long to wait after that. */
  private final Map<String, Long> nextScanAt = new HashMap<>();

  private final Map<String, GrowingWait> untilScan = new HashMap<>();
  private long toldOfFullAt = Time.monotonicNow() - FULL_MS - 1;

  EventReader(ActiveDaemon daemon, DistributedFileSystem fs, Prefixes prefixes, PollPace pace) {
    this.daemon = daemon;
    this.fs = fs;
    this.prefixes = prefixes;
    this.pace = pace;
  }

  @Override
  public void run() throws IOException, InterruptedException {
    while (!daemon.hasEnded()) {
      InotifyFeed feed;
      try {
        feed = new InotifyFeed(fs, begin());
      } catch (IOException e) {
        failed(e);
        continue;
      }
      follow(feed);
    }
  }

  private void failed(IOException e) throws InterruptedException {
    if (daemon.hasEnded()) {
      return; // interrupted in a call
    }
    daemon.counters().lagUnknown();
    daemon.counters().error("events: " + e);
    LOG.warn("No events from the NameNode, trying again: {}", e.toString());
    Thread.sleep(RETRY_MS);
  }

  /**
   * The last transaction of the NameNode that writes the edits; one call.
   *
   * @throws IOException also when the NameNode does not write edits: an observer, or one that is
   *     just becoming active, answers with -1, and whoever took that for a transaction would start
   *     at the wrong one
   */
  static long currentTransaction(DistributedFileSystem fs) throws IOException {
    long current = fs.getClient().getNamenode().getCurrentEditLogTxid();
    if (current < 0) {
      throw new IOException("the NameNode that answered does not write edits now");
    }
    return current;
  }

  /** The transaction to start after; asks for a scan when the journal's is not this NameNode's. */
  private long begin() throws IOException {
    Journal journal = daemon.journal();
    long current = currentTransaction(fs);
    lastTxid = Math.max(lastTxid, journal.lastTxid());
    if (lastTxid > current) {
      LOG.warn("The journal knows transaction {}, the NameNode only {}", lastTxid, current);
      lastTxid = current;
      daemon.rescan(prefixes);
    } else if (journal.lastTxid() < 0) {
      lastTxid = current;
    }
    if (journal.lastTxid() != lastTxid) {
      journal.advance(lastTxid);
      daemon.sync();
    }
    return lastTxid;
  }

  /** Reads events until the NameNode cannot be read any more. */
  private void follow(InotifyFeed feed) throws IOException, InterruptedException {
    while (!daemon.hasEnded()) {
      InotifyFeed.Batch batch;
      try {
        batch = feed.next();
      } catch (IOException e) {
        failed(e);
        return;
      }
      boolean hasMore = batch.behind() > 0 && batch.lastTxid() > lastTxid;
      take(batch);
      Thread.sleep(pace.waitAfter(hasMore, batch.seen() > 0, batch.tookMs()));
    }
  }

  private void take(InotifyFeed.Batch batch) throws IOException {
    daemon.counters().events(batch.seen());
    boolean asked = false;
    long lag = 0;
    for (FileEvent event : batch.events()) {
      if (event.isRename()) {
        for (String path : prefixes.requests(event)) {
          add(path);
          asked = true;
        }
      } else if (prefixes.covers(event.path())) {
        asked |= daemon.journal().closed(event.path(), Time.monotonicNow());
      }
      lag = System.currentTimeMillis() - event.time();
    }
    if (batch.missed()) {
      LOG.warn("Events were lost; all prefixes are scanned");
      daemon.rescan(prefixes);
    }
    lastTxid = Math.max(lastTxid, batch.lastTxid());
    boolean note = asked || batch.missed() || Time.monotonicNow() - notedAt > NOTE_MS;
    if (note && lastTxid > daemon.journal().lastTxid()) {
      daemon.journal().advance(lastTxid);
      daemon.sync();
      notedAt = Time.monotonicNow();
    }
    daemon.counters().lag(batch.behind(), Math.max(0, batch.seen() > 0 ? lag : 0));
  }

  /** What the queue does not take is left to a scan of its prefix, which is in the queue once. */
  void add(String path) throws IOException {
    if (!daemon.isFull()) {
      if (daemon.hasRoom()) {
        untilScan.clear();
        nextScanAt.replaceAll((root, at) -> Math.min(at, Time.monotonicNow() + FULL_MS));
      }
      daemon.add(RequestKind.EVENT, path, 0);
      return;
    }
    if (Time.monotonicNow() - toldOfFullAt > FULL_MS) {
      toldOfFullAt = Time.monotonicNow();
      daemon.counters().rescans.incrementAndGet();
      String full = daemon.journal().size() + " requests wait; further renames are left to a scan";
      daemon.counters().error(full);
      LOG.warn("{} of their prefix", full);
    }
    // there may be many more; and what waits may wait for long, as for a type without any room
    String root = prefixes.rootOf(path);
    long due = Math.max(Time.monotonicNow(), nextScanAt.getOrDefault(root, Long.MIN_VALUE));
    if (daemon.journal().addLater(RequestKind.RESCAN, root, 0, due)) {
      GrowingWait wait =
          untilScan.computeIfAbsent(root, any -> new GrowingWait(FULL_MS, LONGEST_MS));
      nextScanAt.put(root, due + wait.next());
    }
  }
}
