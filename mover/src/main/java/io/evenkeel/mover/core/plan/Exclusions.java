package io.evenkeel.mover.core.plan;

/** What the attempts made so far taught about one block; nothing unless a method is overridden. */
public interface Exclusions {
  /** Nothing is known. */
  Exclusions NONE = new Exclusions() {};

  /** Whether the replica may not leave its DataNode. */
  default boolean isPinned(Replica replica) {
    return false;
  }

  /** Whether this block should not be tried on that DataNode and type again for now. */
  default boolean isRefused(String node, String type) {
    return false;
  }

  /** Whether this block should not be read from that DataNode for now. */
  default boolean isUnreadable(String node) {
    return false;
  }

  /** Whether what was read from that DataNode was perhaps bad: another is read if there is one. */
  default boolean isDoubted(String node) {
    return false;
  }

  /** Whether the DataNode may be back soon, and its replica is not to be moved until then. */
  default boolean isAwaited(String node) {
    return false;
  }
}
