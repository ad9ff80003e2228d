package io.evenkeel.terasort.mapreduce;

/** What the job counts, beside Hadoop's own counters. */
public enum ValidationCounter {
  /** Whole records inside ranges; those on an edge are added in the reducer. */
  RECORDS,
  /** Bytes of the ranges read. */
  BYTES_READ,
  /** Bytes read by a task on a host that has a replica of them. */
  BYTES_WITH_REPLICA_HERE,
  /** Bytes read by a task on another host. */
  BYTES_FROM_ELSEWHERE,
  /** Things found wrong, each once. */
  VIOLATIONS
}
