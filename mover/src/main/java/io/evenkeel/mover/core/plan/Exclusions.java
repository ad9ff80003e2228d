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
      };

  /** Whether the replica may not leave its DataNode. */
  boolean isPinned(Replica replica);

  /** Whether this block should not be tried on that DataNode and type again for now. */
  boolean isRefused(String node, String type);
}
