package io.evenkeel.mover.engine;

import io.evenkeel.mover.core.task.FileTask;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.IntConsumer;

/**
 * Which task works on a file, so that no two requests in this JVM move the same blocks, also when
 * they are of different movers: a DataNode does not keep two moves of one replica inside it apart
 * and may note a wrong length for it. One for each engine; all of a namespace share the owners.
 * Thread-safe; {@code this} guards what this engine has, the shared map guards itself.
 */
final class Claims {
  private static final ConcurrentMap<String, ConcurrentMap<Long, Owner>> OWNERS =
      new ConcurrentHashMap<>();

  private final ConcurrentMap<Long, Owner> owners;
  private final Set<FileTask> own = ConcurrentHashMap.newKeySet();
  private boolean closed;

  /** Who has a file. */
  private static final class Owner {
    private final FileTask task;
    private final IntConsumer hurry;

    Owner(FileTask task, IntConsumer hurry) {
      this.task = task;
      this.hurry = hurry;
    }
  }

  /** Claims of one engine in a namespace. */
  Claims(String namespace) {
    owners = OWNERS.computeIfAbsent(namespace, name -> new ConcurrentHashMap<>());
  }

  /**
   * Whether the task has the file now.
   *
   * @param hurry has it done with the given priority and without a pace, from any thread
   */
  synchronized boolean take(FileTask task, IntConsumer hurry) {
    if (closed) {
      return false;
    }
    Owner owner = owners.putIfAbsent(task.inodeId(), new Owner(task, hurry));
    if (owner == null) {
      own.add(task);
    }
    return owner == null || owner.task == task;
  }

  /** Whether any task has the file now. */
  boolean isTaken(FileTask task) {
    return owners.containsKey(task.inodeId());
  }

  /** Tells whoever has the file that somebody waits for it who is not paced. */
  void hurry(FileTask task, int priority) {
    Owner owner = owners.get(task.inodeId());
    if (owner != null && owner.task != task) {
      owner.hurry.accept(priority);
    }
  }

  /** Files that this engine has taken. */
  int size() {
    return own.size();
  }

  /** Gives it back. */
  synchronized void release(FileTask task) {
    if (own.remove(task)) {
      free(task);
    }
  }

  private void free(FileTask task) {
    owners.computeIfPresent(task.inodeId(), (id, owner) -> owner.task == task ? null : owner);
  }

  /** Gives everything back, and takes nothing any more. */
  synchronized void close() {
    closed = true;
    own.forEach(this::free);
    own.clear();
  }
}
