package io.evenkeel.mover.core.follow;

import io.evenkeel.mover.core.follow.RequestKind.Line;
import java.io.Closeable;
import java.io.IOException;
import java.util.Collections;
import java.util.List;

/**
 * The queue of requests, on disk before anything is done for them. A request stays until {@link
 * #done}; after a crash all without that are handed out again. Requests and the transaction they
 * came from are records of one sequence of bytes, so no transaction is known after a crash whose
 * requests are not.
 *
 * <p>When the segment has grown and little of it is still wanted, what is left is written to a new
 * one, which then replaces it at once. Any exception of the store leaves the journal unusable:
 * somebody else may own it. Thread-safe. Times are milliseconds of the caller's clock.
 */
public final class Journal implements Closeable {
  /** Longest text of a request, in bytes of UTF-8. */
  public static final int MAX_TEXT = Frame.MAX_TEXT;

  /** How long a request waits when the same is being worked on. */
  private static final long TWIN_WAIT_MS = 200;

  private final SegmentStore store;
  private final long compactAt;
  private final RequestTable table = new RequestTable();
  private SegmentStore.Output output;
  private long written;
  private long synced;
  private long liveAtStart;
  private long nextId = 1;

  /** The first request that a crash might forget. */
  private long unsafeFrom = 1;

  private long lastTxid = -1;
  private long lastScan = -1;
  private long cutBytes;
  private long unreadBytes;
  private boolean broken;

  private Journal(SegmentStore store, long compactAt) {
    this.store = store;
    this.compactAt = compactAt;
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
    Journal journal = new Journal(store, compactAt);
    Replay replay = new Replay(journal.table, now);
    for (String name : store.fence()) {
      try (SegmentReader segment = new SegmentReader(store.open(name))) {
        replay.segment(segment);
      }
    }
    journal.cutBytes = replay.cutBytes;
    journal.unreadBytes = replay.unreadBytes;
    journal.nextId = replay.nextId;
    journal.lastTxid = replay.lastTxid;
    journal.lastScan = replay.lastScan;
    List<String> again = journal.unreadBytes > 0 ? followed : Collections.emptyList();
    journal.table.makeAllReady();
    journal.rewrite(again, now);
    return journal;
  }

  /** The last transaction whose requests are in the journal; -1 for none ever. */
  public synchronized long lastTxid() {
    return lastTxid;
  }

  /** Bytes at the ends of segments that were not whole records when the journal was opened. */
  public synchronized long cutBytes() {
    return cutBytes;
  }

  /**
   * Bytes that were damaged, or of another version, when the journal was opened. The store has set
   * them aside; what was asked for there is not known, so all that is followed is asked for.
   */
  public synchronized long unreadBytes() {
    return unreadBytes;
  }

  /** Time of the last background scan as it was given to {@link #scanned}; -1 for none ever. */
  public synchronized long lastScan() {
    return lastScan;
  }

  /**
   * Adds a request, unless one of the same kind and text is in the queue that nobody works on yet:
   * that one need not wait any longer then, and begins anew. It is safe after the next {@link
   * #sync}.
   *
   * @return whether it was added
   */
  public synchronized boolean add(RequestKind kind, String text, int attempts, long now)
      throws IOException {
    beginAnew(kind, text);
    if (table.hasten(kind, text)) {
      return false;
    }
    QueuedRequest request = new QueuedRequest(nextId, kind, attempts, text);
    append(Frame.request(request));
    table.add(request, now);
    nextId++;
    return true;
  }

  /** Adds a request that is not handed out before a time, unless the same is in the queue. */
  public synchronized boolean addLater(RequestKind kind, String text, int attempts, long due)
      throws IOException {
    if (table.isQueued(kind, text)) {
      beginAnew(kind, text);
      return false;
    }
    QueuedRequest request = new QueuedRequest(nextId, kind, attempts, text);
    append(Frame.request(request));
    table.addDelayed(request, due);
    nextId++;
    return true;
  }

  /** Of one that waits: what it had read may have changed since. */
  private void beginAnew(RequestKind kind, String text) throws IOException {
    QueuedRequest waiting = table.queued(kind, text);
    if (waiting != null && waiting.readUpTo() != null) {
      readUpTo(waiting, null);
    }
  }

  /**
   * A file was closed. Only one that waits for it, or is being looked at, is asked for: what was
   * never seen open was placed by its policy when it was written.
   *
   * @return whether there is something to do now
   */
  public synchronized boolean closed(String path, long now) throws IOException {
    return table.hasten(RequestKind.RETRY, path)
        || table.isRunning(RequestKind.RETRY, path) && add(RequestKind.RETRY, path, 0, now);
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

  /** Returns when everything added is safe; rewrites the segment when that pays. */
  public synchronized void sync() throws IOException {
    check();
    try {
      if (synced < written) {
        output.sync();
        synced = written;
        unsafeFrom = nextId;
      }
      if (written > compactAt && written > 4 * liveAtStart && mostlyDone()) {
        rewrite(Collections.emptyList(), 0);
      }
    } catch (IOException | RuntimeException e) {
      broken = true;
      throw e;
    }
  }

  private boolean mostlyDone() {
    return table.size() * 256L < written;
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
    if (!table.retry(request, attempts, due)) {
      done(request);
    }
  }

  /**
   * Somebody has looked at a request taken: it may be taken again from another line; it ends where
   * the same waits already.
   */
  public synchronized void found(QueuedRequest request, Line line) throws IOException {
    if (!table.found(request, line)) {
      done(request);
    }
  }

  /** Ends a request taken; safe with the next {@link #sync}, until then it might be repeated. */
  public synchronized void done(QueuedRequest request) throws IOException {
    if (table.remove(request.id())) {
      append(Frame.number(Frame.DONE, request.id()));
    }
  }

  /** Ends one, handed out or not; safe with the next {@link #sync}. */
  public synchronized void drop(QueuedRequest request) throws IOException {
    if (table.contains(request.id())) {
      append(Frame.number(Frame.DONE, request.id()));
      table.drop(request.id());
    }
  }

  /** The one of an id, handed out or not; null when it is not there. */
  public synchronized QueuedRequest find(long id) {
    return table.find(id);
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

  /** About how many of a line may be taken now. */
  public synchronized int ready(Line line) {
    return table.ready(line);
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
    } catch (IOException | RuntimeException e) {
      broken = true;
      throw e;
    }
    written += frame.length;
  }

  /** Writes all requests, and some prefixes to scan, to a new segment and makes it the journal. */
  private void rewrite(List<String> prefixes, long now) throws IOException {
    final SegmentStore.Output former = output;
    output = store.create();
    written = 0;
    append(Frame.base());
    for (String prefix : prefixes) {
      QueuedRequest waiting = table.queued(RequestKind.RESCAN, prefix);
      if (waiting == null) {
        table.add(new QueuedRequest(nextId++, RequestKind.RESCAN, 0, prefix), now);
      } else {
        table.readUpTo(waiting.id(), null); // what it had left behind may be what is lost
      }
    }
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
    output.publish();
    synced = written;
    unsafeFrom = nextId;
    if (former != null) {
      former.close();
    }
    if (former == null && unreadBytes > 0) {
      store.setFencedAside();
    }
    store.keepOnly(output.name());
  }

  @Override
  public synchronized void close() throws IOException {
    boolean usable = !broken;
    broken = true;
    if (usable) {
      output.close();
    }
    store.close();
  }
}
