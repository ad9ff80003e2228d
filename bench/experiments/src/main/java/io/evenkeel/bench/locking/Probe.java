package io.evenkeel.bench.locking;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.ReplicaHandler;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.ReplicaInputStreams;

/**
 * Does what a client's stream makes the DataNode do, again and again in a thread of its own, and
 * remembers the longest time each call took. Confined to the thread that started it but for its own
 * loop.
 */
final class Probe {
  private static final long PAUSE_MILLIS = 5;
  private static final long FINISH_PAUSE_MILLIS = 20;

  private final OneDataNode dataNode;
  private final Thread thread;
  private volatile boolean over;
  private volatile Exception failure;
  private volatile double worstCreate;
  private volatile double worstFinalize;
  private volatile double worstOpen;
  private volatile double worstPause;
  private final List<ExtendedBlock> blocks = new ArrayList<>();
  private final Deque<ExtendedBlock> written = new ArrayDeque<>();
  private long pauseMillis = PAUSE_MILLIS;

  private interface Round {
    void run() throws Exception;
  }

  private Probe(OneDataNode dataNode, String name) {
    this.dataNode = dataNode;
    this.thread = new Thread(this::loop, name);
    this.thread.setDaemon(true);
  }

  private Round round;

  /** Creates and finalizes blocks; storage null: all volumes of the type in turn. */
  static Probe writing(OneDataNode dataNode, StorageType type, String storageId) {
    Probe probe = new Probe(dataNode, "probe-write");
    probe.round = () -> probe.write(type, storageId);
    return probe;
  }

  /**
   * Finalizes blocks that are written before it starts: those of {@link #writing} cannot be reached
   * while their creation waits.
   *
   * @param millis how long it will run at most; waits where it runs out of blocks
   */
  static Probe finishing(OneDataNode dataNode, StorageType type, String storageId, long millis)
      throws IOException {
    Probe probe = new Probe(dataNode, "probe-finish");
    probe.pauseMillis = FINISH_PAUSE_MILLIS;
    for (long i = 0; i <= millis / FINISH_PAUSE_MILLIS; i++) {
      probe.written.add(dataNode.written(type, storageId));
    }
    probe.round = probe::finish;
    return probe;
  }

  /** Opens a finalized block both ways a reader does. */
  static Probe opening(OneDataNode dataNode, ExtendedBlock block) {
    Probe probe = new Probe(dataNode, "probe-open");
    probe.round = () -> probe.open(block);
    return probe;
  }

  /** Does nothing: what it is late after a pause, no lock has to do with. */
  static Probe idle(OneDataNode dataNode) {
    Probe probe = new Probe(dataNode, "probe-idle");
    probe.round = () -> {};
    return probe;
  }

  Probe start() {
    thread.start();
    return this;
  }

  /** So many rounds in the calling thread; what they took is forgotten. */
  Probe warmUp(int rounds) throws Exception {
    for (int i = 0; i < rounds; i++) {
      round.run();
    }
    worstCreate = 0;
    worstFinalize = 0;
    worstOpen = 0;
    return this;
  }

  /** Ends after the round it is in, however long that takes, and deletes what it wrote. */
  Probe end() throws Exception {
    over = true;
    thread.join();
    if (failure != null) {
      throw failure;
    }
    double worst = worstFinalize;
    while (!written.isEmpty()) {
      finish();
    }
    worstFinalize = worst;
    dataNode.delete(blocks);
    return this;
  }

  /** Milliseconds. */
  double worstCreate() {
    return worstCreate;
  }

  /** Milliseconds. */
  double worstFinalize() {
    return worstFinalize;
  }

  /** Milliseconds. */
  double worstOpen() {
    return worstOpen;
  }

  /** How late it went on after a pause, milliseconds: for want of a processor, or of memory. */
  double worstPause() {
    return worstPause;
  }

  private void loop() {
    try {
      while (!over) {
        round.run();
        long start = System.nanoTime();
        Thread.sleep(pauseMillis);
        worstPause = Math.max(worstPause, millisSince(start) - pauseMillis);
      }
    } catch (Exception e) {
      failure = e;
    }
  }

  private void write(StorageType type, String storageId) throws IOException {
    ExtendedBlock block = dataNode.newBlock();
    long start = System.nanoTime();
    try (ReplicaHandler handler = dataNode.dataset().createRbw(type, storageId, block, false)) {
      worstCreate = Math.max(worstCreate, millisSince(start));
      OneDataNode.write(handler.getReplica(), OneDataNode.BLOCK);
      block.setNumBytes(OneDataNode.BLOCK);
      start = System.nanoTime();
      dataNode.dataset().finalizeBlock(block, false);
      worstFinalize = Math.max(worstFinalize, millisSince(start));
    }
    blocks.add(block);
  }

  private void finish() throws IOException {
    ExtendedBlock block = written.poll();
    if (block == null) {
      return;
    }
    long start = System.nanoTime();
    dataNode.dataset().finalizeBlock(block, false);
    worstFinalize = Math.max(worstFinalize, millisSince(start));
    blocks.add(block);
  }

  private void open(ExtendedBlock block) throws IOException {
    long start = System.nanoTime();
    try (InputStream in = dataNode.dataset().getBlockInputStream(block, 0);
        ReplicaInputStreams both = dataNode.dataset().getTmpInputStreams(block, 0, 0)) {
      worstOpen = Math.max(worstOpen, millisSince(start));
    }
  }

  private static double millisSince(long nanos) {
    return (System.nanoTime() - nanos) / 1e6;
  }
}
