package io.evenkeel.bench.gameday.fault;

import io.evenkeel.bench.fileio.FileIoHook;
import io.evenkeel.bench.gameday.fault.DiskOrder.Effect;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.datanode.FaultInjectorFileIoEvents;
import org.apache.hadoop.hdfs.server.datanode.FileIoProvider.OPERATION;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;

/**
 * Hadoop's hook in front of every file operation, in which orders come true. An operation that
 * waits goes on when its order ends, and then meets what is ordered by then.
 *
 * <p>With {@link Effect#FAIL}, deletions and questions whether a file exists go through: on a
 * broken disk they return false, which a hook cannot, and an exception would be one that Hadoop's
 * code cannot expect there. Thread-safe.
 */
final class FaultyDisks extends FaultInjectorFileIoEvents {
  private static final Set<OPERATION> NEED_SPACE =
      EnumSet.of(OPERATION.WRITE, OPERATION.NATIVE_COPY);
  private static final Set<OPERATION> NEVER_THROW =
      EnumSet.of(OPERATION.DELETE, OPERATION.EXISTS, OPERATION.FADVISE);

  private final AtomicInteger waiting = new AtomicInteger();
  private final AtomicLong met = new AtomicLong();
  private volatile List<Standing> standing = List.of();

  /** An order in force, and the event of its end; equal to no other. */
  private static final class Standing {
    final DiskOrder order;
    final CountDownLatch end = new CountDownLatch(1);

    Standing(DiskOrder order) {
      this.order = order;
    }
  }

  FaultyDisks() {
    super(new Configuration(false));
  }

  /** Replaces all orders; those that stay go on without an interruption. */
  synchronized void use(List<DiskOrder> orders) {
    List<Standing> before = new ArrayList<>(standing);
    List<Standing> after = new ArrayList<>();
    for (DiskOrder order : orders) {
      Standing same = before.stream().filter(s -> s.order.equals(order)).findFirst().orElse(null);
      before.remove(same);
      after.add(same == null ? new Standing(order) : same);
    }
    standing = List.copyOf(after);
    before.forEach(ended -> ended.end.countDown());
  }

  /** Operations that hang or are delayed now. */
  int waiting() {
    return waiting.get();
  }

  /** Operations that met an order since the process began. */
  long met() {
    return met.get();
  }

  /** Whether a volume has this order now. */
  boolean ordered(FsVolumeSpi volume, Effect effect) {
    List<Standing> now = standing;
    return now.stream().anyMatch(s -> s.order.effect() == effect)
        && now.stream().anyMatch(s -> s.order.effect() == effect && s.order.isFor(names(volume)));
  }

  @Override
  public void beforeMetadataOp(FsVolumeSpi volume, OPERATION operation) {
    if (standing.isEmpty() || volume == null) {
      return;
    }
    List<String> names = names(volume);
    Set<Standing> done = new HashSet<>();
    for (Standing next = next(names, done); next != null; next = next(names, done)) {
      if (done.isEmpty()) {
        met.incrementAndGet();
      }
      done.add(next);
      meet(next, operation);
    }
  }

  @Override
  public void beforeFileIo(FsVolumeSpi volume, OPERATION operation, long length) {
    beforeMetadataOp(volume, operation);
  }

  private Standing next(List<String> names, Set<Standing> done) {
    return standing.stream()
        .filter(s -> !done.contains(s) && s.order.isFor(names))
        .findFirst()
        .orElse(null);
  }

  private void meet(Standing standingOrder, OPERATION operation) {
    Effect effect = standingOrder.order.effect();
    boolean creation = effect == Effect.HANG_CREATIONS && operation == OPERATION.EXISTS;
    if (effect == Effect.HANG || effect == Effect.SLOW || creation) {
      waiting.incrementAndGet();
      try {
        if (effect == Effect.SLOW) {
          FileIoHook.delay(standingOrder.end, standingOrder.order.millis());
        } else {
          FileIoHook.hangUntil(standingOrder.end);
        }
      } finally {
        waiting.decrementAndGet();
      }
    } else if (effect == Effect.FULL && NEED_SPACE.contains(operation)) {
      FaultyDisks.<RuntimeException>raise(new IOException("No space left on device"));
    } else if (effect == Effect.FAIL && !NEVER_THROW.contains(operation)) {
      // As java.io does: opening tells of any error by this class, and some callers expect no
      // other.
      FaultyDisks.<RuntimeException>raise(
          operation == OPERATION.OPEN
              ? new FileNotFoundException("(Input/output error)")
              : new IOException("Input/output error"));
    }
  }

  /** The hook's methods declare no exception; the operations behind it all declare this one. */
  @SuppressWarnings("unchecked")
  private static <E extends Throwable> void raise(IOException e) throws E {
    throw (E) e;
  }

  /** What an order may call a volume. */
  static List<String> names(FsVolumeSpi volume) {
    return List.of(directory(volume), volume.getStorageID(), volume.getStorageType().name());
  }

  /** The last element of a volume's directory. */
  static String directory(FsVolumeSpi volume) {
    return String.valueOf(Path.of(volume.getBaseURI()).getFileName());
  }
}
