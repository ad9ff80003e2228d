package io.evenkeel.placement.core;

/** Where the next replica of a block is looked for, and in which order rules give way. */
interface Plan {
  /**
   * Finds one more replica.
   *
   * @return false when there is none to be had
   */
  boolean next(ReplicaSearch search);
}
