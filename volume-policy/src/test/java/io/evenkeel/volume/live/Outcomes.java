package io.evenkeel.volume.live;

import io.evenkeel.volume.LatencyAwareVolumeChoosingPolicy;
import io.evenkeel.volume.signal.DataNodeSignals;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.RoundRobinVolumeChoosingPolicy;
import org.apache.hadoop.util.DiskChecker.DiskOutOfSpaceException;

/**
 * What the choices of the policies below came to. Static, because a DataNode makes its policy
 * itself; one test at a time resets and reads it. Thread-safe: the class guards all state.
 */
final class Outcomes {
  /** The DataNode names a thread after the block it receives. */
  private static final Pattern BLOCK = Pattern.compile("blk_\\d+");

  private static final DataNodeSignals SIGNALS = DataNodeSignals.create("in-flight", v -> "");

  /** The volumes chosen, in order. */
  private static final List<FsVolumeSpi> CHOSEN = new ArrayList<>();

  /** The latest outcome for each block: a volume, or null when it was refused. */
  private static final Map<String, FsVolumeSpi> PLACES = new HashMap<>();

  private static final List<String> WRONG = new ArrayList<>();
  private static final List<Throwable> OTHERS = new ArrayList<>();
  private static int refused;
  private static int underWay;

  private Outcomes() {}

  static synchronized void reset() {
    CHOSEN.clear();
    PLACES.clear();
    WRONG.clear();
    OTHERS.clear();
    refused = 0;
    underWay = 0;
  }

  static synchronized int chosen() {
    return CHOSEN.size();
  }

  static synchronized int refused() {
    return refused;
  }

  /** Whether the latest choice for a block ended without a volume. */
  static synchronized boolean wasRefused(String block) {
    return PLACES.containsKey(block) && PLACES.get(block) == null;
  }

  /** The volume chosen for a block; null for none. */
  static synchronized FsVolumeSpi placeOf(String block) {
    return PLACES.get(block);
  }

  /** Refusals although a volume had room that nobody else can have had in the meantime. */
  static synchronized List<String> wronglyRefused() {
    return List.copyOf(WRONG);
  }

  /** Everything but a volume or exactly stock's own exception for no space. */
  static synchronized List<Throwable> others() {
    return List.copyOf(OTHERS);
  }

  private interface Decision<V> {
    V make() throws IOException;
  }

  /** Bytes available on a volume and, not among them, reserved for blocks being written. */
  private record Room(long available, long reserved) {
    static Room of(FsVolumeSpi volume) throws IOException {
      return new Room(volume.getAvailable(), SIGNALS.unacknowledgedBytes(volume));
    }

    /**
     * Bytes that were there all the time between two moments, whatever came and went: bytes of a
     * block count twice from when they are written until they are acknowledged. Such a block is
     * being written at one of the moments, or has used up space in between.
     */
    static long throughout(Room first, Room last) {
      long least = Math.min(first.available, last.available);
      long used = first.available + first.reserved - last.available - last.reserved;
      return least - first.reserved - last.reserved - Math.max(0, used);
    }
  }

  private static <V extends FsVolumeSpi> V count(List<V> volumes, long size, Decision<V> decision)
      throws IOException {
    Map<FsVolumeSpi, Room> before = new IdentityHashMap<>();
    for (V volume : volumes) {
      before.put(volume, Room.of(volume));
    }
    int from = begin();
    V chosen = null;
    try {
      chosen = decision.make();
      return chosen;
    } catch (DiskOutOfSpaceException e) {
      refused(before, from, size, e);
      throw e;
    } catch (IOException | RuntimeException | Error e) {
      other(e);
      throw e;
    } finally {
      end(chosen);
    }
  }

  private static synchronized int begin() {
    underWay++;
    return CHOSEN.size();
  }

  private static synchronized void end(FsVolumeSpi chosen) {
    underWay--;
    if (chosen != null) {
      CHOSEN.add(chosen);
    }
    Matcher block = BLOCK.matcher(Thread.currentThread().getName());
    if (block.find()) {
      PLACES.put(block.group(), chosen);
    }
  }

  private static synchronized void other(Throwable e) {
    OTHERS.add(e);
  }

  private static void refused(
      Map<FsVolumeSpi, Room> before, int from, long size, DiskOutOfSpaceException e)
      throws IOException {
    if (e.getClass() != DiskOutOfSpaceException.class) {
      other(e);
    }
    for (FsVolumeSpi volume : before.keySet()) {
      Room after = Room.of(volume);
      synchronized (Outcomes.class) {
        long promised = size * (underWay - 1);
        for (FsVolumeSpi chosen : CHOSEN.subList(from, CHOSEN.size())) {
          promised += chosen == volume ? size : 0;
        }
        if (Room.throughout(before.get(volume), after) - promised > size) {
          WRONG.add(volume + " " + before.get(volume) + " " + after + " " + promised + ": " + e);
        }
      }
    }
    synchronized (Outcomes.class) {
      refused++;
    }
  }

  /** Stock's round robin, counted. */
  public static final class Stock<V extends FsVolumeSpi> extends RoundRobinVolumeChoosingPolicy<V> {
    @Override
    public V chooseVolume(List<V> volumes, long size, String storageId) throws IOException {
      return count(volumes, size, () -> super.chooseVolume(volumes, size, storageId));
    }
  }

  /** The latency-aware policy, counted. */
  public static final class LatencyAware<V extends FsVolumeSpi>
      extends LatencyAwareVolumeChoosingPolicy<V> {
    @Override
    public V chooseVolume(List<V> volumes, long size, String storageId) throws IOException {
      return count(volumes, size, () -> super.chooseVolume(volumes, size, storageId));
    }
  }
}
