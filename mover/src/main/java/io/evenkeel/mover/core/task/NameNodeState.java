package io.evenkeel.mover.core.task;

/** Why the NameNode may know of replicas it does not show, or keep some in excess. Immutable. */
public final class NameNodeState {
  /** Nothing of the kind, as far as is known. */
  public static final NameNodeState USUAL = new NameNodeState(false, false);

  private final boolean safeMode;
  private final boolean maintenance;

  /**
   * Creates it.
   *
   * @param safeMode whether the NameNode is in safe mode: DataNodes may not have reported all
   *     replicas, and none in excess is deleted
   * @param maintenance whether a DataNode is in maintenance: its replicas are not shown, and a
   *     block that has one may do with fewer until it is back. False in safe mode, of which is said
   *     first
   */
  public NameNodeState(boolean safeMode, boolean maintenance) {
    this.safeMode = safeMode;
    this.maintenance = maintenance;
  }

  /** Why a block may have more replicas than are shown; empty when nothing says so. */
  String hides() {
    return maintenance ? "DataNodes are in maintenance" : keeps();
  }

  /** Why replicas in excess are not deleted; empty when nothing says so. */
  String keeps() {
    return safeMode ? "the NameNode is in safe mode" : "";
  }
}
