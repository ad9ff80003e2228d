package io.evenkeel.mover.core.follow;

import java.util.Arrays;

/**
 * All requests without an end, about 90 bytes each in arrays whatever their paths are: the text
 * itself is kept only while a budget lasts, otherwise the journal reads it again from the position
 * noted here. A slot is ready (in one of two queues), delayed (in a heap by time) or running. Not
 * thread-safe.
 */
final class RequestTable {
  private static final int FREE = 0;
  private static final int READY = 1;
  private static final int DELAYED = 2;
  private static final int RUNNING = 3;
  private static final int LOADED = 4;

  private final long textBudget;
  private final IntChains byId = new IntChains();
  private final IntChains byHash = new IntChains();
  private final SlotQueue[] ready = {new SlotQueue(), new SlotQueue()};
  private final DueHeap delayed = new DueHeap();
  private int capacity = 1 << 10;
  private long[] ids = new long[capacity];
  private long[] hashes = new long[capacity];
  private long[] checks = new long[capacity];
  private long[] positions = new long[capacity];
  private long[] since = new long[capacity];
  private byte[] states = new byte[capacity];
  private byte[] kinds = new byte[capacity];
  private byte[] attempts = new byte[capacity];
  private byte[][] texts = new byte[capacity][];
  private int used;
  private int freeHead = -1;
  private int size;
  private int running;
  private long textBytes;

  RequestTable(long textBudget) {
    this.textBudget = textBudget;
  }

  /** A queued request, not running, of the same group and text; -1 for none. */
  int findQueued(RequestKind kind, byte[] text) {
    return find(kind, text, false);
  }

  /** Whether a request of the same group and text is running. */
  boolean isRunning(RequestKind kind, byte[] text) {
    return find(kind, text, true) >= 0;
  }

  private int find(RequestKind kind, byte[] text, boolean isRunning) {
    long hash = TextHash.first(kind.group(), text);
    long check = TextHash.second(kind.group(), text);
    for (int slot = byHash.first(hash); slot >= 0; slot = byHash.after(slot)) {
      boolean same = hashes[slot] == hash && checks[slot] == check;
      if (same && (states[slot] == RUNNING) == isRunning) {
        return slot;
      }
    }
    return -1;
  }

  /** Whether another request of the same group and text as this one is running. */
  boolean twinRuns(int slot) {
    for (int at = byHash.first(hashes[slot]); at >= 0; at = byHash.after(at)) {
      boolean same = hashes[at] == hashes[slot] && checks[at] == checks[slot];
      if (same && at != slot && states[at] == RUNNING) {
        return true;
      }
    }
    return false;
  }

  int find(long id) {
    for (int slot = byId.first(id); slot >= 0; slot = byId.after(slot)) {
      if (ids[slot] == id) {
        return slot;
      }
    }
    return -1;
  }

  /** Adds one that is in no queue before {@link #makeAllReady}. */
  int load(QueuedRequest request, byte[] text, long position, long now) {
    int slot = freeSlot();
    RequestKind kind = request.kind();
    ids[slot] = request.id();
    hashes[slot] = TextHash.first(kind.group(), text);
    checks[slot] = TextHash.second(kind.group(), text);
    positions[slot] = position;
    since[slot] = now;
    kinds[slot] = (byte) kind.code();
    attempts[slot] = (byte) request.attempts();
    if (textBytes + text.length <= textBudget) {
      texts[slot] = text;
      textBytes += text.length;
    }
    byId.add(ids[slot], slot);
    byHash.add(hashes[slot], slot);
    states[slot] = LOADED;
    size++;
    return slot;
  }

  /** Adds one at the end of its queue. */
  void add(QueuedRequest request, byte[] text, long position, long now) {
    makeReady(load(request, text, position, now));
  }

  /** Adds one that waits until a time. */
  void addDelayed(QueuedRequest request, byte[] text, long position, long due) {
    int slot = load(request, text, position, due);
    states[slot] = DELAYED;
    delayed.add(slot, due);
  }

  /** Lets a delayed one be taken at once, as if it was new. */
  void hasten(int slot) {
    if (states[slot] == DELAYED) {
      attempts[slot] = 0;
      makeReady(slot);
    }
  }

  /** Puts all loaded ones in the queues, in the order of their ids. */
  void makeAllReady() {
    for (long id : idsInOrder()) {
      makeReady(find(id));
    }
  }

  /** Ids of all, ascending: the order in which they came and lie in the journal. */
  long[] idsInOrder() {
    long[] found = new long[size];
    int n = 0;
    for (int slot = 0; slot < used; slot++) {
      if (states[slot] != FREE) {
        found[n++] = ids[slot];
      }
    }
    Arrays.sort(found);
    return found;
  }

  private void makeReady(int slot) {
    states[slot] = READY;
    ready[kind(slot).isLow() ? 1 : 0].add(slot);
  }

  /** The next one that is due, now running; -1 for none. The low ones only where {@code low}. */
  int take(long now, boolean low) {
    while (!delayed.isEmpty() && delayed.firstDue() <= now) {
      int slot = delayed.removeFirst();
      if (states[slot] == DELAYED) { // otherwise it was hastened since then
        makeReady(slot);
      }
    }
    for (int i = 0; i < (low ? 2 : 1); i++) {
      SlotQueue queue = ready[i];
      if (!queue.isEmpty()) {
        int slot = queue.remove();
        states[slot] = RUNNING;
        running++;
        return slot;
      }
    }
    return -1;
  }

  /** Puts a running one back until a time. */
  void delay(int slot, int tries, long due) {
    running--;
    attempts[slot] = (byte) Math.min(Byte.MAX_VALUE, tries);
    states[slot] = DELAYED;
    delayed.add(slot, due);
  }

  /** Drops a running one, or one that was only loaded. */
  void remove(int slot) {
    if (states[slot] == RUNNING) {
      running--;
    }
    byId.remove(ids[slot], slot);
    byHash.remove(hashes[slot], slot);
    if (texts[slot] != null) {
      textBytes -= texts[slot].length;
      texts[slot] = null;
    }
    states[slot] = FREE;
    positions[slot] = freeHead;
    freeHead = slot;
    size--;
  }

  private int freeSlot() {
    if (freeHead >= 0) {
      int slot = freeHead;
      freeHead = (int) positions[slot];
      return slot;
    }
    if (used == capacity) {
      grow();
    }
    return used++;
  }

  private void grow() {
    capacity *= 2;
    ids = Arrays.copyOf(ids, capacity);
    hashes = Arrays.copyOf(hashes, capacity);
    checks = Arrays.copyOf(checks, capacity);
    positions = Arrays.copyOf(positions, capacity);
    since = Arrays.copyOf(since, capacity);
    states = Arrays.copyOf(states, capacity);
    kinds = Arrays.copyOf(kinds, capacity);
    attempts = Arrays.copyOf(attempts, capacity);
    texts = Arrays.copyOf(texts, capacity);
    byId.clear(capacity);
    byHash.clear(capacity);
    for (int slot = 0; slot < used; slot++) {
      byId.add(ids[slot], slot);
      byHash.add(hashes[slot], slot);
    }
  }

  RequestKind kind(int slot) {
    return RequestKind.of(kinds[slot]);
  }

  long id(int slot) {
    return ids[slot];
  }

  int attempts(int slot) {
    return attempts[slot];
  }

  long position(int slot) {
    return positions[slot];
  }

  void position(int slot, long value) {
    positions[slot] = value;
  }

  /** The text, null when only the journal has it. */
  byte[] text(int slot) {
    return texts[slot];
  }

  int size() {
    return size;
  }

  int running() {
    return running;
  }

  /** When the oldest one was added; {@code now} when there is none. Looks at all of them. */
  long oldestSince(long now) {
    long oldest = now;
    for (int slot = 0; slot < used; slot++) {
      oldest = states[slot] == FREE ? oldest : Math.min(oldest, since[slot]);
    }
    return oldest;
  }

  /** Bytes of all arrays and texts. */
  long retainedBytes() {
    long arrays = capacity * (5L * 8 + 3 + 4);
    long texted = textBytes;
    for (int slot = 0; slot < used; slot++) {
      texted += texts[slot] == null ? 0 : 24;
    }
    return arrays
        + texted
        + byId.retainedBytes()
        + byHash.retainedBytes()
        + ready[0].retainedBytes()
        + ready[1].retainedBytes()
        + delayed.retainedBytes();
  }
}
