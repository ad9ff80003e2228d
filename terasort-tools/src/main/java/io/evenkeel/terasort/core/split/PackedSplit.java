package io.evenkeel.terasort.core.split;

import java.util.Collections;
import java.util.List;

/** What one map task reads. Immutable. */
public final class PackedSplit {
  private final List<Range> ranges;
  private final List<String> hosts;

  PackedSplit(List<Range> ranges, List<String> hosts) {
    this.ranges = Collections.unmodifiableList(ranges);
    this.hosts = Collections.unmodifiableList(hosts);
  }

  /** The ranges in the order of the listing. */
  public List<Range> ranges() {
    return ranges;
  }

  /** Hosts that have a replica of every range; the one it was planned for first. */
  public List<String> hosts() {
    return hosts;
  }

  /** Bytes. */
  public long length() {
    return ranges.stream().mapToLong(Range::length).sum();
  }
}
