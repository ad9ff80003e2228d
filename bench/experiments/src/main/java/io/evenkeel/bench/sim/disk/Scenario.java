package io.evenkeel.bench.sim.disk;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.hadoop.fs.StorageType;

/**
 * What is simulated: DataNodes, their load and what goes wrong. Immutable.
 *
 * @param node every DataNode is like this one
 * @param nodes how many there are
 * @param load who writes
 * @param faults on the first DataNode
 * @param noise the latency that the device reports is wrong by up to this fraction, anew each
 *     second
 */
record Scenario(Node node, int nodes, Load load, List<Fault> faults, double noise) {
  /**
   * A DataNode.
   *
   * @param type storage type of all its volumes
   * @param controllers bandwidth of each shared controller
   * @param cache MB of dirty pages it may hold; 0 when writers wait for the device
   * @param network MB/s of one client at most
   */
  record Node(
      StorageType type,
      List<DiskSpec> disks,
      List<Double> controllers,
      double cache,
      double network) {
    static Node of(StorageType type, List<DiskSpec> disks) {
      return new Node(type, disks, List.of(), 0, FairShare.STREAM_CAP);
    }

    Node controllers(Double... bandwidths) {
      return new Node(type, disks, List.of(bandwidths), cache, network);
    }

    Node cache(double mb) {
      return new Node(type, disks, controllers, mb, network);
    }

    Node network(double bandwidth) {
      return new Node(type, disks, controllers, cache, bandwidth);
    }
  }

  /**
   * A closed loop: each writer writes one block after the other.
   *
   * @param writers in all
   * @param block MB
   * @param replicas DataNodes each block is written to, in lock step
   * @param jitter by how much of its mean the time to open a block varies, at most; without it
   *     writers of equal disks go in lock step, which is the best case of a rotation
   * @param small how many of the writers make small requests, {@link #SMALL} MB each
   * @param readers who reads beside them
   * @param seconds length of the run
   */
  record Load(
      int writers,
      double block,
      int replicas,
      double jitter,
      int small,
      Readers readers,
      double seconds) {
    static final double BLOCK = 128;

    /** MB of a request of a writer that syncs what it has: 16 KB. */
    static final double SMALL = 1.0 / 64;

    static Load of(int writers, double seconds) {
      return new Load(writers, BLOCK, 1, 0, 0, Readers.NONE, seconds);
    }

    Load jitter(double fraction) {
      return new Load(writers, block, replicas, fraction, small, readers, seconds);
    }

    Load small(int count) {
      return new Load(writers, block, replicas, jitter, count, readers, seconds);
    }

    Load readers(Readers others) {
      return new Load(writers, block, replicas, jitter, small, others, seconds);
    }
  }

  /**
   * A closed loop beside that of the writers: each reader reads one whole block after the other,
   * drawn from the latest ones that are complete. Nothing is read from the page cache.
   *
   * @param count readers
   * @param newest from so many blocks they draw
   * @param burst seconds in which they read, after as many without; 0 when they always do
   */
  record Readers(int count, int newest, double burst) {
    static final Readers NONE = new Readers(0, 0, 0);

    /** Seconds from a moment on until they read; 0 when they do. */
    double wait(double time) {
      double phase = burst == 0 ? burst : time % (2 * burst);
      return Math.max(0, burst - phase);
    }
  }

  /** One DataNode without faults. */
  static Scenario of(Node node, Load load) {
    return new Scenario(node, 1, load, List.of(), 0);
  }

  /** The same with these faults instead. */
  Scenario with(Fault... others) {
    return new Scenario(node, nodes, load, List.of(others), noise);
  }

  /** The same with that noise. */
  Scenario noisy(double fraction) {
    return new Scenario(node, nodes, load, faults, fraction);
  }

  /** The same with another load. */
  Scenario with(Load other) {
    return new Scenario(node, nodes, other, faults, noise);
  }

  /** The same without one disk, and without faults. */
  Scenario without(int disk) {
    List<DiskSpec> rest = new ArrayList<>(node.disks);
    rest.remove(disk);
    Node smaller = new Node(node.type, rest, node.controllers, node.cache, node.network);
    return new Scenario(smaller, nodes, load, List.of(), noise);
  }

  /** What is left of the bandwidth of a part of that DataNode at that moment. */
  double factor(int nodeIndex, Fault.Part part, int index, double time) {
    double factor = 1;
    for (Fault fault : faults) {
      boolean hit = nodeIndex == 0 && fault.part() == part && fault.index() == index;
      factor *= hit && fault.at(time) ? fault.factor() : 1;
    }
    return factor;
  }

  /** One line for a report. */
  String describe() {
    StringBuilder text = new StringBuilder();
    text.append(load.writers).append(" writers, blocks of ").append((int) load.block);
    text.append(" MB, page cache ").append((int) node.cache).append(" MB, ").append(node.type);
    text.append(" of");
    node.disks.forEach(disk -> text.append(' ').append(Math.round(disk.bandwidth())));
    text.append(" MB/s");
    for (Fault fault : faults) {
      text.append(
          String.format(
              Locale.ROOT,
              ", %s %d x %.3f from %.0f to %.0f s",
              fault.part().name().toLowerCase(Locale.ROOT),
              fault.index(),
              fault.factor(),
              fault.from(),
              fault.to()));
    }
    return text.toString();
  }
}
