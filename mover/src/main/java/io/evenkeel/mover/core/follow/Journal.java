package io.evenkeel.mover.core.follow;

import io.evenkeel.mover.core.follow.RequestKind.Line;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;

/**
 * The queue of requests, on disk before anything is done for them. A request stays until {@link
 * #done}; after a crash all without that are handed out again. Requests and the transaction they
 * came from are records of one sequence of bytes, so no transaction is known after a crash whose
 * requests are not.
 *
 * <p>When the segment has grown to some times of what it began with, what is left is written to a
 * new one, which then replaces it at once. Any exception of the store leaves the journal unusable:
 * somebody else may own it. Thread-safe. Times are milliseconds of the caller's clock.
 */
public final class Journal implements Closeable {
  /** Longest text of a request, in bytes of UTF-8. */
  public static final int MAX_TEXT = Frame.MAX_TEXT;

  /** How long a request waits when the same is being worked on. */
  private static final long TWIN_WAIT_MS = 200;

  private final SegmentStore store;
  private final long compactAt;
  private final long cutBytes;
  private final long unreadBytes;
  private final RequestTable table = new RequestTable();
  private SegmentStore.Output output;
  private long written;
  private long synced;
  private long liveAtStart;
  private long nextId;

  /** The first request that a crash might forget. */
  private long unsafeFrom = 1;

  private long lastTxid;
  private long lastScan;
  private boolean broken;

  private Journal(SegmentStore store, long compactAt, Replay found) {
    this.store = store;
    this.compactAt = compactAt;
    this.cutBytes = found.cutBytes;
    this.unreadBytes = found.unreadBytes;
    this.nextId = found.nextId;
    this.lastTxid = found.lastTxid;
    this.lastScan = found.lastScan;
  }

  /**
   * Takes the journal over from earlier owners and reads it.
   *
   * @param compactAt bytes of a segment from which on it may be rewritten
   * @param now time the requests found are counted from
   * @param followed what is asked for anew, with the first segment, where some of it is {@link
   *     #unreadBytes lost}
   */
  public static Journal open(SegmentStore store, long compactAt, long now, List<String> followed)
      throws IOException {
    Replay found = new Replay();
    for (String name : store.fence()) {
      try (InputStream segment = store.open(name)) {
        found.segment(segment);
      }
    }
    Journal journal = new Journal(store, compactAt, found);
    found.requests.values().forEach(request -> journal.takeOver(request, now));
    if (journal.unreadBytes > 0) {
      for (String prefix : followed) {
        long id = journal.nextId++;
        journal.takeOver(new QueuedRequest(id, RequestKind.RESCAN, 0, prefix), now);
      }
    }
    try {
      journal.rewrite();
    } catch (IOException | RuntimeException | Error e) {
      closeFailed(store);
      throw e;
    }
    return journal;
  }

  /**
   * Queues one that was found, unless the same is there already: as after a crash, when the second
   * came for what the first had read. Then that one begins anew.
   */
  private void takeOver(QueuedRequest request, long now) {
    QueuedRequest same = table.waiting(request.kind(), request.text());
    if (same == null) {
      table.add(request, now);
    } else {
      table.readUpTo(same.id(), null);
    }
  }

  /** The last transaction whose requests are in the journal; -1 for none ever. */
  public synchronized long lastTxid() {
    return lastTxid;
  }

  /** Bytes at the ends of segments that were not whole records when the journal was opened. */
  public long cutBytes() {
    return cutBytes;
  }

  /**
   * Bytes that were damaged, or of another version, when the journal was opened. The store has set
   * them aside; what was asked for there is not known, so all that is followed is asked for.
   */
  public long unreadBytes() {
    return unreadBytes;
  }

  /** Time of the last background scan as it was given to {@link #scanned}; -1 for none ever. */
  public synchronized long lastScan() {
    return lastScan;
  }

  /**
   * Adds a request that is not handed out before a time, unless one of the same kind and text is in
   * the queue that nobody works on yet: that one begins anew, waits no longer than this one would,
   * and has as many attempts left. It is safe after the next {@link #sync}.
   *
   * @return whether it was added
   */
  public synchronized boolean add(RequestKind kind, String text, int attempts, long due)
      throws IOException {
    QueuedRequest same = table.waiting(kind, text);
    if (same != null) {
      if (same.readUpTo() != null) {
        readUpTo(same, null); // what it had read may have changed since
      }
      table.hasten(same, attempts, due);
      return false;
    }
    QueuedRequest request = new QueuedRequest(nextId, kind, attempts, text);
    append(Frame.request(request));
    table.add(request, due);
    nextId++;
    return true;
  }

  /**
   * A file was closed. Only one that waits for it, or is being looked at, is asked for: what was
   * never seen open was placed by its policy when it was written.
   *
   * @return whether there is something to do now
   */
  public synchronized boolean closed(String path, long now) throws IOException {
    boolean isKnown =
        table.waiting(RequestKind.RETRY, path) != null || table.isRunning(RequestKind.RETRY, path);
    if (isKnown) {
      add(RequestKind.RETRY, path, 0, now);
    }
    return isKnown;
  }

  /**
   * Notes how far the tree of a request was read, so that it is read on from there after a crash;
   * null for its beginning. What was found before and waits is to be added first.
   */
  public synchronized void readUpTo(QueuedRequest request, String position) throws IOException {
    append(Frame.read(request.id(), position == null ? "" : position));
    table.readUpTo(request.id(), position);
  }

  /** Notes that all requests of transactions up to this one were added. */
  public synchronized void advance(long txid) throws IOException {
    append(Frame.number(Frame.TXID, txid));
    lastTxid = txid;
  }

  /** Notes that a background scan was added. */
  public synchronized void scanned(long time) throws IOException {
    append(Frame.number(Frame.SCANNED, time));
    lastScan = time;
  }

  /** Returns when everything added is safe; rewrites a segment that has grown. */
  public synchronized void sync() throws IOException {
    check();
    try {
      if (synced < written) {
        output.sync();
        synced = written;
        unsafeFrom = nextId;
      }
      if (written > compactAt && written > 4 * liveAtStart) {
        rewrite();
      }
    } catch (IOException | RuntimeException | Error e) {
      broken = true;
      throw e;
    }
  }

  /**
   * The next request of a line that is due, safe when it is returned; null for none. It is handed
   * out once, until a restart.
   */
  public synchronized QueuedRequest take(long now, Line line) throws IOException {
    check();
    QueuedRequest next = table.take(now, line, TWIN_WAIT_MS);
    if (next != null && next.id() >= unsafeFrom) {
      sync(); // nothing is done for what a crash would forget
    }
    return next;
  }

  /** Puts a request taken back until a time; it ends where the same waits already. */
  public synchronized void retry(QueuedRequest request, int attempts, long due) throws IOException {
    putBack(request, request.kind().line(), attempts, due);
  }

  /**
   * Somebody has looked at a request taken: it may be taken again from another line; it ends where
   * the same waits already.
   */
  public synchronized void found(QueuedRequest request, Line line, long now) throws IOException {
    putBack(request, line, request.attempts(), now);
  }

  private void putBack(QueuedRequest request, Line line, int attempts, long due)
      throws IOException {
    if (!table.putBack(request, line, attempts, due)) {
      done(request);
    }
  }

  /**
   * Ends a request, handed out or not; safe with the next {@link #sync}, until then it might be
   * repeated.
   */
  public synchronized void done(QueuedRequest request) throws IOException {
    if (table.remove(request.id())) {
      append(Frame.number(Frame.DONE, request.id()));
    }
  }

  /** The one of an id, handed out or not; null when it is not there. */
  public synchronized QueuedRequest find(long id) {
    return table.find(id);
  }

  /** Whether an id was given to a request, of this owner of the journal or of one before. */
  public synchronized boolean wasGiven(long id) {
    return id > 0 && id < nextId;
  }

  /** The oldest ones, at most so many. */
  public synchronized List<RequestState> first(int most, long now) {
    return table.first(most, now);
  }

  /** Requests without an end, those handed out included. */
  public synchronized int size() {
    return table.size();
  }

  /** Characters of the texts of all these. */
  public synchronized long textLength() {
    return table.textLength();
  }

  /** Requests handed out. */
  public synchronized int running() {
    return table.running();
  }

  /** When the oldest request was added, {@code now} when there is none. */
  public synchronized long oldestSince(long now) {
    return table.oldestSince(now);
  }

  private void check() throws IOException {
    if (broken) {
      throw new IOException("the journal cannot be written any more");
    }
  }

  private void append(byte[] frame) throws IOException {
    check();
    try {
      output.write(frame);
    } catch (IOException | RuntimeException | Error e) {
      broken = true;
      throw e;
    }
    written += frame.length;
  }

  /** Writes all requests to a new segment and makes it the journal. */
  private void rewrite() throws IOException {
    output = store.create();
    written = 0;
    append(Frame.base());
    if (nextId > 1) { // before the requests: which ids were given, for people go by them
      append(Frame.number(Frame.DONE, nextId - 1));
    }
    for (QueuedRequest request : table.all()) {
      append(Frame.request(request));
      if (request.readUpTo() != null) {
        append(Frame.read(request.id(), request.readUpTo()));
      }
    }
    liveAtStart = written;
    if (lastScan >= 0) {
      append(Frame.number(Frame.SCANNED, lastScan));
    }
    if (lastTxid >= 0) {
      append(Frame.number(Frame.TXID, lastTxid));
    }
    output.sync();
    output.publish(unreadBytes > 0);
    synced = written;
    unsafeFrom = nextId;
  }

  /** A file of HDFS that nobody closes is kept open, with threads and memory, by its client. */
  private static void closeFailed(SegmentStore store) {
    try {
      store.close();
    } catch (IOException | RuntimeException e) {
      return; // the first failure is thrown, which may be the same object
    }
  }

  /** Closes it, also where it is unusable already; that may take as long as a DataNode hangs. */
  @Override
  public synchronized void close() throws IOException {
    broken = true;
    store.close();
  }
}
