package io.evenkeel.mover.core.follow;

import io.evenkeel.mover.core.follow.RequestKind.Line;
import java.util.AbstractMap.SimpleImmutableEntry;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * All requests without an end. One waits in its line until it is due and its turn comes, or it
 * runs. Requests of one group with the same text mean the same: one that runs and one that waits
 * are enough. Separate from the {@link Journal}, which adds locks and what is written down, as the
 * table alone decides who is next. Not thread-safe.
 */
final class RequestTable {
  private static final Comparator<Queued> BY_TIME =
      Comparator.comparingLong((Queued each) -> each.due)
          .thenComparingLong(each -> each.request.id());

  private final TreeMap<Long, Queued> byId = new TreeMap<>();
  private final Map<Map.Entry<Integer, String>, Queued> waiting = new HashMap<>();
  private final Map<Map.Entry<Integer, String>, Queued> running = new HashMap<>();

  /** The same as {@link #waiting}. */
  private final Map<Line, TreeSet<Queued>> lines = new EnumMap<>(Line.class);

  private long textLength;

  /** One request and where it is. */
  private static final class Queued {
    private QueuedRequest request;
    private final Map.Entry<Integer, String> meaning;
    private final long since;

    /** When it may be taken, and from which line; not changed while it waits there. */
    private long due;

    private Line line;

    Queued(QueuedRequest request, long due) {
      this.request = request;
      this.meaning = meaning(request.kind(), request.text());
      this.since = due;
      this.due = due;
      this.line = request.kind().line();
    }
  }

  private static Map.Entry<Integer, String> meaning(RequestKind kind, String text) {
    // a file by its inode is the same whatever its path was
    String what = kind == RequestKind.INODE ? text.substring(0, text.indexOf(' ') + 1) : text;
    return new SimpleImmutableEntry<>(kind.group(), what);
  }

  RequestTable() {
    for (Line line : Line.values()) {
      lines.put(line, new TreeSet<>(BY_TIME));
    }
  }

  /** One of the same meaning that nobody works on; null when there is none. */
  QueuedRequest waiting(RequestKind kind, String text) {
    Queued same = waiting.get(meaning(kind, text));
    return same == null ? null : same.request;
  }

  /** Whether a request of the same meaning is running. */
  boolean isRunning(RequestKind kind, String text) {
    return running.containsKey(meaning(kind, text));
  }

  /** Adds one that may be taken from a time on; none of the same meaning waits. */
  void add(QueuedRequest request, long due) {
    Queued queued = new Queued(request, due);
    byId.put(request.id(), queued);
    textLength += request.text().length();
    enqueue(queued);
  }

  private void enqueue(Queued queued) {
    waiting.put(queued.meaning, queued);
    lines.get(queued.line).add(queued);
  }

  private void dequeue(Queued queued) {
    waiting.remove(queued.meaning);
    lines.get(queued.line).remove(queued);
  }

  /** Has one that waits for longer taken earlier, as if it was tried no more often than that. */
  void hasten(QueuedRequest request, int attempts, long due) {
    Queued queued = byId.get(request.id());
    if (due < queued.due) {
      dequeue(queued);
      putBack(queued, queued.line, Math.min(attempts, queued.request.attempts()), due);
    }
  }

  private void putBack(Queued queued, Line line, int attempts, long due) {
    queued.request = queued.request.withAttempts(attempts);
    queued.line = line;
    queued.due = due;
    enqueue(queued);
  }

  /**
   * The next one of a line that is due, now running; null for none. One of the same meaning as one
   * that runs waits.
   */
  QueuedRequest take(long now, Line line, long twinWait) {
    TreeSet<Queued> inLine = lines.get(line);
    while (!inLine.isEmpty() && inLine.first().due <= now) {
      Queued next = inLine.first();
      dequeue(next);
      if (!running.containsKey(next.meaning)) {
        running.put(next.meaning, next);
        return next.request;
      }
      next.due = now + twinWait;
      enqueue(next);
    }
    return null;
  }

  /**
   * Puts a running one into a line until a time.
   *
   * @return false when one of the same meaning waits already: then this one is for nothing
   */
  boolean putBack(QueuedRequest request, Line line, int attempts, long due) {
    Queued queued = byId.get(request.id());
    if (queued == null || running.get(queued.meaning) != queued) {
      return true;
    }
    if (waiting.containsKey(queued.meaning)) {
      return false;
    }
    running.remove(queued.meaning);
    putBack(queued, line, attempts, due);
    return true;
  }

  /** Drops one, running or not; false when there is none. */
  boolean remove(long id) {
    Queued queued = byId.remove(id);
    if (queued == null) {
      return false;
    }
    textLength -= queued.request.text().length();
    if (!running.remove(queued.meaning, queued)) {
      dequeue(queued);
    }
    return true;
  }

  /** Notes how far the tree of a request was read; null for its beginning. */
  void readUpTo(long id, String position) {
    Queued queued = byId.get(id);
    if (queued != null) {
      queued.request = queued.request.withReadUpTo(position);
    }
  }

  /** The one of an id, running or not; null when there is none. */
  QueuedRequest find(long id) {
    Queued queued = byId.get(id);
    return queued == null ? null : queued.request;
  }

  /** The first ones, in the order in which they came, and what becomes of them. */
  List<RequestState> first(int most, long now) {
    List<RequestState> states = new ArrayList<>();
    Iterator<Queued> all = byId.values().iterator();
    while (all.hasNext() && states.size() < most) {
      Queued queued = all.next();
      boolean runs = running.get(queued.meaning) == queued;
      states.add(
          new RequestState(
              queued.request,
              runs && queued.line != Line.TO_LOOK_AT,
              Math.max(0, now - queued.since),
              runs ? 0 : Math.max(0, queued.due - now)));
    }
    return states;
  }

  /** All of them in the order in which they came. */
  List<QueuedRequest> all() {
    List<QueuedRequest> all = new ArrayList<>(byId.size());
    byId.values().forEach(queued -> all.add(queued.request));
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
    return byId.values().stream().mapToLong(queued -> queued.since).reduce(now, Math::min);
  }
}
