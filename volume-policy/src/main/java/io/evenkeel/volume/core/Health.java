package io.evenkeel.volume.core;

/**
 * How far a volume is trusted with a new block; a later one is only used when no earlier has room.
 */
public enum Health {
  /** Like its peers, as far as is known. */
  IN_USE,
  /** Was ejected; one block was sent to see how it is doing. */
  PROBATION,
  /** Much slower than its peers; set aside for a time. */
  EJECTED,
  /** Its device completes nothing, or a question for its free space is not answered. */
  HUNG,
  /** Its free space cannot be read. */
  FAILING
}
