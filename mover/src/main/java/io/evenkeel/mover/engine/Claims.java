package io.evenkeel.mover.engine;

import io.evenkeel.mover.core.task.FileTask;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * Which task works on a file, so that no two requests in this JVM move the same blocks, also when
 * they are of different movers: a DataNode does not keep two moves of one replica inside it apart
 * and may note a wrong length for it. One for each engine; all of a namespace share the owners.
 * Thread-safe; {@code this} guards what this engine has, the shared map guards itself.
 */
final class Claims {
  private static final ConcurrentMap<String, ConcurrentMap<Long, FileTask>> OWNERS =
      new ConcurrentHashMap<>();

  private final ConcurrentMap<Long, FileTask> owners;
  private final Set<FileTask> own = ConcurrentHashMap.newKeySet();
  private boolean closed;

  /** Claims of one engine in a namespace. */
  Claims(String namespace) {
    owners = OWNERS.computeIfAbsent(namespace, name -> new ConcurrentHashMap<>());
  }

  /** Whether the task has the file now. */
  synchronized boolean take(FileTask task) {
    if (closed) {
      return false;
    }
    FileTask owner = owners.putIfAbsent(task.inodeId(), task);
    if (owner == null) {
      own.add(task);
    }
    return owner == null || owner == task;
  }

  /** Files that this engine has taken. */
  int size() {
    return own.size();
  }

  /** Gives it back. */
  synchronized void release(FileTask task) {
    if (own.remove(task)) {
      owners.remove(task.inodeId(), task);
    }
  }

  /** Gives everything back, and takes nothing any more. */
  synchronized void close() {
    closed = true;
    own.forEach(task -> owners.remove(task.inodeId(), task));
    own.clear();
  }
}
