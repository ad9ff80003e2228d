package io.evenkeel.mover.core.follow;

import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
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
  private final RequestTable table;
  private SegmentStore.Output output;
  private long written;
  private long synced;
  private long liveAtStart;
  private SegmentReader reader;
  private long readable;
  private long nextId = 1;
  private long lastTxid = -1;
  private long lastScan = -1;
  private long cutBytes;
  private long unreadBytes;
  private boolean broken;

  private Journal(SegmentStore store, long textBudget, long compactAt) {
    this.store = store;
    this.compactAt = compactAt;
    this.table = new RequestTable(textBudget);
  }

  /**
   * Takes the journal over from earlier owners and reads it.
   *
   * @param textBudget bytes of paths that are kept in memory; others are read again when needed
   * @param compactAt bytes of a segment from which on it may be rewritten
   * @param now time the requests found are counted from
   * @param followed what is asked for anew, with the first segment, where some of it is {@link
   *     #unreadBytes lost}
   */
  public static Journal open(
      SegmentStore store, long textBudget, long compactAt, long now, List<String> followed)
      throws IOException {
    Journal journal = new Journal(store, textBudget, compactAt);
    Replay replay = new Replay(journal.table, now);
    List<String> names = store.fence();
    for (int i = 0; i < names.size(); i++) {
      try (SegmentReader segment = new SegmentReader(store.open(names.get(i)))) {
        replay.segment(segment, i);
      }
    }
    journal.cutBytes = replay.cutBytes();
    journal.unreadBytes = replay.unreadBytes();
    journal.nextId = replay.nextId();
    journal.lastTxid = replay.lastTxid();
    journal.lastScan = replay.lastScan();
    List<String> again = journal.unreadBytes > 0 ? followed : Collections.emptyList();
    try (SegmentTexts old = new SegmentTexts(store, names)) {
      journal.rewrite(old, again, now);
    }
    journal.table.makeAllReady();
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
   * that one need not wait any longer then. It is safe after the next {@link #sync}.
   *
   * @return whether it was added
   */
  public synchronized boolean add(RequestKind kind, String text, int attempts, long now)
      throws IOException {
    byte[] bytes = Frame.textOf(text);
    int queued = table.findQueued(kind, bytes);
    if (queued >= 0) {
      table.hasten(queued);
      return false;
    }
    QueuedRequest request = new QueuedRequest(nextId++, kind, attempts, text);
    table.add(request, bytes, append(Frame.request(request)), now);
    return true;
  }

  /** Adds a request that is not handed out before a time, unless the same is in the queue. */
  public synchronized boolean addLater(RequestKind kind, String text, int attempts, long due)
      throws IOException {
    byte[] bytes = Frame.textOf(text);
    if (table.findQueued(kind, bytes) >= 0) {
      return false;
    }
    QueuedRequest request = new QueuedRequest(nextId++, kind, attempts, text);
    table.addDelayed(request, bytes, append(Frame.request(request)), due);
    return true;
  }

  /**
   * A file was closed. Only one that waits for it, or is being looked at, is asked for: what was
   * never seen open was placed by its policy when it was written.
   *
   * @return whether there is something to do now
   */
  public synchronized boolean closed(String path, long now) throws IOException {
    byte[] bytes = Frame.textOf(path);
    int queued = table.findQueued(RequestKind.RETRY, bytes);
    if (queued >= 0) {
      table.hasten(queued);
      return true;
    }
    return table.isRunning(RequestKind.RETRY, bytes) && add(RequestKind.RETRY, path, 0, now);
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
      }
      if (written > compactAt && written > 4 * liveAtStart && mostlyDone()) {
        try (SegmentTexts current = new SegmentTexts(this::textInCurrent)) {
          rewrite(current, Collections.emptyList(), 0);
        }
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
   * The next request that is due, safe when it is returned; null for none. It is handed out once,
   * until a restart.
   *
   * @param low whether also one of a kind that waits for all others
   */
  public synchronized QueuedRequest take(long now, boolean low) throws IOException {
    check();
    int slot = table.take(now, low);
    while (slot >= 0 && table.twinRuns(slot)) {
      table.delay(slot, table.attempts(slot), now + TWIN_WAIT_MS);
      slot = table.take(now, low);
    }
    if (slot < 0) {
      return null;
    }
    if (table.position(slot) >= synced) { // nothing is done for what a crash would forget
      sync();
    }
    byte[] text = table.text(slot);
    String found =
        text == null
            ? textInCurrent(table.position(slot))
            : new String(text, StandardCharsets.UTF_8);
    return new QueuedRequest(table.id(slot), table.kind(slot), table.attempts(slot), found);
  }

  /** Puts a request taken back until a time. */
  public synchronized void retry(QueuedRequest request, int attempts, long due) {
    int slot = table.find(request.id());
    if (slot >= 0) {
      table.delay(slot, attempts, due);
    }
  }

  /** Ends a request taken; safe with the next {@link #sync}, until then it might be repeated. */
  public synchronized void done(QueuedRequest request) throws IOException {
    int slot = table.find(request.id());
    if (slot >= 0) {
      append(Frame.number(Frame.DONE, request.id()));
      table.remove(slot);
    }
  }

  /** Requests without an end, those handed out included. */
  public synchronized int size() {
    return table.size();
  }

  /** Requests handed out. */
  public synchronized int running() {
    return table.running();
  }

  /** When the oldest request was added, {@code now} when there is none. */
  public synchronized long oldestSince(long now) {
    return table.oldestSince(now);
  }

  /** Bytes the queue holds in memory. */
  synchronized long retainedBytes() {
    return table.retainedBytes();
  }

  private void check() throws IOException {
    if (broken) {
      throw new IOException("the journal cannot be written any more");
    }
  }

  private long append(byte[] frame) throws IOException {
    check();
    long position = written;
    try {
      output.write(frame, 0, frame.length);
    } catch (IOException | RuntimeException e) {
      broken = true;
      throw e;
    }
    written += frame.length;
    return position;
  }

  /** Writes all requests, and some prefixes to scan, to a new segment and makes it the journal. */
  private void rewrite(SegmentTexts old, List<String> prefixes, long now) throws IOException {
    final SegmentStore.Output former = output;
    SegmentStore.Output next = store.create();
    SegmentWriter writer = new SegmentWriter(next);
    writer.write(Frame.base());
    for (long id : table.idsInOrder()) {
      int slot = table.find(id);
      byte[] text = table.text(slot);
      String read =
          text == null ? old.at(table.position(slot)) : new String(text, StandardCharsets.UTF_8);
      QueuedRequest request = new QueuedRequest(id, table.kind(slot), table.attempts(slot), read);
      table.position(slot, writer.write(Frame.request(request)));
    }
    for (String prefix : prefixes) {
      QueuedRequest scan = new QueuedRequest(nextId++, RequestKind.RESCAN, 0, prefix);
      table.load(scan, Frame.textOf(prefix), writer.write(Frame.request(scan)), now);
    }
    liveAtStart = writer.position();
    if (lastScan >= 0) {
      writer.write(Frame.number(Frame.SCANNED, lastScan));
    }
    if (lastTxid >= 0) {
      writer.write(Frame.number(Frame.TXID, lastTxid));
    }
    writer.flush();
    next.sync();
    next.publish();
    closeReader();
    output = next;
    written = writer.position();
    synced = written;
    if (former != null) {
      former.close();
    }
    if (former == null && unreadBytes > 0) {
      store.setFencedAside();
    }
    store.keepOnly(next.name());
  }

  private String textInCurrent(long position) throws IOException {
    if (reader == null || position >= readable) {
      closeReader();
      SegmentStore.Input input = store.open(output.name());
      readable = input.length();
      reader = new SegmentReader(input);
    }
    return SegmentTexts.text(reader.payloadAt(position), position);
  }

  private void closeReader() throws IOException {
    if (reader != null) {
      reader.close();
      reader = null;
    }
  }

  @Override
  public synchronized void close() throws IOException {
    boolean usable = !broken;
    broken = true;
    closeReader();
    if (usable) {
      output.close();
    }
    store.close();
  }
}
