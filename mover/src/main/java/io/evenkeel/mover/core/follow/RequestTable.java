package io.evenkeel.mover.core.follow;

import io.evenkeel.mover.core.follow.RequestKind.Line;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * All requests without an end. One is loaded and in no queue yet, ready in the queue of its line,
 * delayed until a time, or running. Not thread-safe.
 */
final class RequestTable {
  private final TreeMap<Long, Entry> byId = new TreeMap<>();
  private final Map<Meaning, Entry> queued = new HashMap<>();
  private final Map<Meaning, Entry> running = new HashMap<>();
  private final Map<Line, Queue<Entry>> ready = new EnumMap<>(Line.class);
  private final TreeSet<Entry> delayed =
      new TreeSet<>(
          Comparator.comparingLong((Entry each) -> each.due)
              .thenComparingLong(each -> each.request.id()));
  private long textLength;

  /** What requests of one group and the same text mean. */
  private static final class Meaning {
    private final int group;
    private final String text;

    Meaning(RequestKind kind, String text) {
      this.group = kind.group();
      // a file by its inode is the same whatever its path was
      this.text = kind == RequestKind.INODE ? text.substring(0, text.indexOf(' ') + 1) : text;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Meaning
          && ((Meaning) other).group == group
          && ((Meaning) other).text.equals(text);
    }

    @Override
    public int hashCode() {
      return Objects.hash(group, text);
    }
  }

  /** One request and where it is. */
  private static final class Entry {
    private QueuedRequest request;
    private final Meaning meaning;
    private final long since;

    /** When it may be taken; only meant while it is delayed. */
    private long due;

    /** Where it waits since somebody has looked; null for that of its kind. */
    private Line found;

    Entry(QueuedRequest request, long since) {
      this.request = request;
      this.meaning = new Meaning(request.kind(), request.text());
      this.since = since;
    }

    private Line line() {
      return found == null ? request.kind().line() : found;
    }

    private void attempts(int attempts) {
      request = request.withAttempts(Math.min(Byte.MAX_VALUE, attempts));
    }
  }

  /**
   * Lets one of the same meaning that nobody works on be taken at once; false when none is there.
   */
  boolean hasten(RequestKind kind, String text) {
    Entry entry = queued.get(new Meaning(kind, text));
    if (entry != null && delayed.remove(entry)) {
      entry.attempts(0); // as if it was new
      makeReady(entry);
    }
    return entry != null;
  }

  /** Whether there is one of the same meaning that nobody works on. */
  boolean isQueued(RequestKind kind, String text) {
    return queued.containsKey(new Meaning(kind, text));
  }

  /** Whether a request of the same meaning is running. */
  boolean isRunning(RequestKind kind, String text) {
    return running.containsKey(new Meaning(kind, text));
  }

  boolean contains(long id) {
    return byId.containsKey(id);
  }

  /** Adds one that is in no queue before {@link #makeAllReady}. */
  void load(QueuedRequest request, long now) {
    byId.put(request.id(), new Entry(request, now));
  }

  /** Adds one at the end of its queue. */
  void add(QueuedRequest request, long now) {
    Entry entry = new Entry(request, now);
    byId.put(request.id(), entry);
    textLength += request.text().length();
    queued.put(entry.meaning, entry);
    makeReady(entry);
  }

  /** Adds one that waits until a time. */
  void addDelayed(QueuedRequest request, long due) {
    Entry entry = new Entry(request, due);
    byId.put(request.id(), entry);
    textLength += request.text().length();
    delay(entry, due);
  }

  /**
   * Puts all loaded ones in the queues, in the order of their ids; of those of one meaning, as
   * there are after a crash, the first, from its beginning: the second came for what it had read.
   */
  void makeAllReady() {
    for (Iterator<Entry> all = byId.values().iterator(); all.hasNext(); ) {
      Entry entry = all.next();
      Entry before = queued.putIfAbsent(entry.meaning, entry);
      if (before == null) {
        textLength += entry.request.text().length();
        makeReady(entry);
      } else {
        before.request = before.request.withReadUpTo(null);
        all.remove();
      }
    }
  }

  private void makeReady(Entry entry) {
    ready.computeIfAbsent(entry.line(), line -> new ArrayDeque<>()).add(entry);
  }

  private void delay(Entry entry, long due) {
    entry.due = due;
    queued.put(entry.meaning, entry);
    delayed.add(entry);
  }

  /**
   * The next one that is due, now running; null for none. One of the same meaning as one that runs
   * waits.
   *
   * @param line which of them
   */
  QueuedRequest take(long now, Line line, long twinWait) {
    while (!delayed.isEmpty() && delayed.first().due <= now) {
      makeReady(delayed.pollFirst());
    }
    while (true) {
      Entry next = ready.containsKey(line) ? ready.get(line).poll() : null;
      if (next == null) {
        return null;
      }
      if (running.containsKey(next.meaning)) {
        delay(next, now + twinWait);
      } else {
        queued.remove(next.meaning);
        running.put(next.meaning, next);
        return next.request;
      }
    }
  }

  /** How many of a line are ready to be taken, those that are due now not counted. */
  int ready(Line line) {
    return ready.containsKey(line) ? ready.get(line).size() : 0;
  }

  /** Null when nobody works on it. */
  private Entry running(QueuedRequest request) {
    Entry entry = byId.get(request.id());
    return entry != null && running.get(entry.meaning) == entry ? entry : null;
  }

  /**
   * Puts a running one back until a time.
   *
   * @return false when one of the same meaning waits already: then this one is for nothing
   */
  boolean retry(QueuedRequest request, int attempts, long due) {
    Entry entry = running(request);
    if (entry == null) {
      return true;
    }
    if (queued.containsKey(entry.meaning)) {
      return false;
    }
    running.remove(entry.meaning);
    entry.attempts(attempts);
    entry.found = null;
    delay(entry, due);
    return true;
  }

  /**
   * Puts a running one into another line, as somebody has looked.
   *
   * @return false when one of the same meaning waits already: then this one is for nothing
   */
  boolean found(QueuedRequest request, Line line) {
    Entry entry = running(request);
    if (entry == null) {
      return true;
    }
    if (queued.containsKey(entry.meaning)) {
      return false;
    }
    running.remove(entry.meaning);
    entry.found = line;
    queued.put(entry.meaning, entry);
    makeReady(entry);
    return true;
  }

  /** Drops a running one, or one that was only loaded; false when nobody works on it. */
  boolean remove(long id) {
    Entry entry = byId.get(id);
    if (entry == null || queued.get(entry.meaning) == entry) {
      return false;
    }
    byId.remove(id);
    if (running.remove(entry.meaning, entry)) {
      textLength -= entry.request.text().length();
    }
    return true;
  }

  /** Notes how far the tree of a request was read; null for its beginning. */
  void readUpTo(long id, String position) {
    Entry entry = byId.get(id);
    if (entry != null) {
      entry.request = entry.request.withReadUpTo(position);
    }
  }

  /** One of the same meaning that nobody works on; null when there is none. */
  QueuedRequest queued(RequestKind kind, String text) {
    Entry entry = queued.get(new Meaning(kind, text));
    return entry == null ? null : entry.request;
  }

  /** The one of an id, whatever becomes of it; null when there is none. */
  QueuedRequest find(long id) {
    Entry entry = byId.get(id);
    return entry == null ? null : entry.request;
  }

  /** Drops one, running or not. */
  void drop(long id) {
    Entry entry = byId.remove(id);
    if (entry != null) {
      textLength -= entry.request.text().length();
      running.remove(entry.meaning, entry);
      queued.remove(entry.meaning, entry);
      delayed.remove(entry);
      ready.values().forEach(line -> line.remove(entry));
    }
  }

  /** The first ones, in the order in which they came, and what becomes of them. */
  List<RequestState> first(int most, long now) {
    List<RequestState> states = new ArrayList<>();
    Iterator<Entry> all = byId.values().iterator();
    while (all.hasNext() && states.size() < most) {
      Entry entry = all.next();
      boolean runs = running.get(entry.meaning) == entry;
      long wait = delayed.contains(entry) ? Math.max(0, entry.due - now) : 0;
      states.add(new RequestState(entry.request, runs, Math.max(0, now - entry.since), wait));
    }
    return states;
  }

  /** Drops all, of which none is in a queue yet. */
  void clear() {
    byId.clear();
  }

  /** All of them in the order in which they came. */
  Collection<QueuedRequest> all() {
    Collection<QueuedRequest> all = new ArrayList<>(byId.size());
    byId.values().forEach(entry -> all.add(entry.request));
    return all;
  }

  int size() {
    return byId.size();
  }

  /** Characters of all texts. */
  long textLength() {
    return textLength;
  }

  int running() {
    return running.size();
  }

  /** When the oldest one was added; {@code now} when there is none. Looks at all of them. */
  long oldestSince(long now) {
    return byId.values().stream().mapToLong(entry -> entry.since).reduce(now, Math::min);
  }
}
