package io.evenkeel.mover.follow;

/** How many may be handed over at once. Not thread-safe. */
final class Room {
  /** Requests the mover works on where those it works on only wait. */
  private static final int MOST = 1_024;

  private final int usual;
  private int most;
  private int taken;

  Room(int usual) {
    this.usual = usual;
    this.most = usual;
  }

  boolean isFree() {
    return taken < most;
  }

  void take() {
    taken++;
  }

  void giveBack() {
    taken--;
  }

  /**
   * To be called every second: makes more room where those handed over only wait, as for a DataNode
   * that hangs, and less once it is not needed.
   */
  void adapt(boolean theyOnlyWait) {
    if (!theyOnlyWait) {
      most = Math.max(usual, Math.min(most, taken));
    } else if (!isFree()) {
      most = Math.max(usual, Math.min(MOST, most + usual));
    }
  }
}
