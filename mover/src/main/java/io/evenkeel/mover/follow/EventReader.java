package io.evenkeel.mover.follow;

import io.evenkeel.common.log.LogLimiter;
import io.evenkeel.mover.core.follow.Journal;
import io.evenkeel.mover.core.follow.PollPace;
import io.evenkeel.mover.core.follow.Prefixes;
import io.evenkeel.mover.core.follow.RequestKind;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.inotify.Event;
import org.apache.hadoop.hdfs.inotify.EventBatch;
import org.apache.hadoop.hdfs.inotify.EventBatchList;
import org.apache.hadoop.util.Time;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Turns events into requests of the journal, from the last transaction there on. Reads them as
 * Hadoop's {@code DFSInotifyEventInputStream} does, but with one call for each answer: the stream
 * learns by another call that there are no more events, and each has the NameNode read the segment
 * it writes to from its beginning (417 ms with 400,000 transactions in it).
 */
final class EventReader implements ActiveDaemon.Work {
  private static final Logger LOG = LoggerFactory.getLogger(EventReader.class);

  /** Transactions without a request are noted only so often; reading them again is cheap. */
  private static final long NOTE_MS = 10_000;

  private static final long RETRY_MS = 1_000;

  /** Between two lines about events that cannot be read. */
  private static final long TELL_NANOS = TimeUnit.MINUTES.toNanos(1);

  /** Between two scans of a prefix while the queue is full; the longer it is, the longer. */
  private static final long SCAN_MS = 60_000;

  private static final long LONGEST_SCAN_MS = 3_600_000;

  private final ActiveDaemon daemon;
  private final DistributedFileSystem fs;
  private final Prefixes prefixes;
  private final PollPace pace;
  private final LogLimiter failures = new LogLimiter(TELL_NANOS);
  private long lastTxid;
  private long notedAt = Time.monotonicNow();
  private long lastEventAt; // by the clock of the NameNode
  private boolean isFull; // and has had no room since
  private long fullSince;

  EventReader(ActiveDaemon daemon, DistributedFileSystem fs, Prefixes prefixes, PollPace pace) {
    this.daemon = daemon;
    this.fs = fs;
    this.prefixes = prefixes;
    this.pace = pace;
  }

  @Override
  public void run() throws IOException, InterruptedException {
    boolean begun = false;
    while (!daemon.hasEnded()) {
      EventBatchList answer;
      long tookMs;
      try {
        if (!begun) {
          begin();
        }
        begun = true;
        long start = Time.monotonicNow();
        answer = fs.getClient().getNamenode().getEditsFromTxid(lastTxid + 1);
        tookMs = Time.monotonicNow() - start;
      } catch (IOException e) {
        begun = false;
        failed(e);
        continue;
      }
      int events = take(answer);
      boolean hasMore = hasAny(answer) && answer.getSyncTxid() > answer.getLastTxid();
      Thread.sleep(pace.waitAfter(hasMore, events > 0, tookMs));
    }
  }

  private void failed(IOException e) throws InterruptedException {
    if (daemon.hasEnded()) {
      return; // interrupted in a call
    }
    String why = Problems.line(e);
    daemon.counters().lagUnknown();
    daemon.counters().error("events: " + why);
    if (failures.permit(Time.monotonicNowNanos()) != LogLimiter.QUIET) { // it may last for hours
      LOG.warn("No events from the NameNode, trying again: {}", why);
    }
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

  /** Finds the transaction to start after; scans when the journal's is not this NameNode's. */
  private void begin() throws IOException {
    Journal journal = daemon.journal();
    long current = currentTransaction(fs);
    lastTxid = Math.max(lastTxid, journal.lastTxid());
    if (lastTxid > current) {
      LOG.warn(
          "The journal is at transaction {}, the NameNode only at {}; all prefixes are scanned",
          lastTxid,
          current);
      lastTxid = current;
      daemon.rescan(prefixes);
      journal.advance(lastTxid);
      daemon.sync();
    }
  }

  /** Not when the NameNode has no more of them, or cannot read its edits now. */
  private static boolean hasAny(EventBatchList answer) {
    return answer.getLastTxid() >= 0;
  }

  /** Journals the requests that follow from an answer; returns how many events it has. */
  private int take(EventBatchList answer) throws IOException {
    final long now = System.currentTimeMillis();
    lastEventAt = now;
    int events = 0;
    boolean asked = false;
    for (EventBatch batch : answer.getBatches()) {
      // a close together with unlinked files is a concat: their blocks may come from anywhere
      boolean isConcat =
          Arrays.stream(batch.getEvents()).anyMatch(Event.UnlinkEvent.class::isInstance);
      for (Event event : batch.getEvents()) {
        events++;
        asked |= take(event, isConcat);
      }
    }
    boolean missed = hasAny(answer) && answer.getFirstTxid() != lastTxid + 1;
    if (missed) {
      LOG.warn(
          "The NameNode no longer has the events between transactions {} and {}; all prefixes are"
              + " scanned",
          lastTxid,
          answer.getFirstTxid());
      daemon.rescan(prefixes);
    }
    lastTxid = Math.max(lastTxid, answer.getLastTxid());
    boolean note = asked || missed || Time.monotonicNow() - notedAt > NOTE_MS;
    if (note && lastTxid > daemon.journal().lastTxid()) {
      daemon.journal().advance(lastTxid);
      daemon.sync();
      notedAt = Time.monotonicNow();
    }
    daemon.counters().events(events);
    daemon
        .counters()
        .lag(Math.max(0, answer.getSyncTxid() - lastTxid), Math.max(0, now - lastEventAt));
    return events;
  }

  private boolean take(Event event, boolean isConcat) throws IOException {
    if (event instanceof Event.RenameEvent) {
      Event.RenameEvent rename = (Event.RenameEvent) event;
      lastEventAt = rename.getTimestamp();
      return renamed(rename.getDstPath());
    }
    if (event instanceof Event.CloseEvent) {
      Event.CloseEvent close = (Event.CloseEvent) event;
      lastEventAt = close.getTimestamp();
      return isConcat ? renamed(close.getPath()) : closed(close.getPath());
    }
    return false;
  }

  private boolean renamed(String path) throws IOException {
    List<String> requests = prefixes.requests(path);
    for (String request : requests) {
      add(request);
    }
    return !requests.isEmpty();
  }

  private boolean closed(String path) throws IOException {
    return prefixes.covers(path) && daemon.journal().closed(path, Time.monotonicNow());
  }

  /** What the queue does not take is left to a scan of its prefix, which is in the queue once. */
  void add(String path) throws IOException {
    if (!daemon.isFull()) {
      isFull &= !daemon.hasRoom();
      daemon.add(RequestKind.EVENT, path);
      return;
    }
    long now = Time.monotonicNow();
    long wait = 0;
    if (isFull) { // what waits may wait for long, as for a type without any room
      wait = Math.min(LONGEST_SCAN_MS, Math.max(SCAN_MS, now - fullSince));
    } else {
      isFull = true;
      fullSince = now;
    }
    String root = prefixes.rootOf(path);
    if (daemon.journal().add(RequestKind.RESCAN, root, 0, now + wait)) {
      daemon.counters().rescans.incrementAndGet();
      String full = daemon.journal().size() + " requests wait; further renames in " + root;
      daemon.counters().error(full + " are left to a scan");
      LOG.warn("{} are left to a scan", full);
    }
  }
}
