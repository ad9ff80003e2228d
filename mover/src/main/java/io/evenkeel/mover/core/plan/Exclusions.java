package io.evenkeel.mover.core.plan;

/** What the attempts made so far taught about one block. */
public interface Exclusions {
  /** Nothing is known. */
  Exclusions NONE =
      new Exclusions() {
        @Override
        public boolean isPinned(Replica replica) {
          return false;
        }

        @Override
        public boolean isRefused(String node, String type) {
          return false;
        }

        @Override
        public boolean isUnreadable(String node) {
          return false;
        }

        @Override
        public boolean isAwaited(String node) {
          return false;
        }
      };

  /** Whether the replica may not leave its DataNode. */
  boolean isPinned(Replica replica);

  /** Whether this block should not be tried on that DataNode and type again for now. */
  boolean isRefused(String node, String type);

  /** Whether this block should not be read from that DataNode for now. */
  boolean isUnreadable(String node);

  /** Whether the DataNode may be back soon, and its replica is not to be moved until then. */
  boolean isAwaited(String node);
}
