package io.evenkeel.terasort.core.split;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/** What one map task reads, in arrays: a job may have a million of them. Immutable. */
public final class PackedSplit {
  private final Range[] ranges;
  private final String[] hosts;

  PackedSplit(List<Range> ranges, List<String> hosts) {
    this.ranges = ranges.toArray(new Range[0]);
    this.hosts = hosts.toArray(new String[0]);
  }

  /** The ranges in the order of the listing. */
  public List<Range> ranges() {
    return Collections.unmodifiableList(Arrays.asList(ranges));
  }

  /** Hosts that have a replica of every range; the one it was planned for first. */
  public List<String> hosts() {
    return Collections.unmodifiableList(Arrays.asList(hosts));
  }

  /** Bytes. */
  public long length() {
    return Arrays.stream(ranges).mapToLong(Range::length).sum();
  }
}
