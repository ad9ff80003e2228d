package io.evenkeel.placement.core;

/**
 * One replica of a block as the choice of an excess one sees it.
 *
 * @param <T> what stands for it outside
 */
public final class Replica<T> {
  final T source;
  final String rack;
  final String host;
  final String node;
  private boolean candidate;
  private boolean overdue;
  private long heartbeat;
  private long remaining;

  /** Creates a replica that is not to be deleted. */
  public Replica(T source, String rack, String host, String node) {
    this.source = source;
    this.rack = rack;
    this.host = host;
    this.node = node;
  }

  /**
   * The replica may be deleted.
   *
   * @param heartbeat when its DataNode last sent one, in milliseconds of any clock
   * @param overdue whether that is longer ago than is tolerated
   * @param remaining bytes free on its volume
   */
  public Replica<T> candidate(long heartbeat, boolean overdue, long remaining) {
    this.candidate = true;
    this.heartbeat = heartbeat;
    this.overdue = overdue;
    this.remaining = remaining;
    return this;
  }

  /** What stands for it outside. */
  public T source() {
    return source;
  }

  boolean isCandidate() {
    return candidate;
  }

  /** Whether this one goes before the other, as far as the DataNodes matter. */
  boolean goesBefore(Replica<T> other) {
    if (overdue != other.overdue) {
      return overdue;
    }
    return overdue ? heartbeat < other.heartbeat : remaining < other.remaining;
  }
}
