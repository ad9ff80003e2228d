package io.evenkeel.mover.engine;

import io.evenkeel.mover.core.task.FileTask;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;

/**
 * Which task works on a file, so that no two requests in this JVM move the same blocks, also when
 * they are of different movers: a DataNode does not keep two moves of one replica inside it apart.
 * Both write to one temporary file, and the first to end takes for the replica what the second has
 * written until then. One for each engine; all of a namespace share the owners. Thread-safe; {@code
 * this} guards what this engine has, the shared map guards itself.
 */
final class FileOwners {
  /** A DataNode may go on so long with a move inside it for which nobody waits any more. */
  private static final long GOES_ON_NANOS = TimeUnit.MINUTES.toNanos(10);

  private static final ConcurrentMap<String, ConcurrentMap<Long, Owner>> OWNERS =
      new ConcurrentHashMap<>();

  private final ConcurrentMap<Long, Owner> owners;
  private final Clock clock;
  private final Set<FileTask> own = ConcurrentHashMap.newKeySet();
  private boolean closed;

  /** Who has a file. */
  private static final class Owner {
    private final FileTask task;
    private final IntConsumer hurry;
    private final Clock clock;
    private final long until; // by that clock

    Owner(FileTask task, IntConsumer hurry, Clock clock, long until) {
      this.task = task;
      this.hurry = hurry;
      this.clock = clock;
      this.until = until;
    }

    private boolean isOver() {
      return clock.nanos() >= until;
    }
  }

  /** What one engine has of a namespace's files. */
  FileOwners(String namespace, Clock clock) {
    this.clock = clock;
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
    Owner mine = new Owner(task, hurry, clock, Long.MAX_VALUE);
    Owner owner =
        owners.compute(
            task.inodeId(), (id, known) -> known == null || known.isOver() ? mine : known);
    if (owner == mine) {
      own.add(task);
    }
    return owner.task == task;
  }

  /** Whether any task has the file now. */
  boolean isTaken(FileTask task) {
    Owner owner = owners.get(task.inodeId());
    return owner != null && !owner.isOver();
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

  /** Gives it back, unless everything is about to be. */
  synchronized void release(FileTask task) {
    if (!closed && own.remove(task)) {
      free(task);
    }
  }

  private void free(FileTask task) {
    owners.computeIfPresent(task.inodeId(), (id, owner) -> owner.task == task ? null : owner);
  }

  /** Takes nothing any more, and gives nothing back before {@link #close}. */
  synchronized void closing() {
    closed = true;
  }

  /**
   * Gives everything back.
   *
   * @param goOn files with moves inside DataNodes that were begun and not answered: nobody gets
   *     these for ten minutes
   */
  synchronized void close(Set<FileTask> goOn) {
    // keeps nothing of this engine alive but the clock
    Owner dataNode = new Owner(null, priority -> {}, clock, clock.nanos() + GOES_ON_NANOS);
    for (FileTask task : own) {
      if (goOn.contains(task)) {
        owners.put(task.inodeId(), dataNode);
      } else {
        free(task);
      }
    }
    own.clear();
    owners.values().removeIf(Owner::isOver);
  }
}
