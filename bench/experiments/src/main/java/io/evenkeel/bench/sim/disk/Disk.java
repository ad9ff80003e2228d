package io.evenkeel.bench.sim.disk;

import io.evenkeel.volume.core.DeviceCounters;
import java.util.ArrayList;
import java.util.List;

/**
 * One disk at one moment: who writes to it and reads from it, how fast it is, what its page cache
 * holds, and what its device has counted. Nothing is read from the page cache.
 *
 * <p>A device with a backlog holds {@link #QUEUE} requests, so one takes QUEUE times its size /
 * bandwidth; without a backlog it takes as long as it needs itself. Requests are of the size that
 * its writers make, on average. Confined to one thread.
 */
final class Disk {
  /** Requests a device with a backlog has in flight. */
  static final double QUEUE = 64;

  /** MB of one request of a stream: with a backlog 150 ms at 213 MB/s, 299 ms at 107 MB/s. */
  static final double REQUEST = 0.5;

  /** A flow this much below another one is as large. */
  private static final double EQUAL = 1 - 1e-9;

  private static final double NOTHING = 1e-9;

  final DiskSpec spec;
  final int index;

  /** Blocks that were placed here and are not done, and those of them whose bytes flow. */
  final List<Block> open = new ArrayList<>();

  final List<Block> streams = new ArrayList<>();

  /** Blocks that are read. */
  final List<Block> reads = new ArrayList<>();

  /** MB of its part of the page cache, and how much of it is dirty. */
  final double cache;

  double dirty;

  /** What is left of its bandwidth, and the noise on its counters. */
  double factor = 1;

  double noise = 1;

  /** MB/s the device reads, could write beside that, that come in, and that it writes. */
  double reading;

  double granted;

  double inflow;
  double drain;

  private final Packets packets = new Packets();

  private double free;
  private double written;
  private double requests;
  private double read;
  private double request = REQUEST;
  private double writeMillis;
  private double heldMillis;
  private double busyMillis;

  Disk(DiskSpec spec, int index, double cache) {
    this.spec = spec;
    this.index = index;
    this.cache = cache;
    this.free = spec.free();
  }

  /** MB/s of the device by itself. */
  double own() {
    int n = Math.max(1, streams.size() + reads.size());
    return factor * spec.bandwidth() / (1 + spec.seekLoss() * (n - 1));
  }

  /** MB/s the device would write if it were alone on its controller. */
  double wanted(double streamCap) {
    return dirty > 0 ? own() : Math.min(own(), (streams.size() + reads.size()) * streamCap);
  }

  /**
   * Takes the part of the readers from what the device was granted. Each gets as much as a writer;
   * all writers to a page cache are one to the device.
   */
  void serveReads(double streamCap) {
    reading = 0;
    if (reads.isEmpty()) {
      return;
    }
    boolean writes = dirty > 0 || !streams.isEmpty();
    int writers = cache == 0 ? streams.size() : writes ? 1 : 0;
    double each = Math.min(streamCap, granted / (reads.size() + writers));
    reads.forEach(block -> block.rate = each);
    reading = each * reads.size();
    granted -= reading;
  }

  /** MB/s that writers get in all; infinite while the page cache takes everything. */
  double capacity() {
    return full() ? granted : Double.POSITIVE_INFINITY;
  }

  private boolean full() {
    return dirty >= cache * EQUAL;
  }

  /** Adds up what flows, once every block has its rate. */
  void settle() {
    inflow = 0;
    double perSecond = 0;
    for (Block block : streams) {
      inflow += block.rate;
      perSecond += block.rate / block.request;
    }
    request = inflow > 0 ? inflow / perSecond : request;
    drain = dirty > 0 ? granted : Math.min(granted, inflow);
  }

  /** Seconds until the page cache is full or empty. */
  double nextChange() {
    double change = inflow - drain;
    if (change > 0 && !full()) {
      return (cache - dirty) / change;
    }
    return change < 0 && dirty > 0 ? dirty / -change : Double.POSITIVE_INFINITY;
  }

  void advance(double seconds) {
    double busy = busy();
    double writing = busy * (reading == 0 ? 1 : drain / (drain + reading));
    busyMillis += seconds * 1000 * Math.min(1, busy);
    if (drain > 0) {
      writeMillis += noise * (seconds * 1000 * writing + heldMillis);
      heldMillis = 0;
    } else {
      heldMillis += seconds * 1000 * writing; // counted when the requests complete
    }
    packets.add(streams.size(), seconds, inflow * seconds);
    written += drain * seconds;
    requests += drain * seconds / request;
    read += reading * seconds;
    dirty = Math.min(cache, dirty + (inflow - drain) * seconds);
    dirty = dirty < NOTHING ? 0 : dirty;
  }

  /** Requests in flight on average. */
  private double busy() {
    double used = drain + reading;
    double most = granted + reading;
    if (used >= most * EQUAL) {
      return streams.isEmpty() && reads.isEmpty() && dirty == 0 ? 0 : QUEUE;
    }
    return used / most;
  }

  /** Counters as the operating system shows them. */
  DeviceCounters counters() {
    long writes = (long) requests;
    long completed = writes + (long) (read / REQUEST);
    long inFlight = (long) Math.ceil(busy());
    double in = written * (1 << 20);
    double out = read * (1 << 20);
    return new DeviceCounters(completed, writes, writeMillis, inFlight, busyMillis, in, out);
  }

  /** What its writers saw. */
  Packets packets() {
    return packets;
  }

  /** MB written by the device so far. */
  double written() {
    return written;
  }

  /** MB no block was promised. */
  double free() {
    return free;
  }

  /** A block is placed here. */
  void place(Block block) {
    free -= block.remaining;
    open.add(block);
  }

  /** It is done. */
  void done(Block block) {
    open.remove(block);
    streams.remove(block);
    reads.remove(block);
  }

  /** Part of its capacity that is used or promised. */
  double fill() {
    return 1 - free / spec.capacity();
  }

  /** MB that open blocks have announced and not received. */
  double unacknowledged() {
    double sum = 0;
    for (Block block : open) {
      sum += block.remaining;
    }
    return sum;
  }
}
