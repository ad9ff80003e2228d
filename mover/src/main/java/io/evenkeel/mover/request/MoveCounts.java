package io.evenkeel.mover.request;

/**
 * Replicas and bytes moved inside a DataNode (local) and over the network (remote), and attempts
 * that were repeated. Immutable.
 */
public final class MoveCounts {
  /** Nothing moved. */
  public static final MoveCounts NONE = new MoveCounts(0, 0, 0, 0, 0);

  private final long localReplicas;
  private final long remoteReplicas;
  private final long localBytes;
  private final long remoteBytes;
  private final long retries;

  /** Creates it; a retry is an attempt that was refused or failed and was made again. */
  public MoveCounts(
      long localReplicas, long remoteReplicas, long localBytes, long remoteBytes, long retries) {
    this.localReplicas = localReplicas;
    this.remoteReplicas = remoteReplicas;
    this.localBytes = localBytes;
    this.remoteBytes = remoteBytes;
    this.retries = retries;
  }

  /** One replica of {@code bytes} bytes. */
  public static MoveCounts replica(boolean local, long bytes) {
    return local ? new MoveCounts(1, 0, bytes, 0, 0) : new MoveCounts(0, 1, 0, bytes, 0);
  }

  /** One repeated attempt. */
  public static MoveCounts retry() {
    return new MoveCounts(0, 0, 0, 0, 1);
  }

  /** The sum of both. */
  public MoveCounts plus(MoveCounts other) {
    return new MoveCounts(
        localReplicas + other.localReplicas,
        remoteReplicas + other.remoteReplicas,
        localBytes + other.localBytes,
        remoteBytes + other.remoteBytes,
        retries + other.retries);
  }

  /** Replicas moved to another storage of the same DataNode. */
  public long localReplicas() {
    return localReplicas;
  }

  /** Replicas moved to another DataNode. */
  public long remoteReplicas() {
    return remoteReplicas;
  }

  /** All replicas moved. */
  public long replicas() {
    return localReplicas + remoteReplicas;
  }

  /** Bytes of the replicas moved inside a DataNode. */
  public long localBytes() {
    return localBytes;
  }

  /** Bytes of the replicas moved to another DataNode. */
  public long remoteBytes() {
    return remoteBytes;
  }

  /** Attempts that were made again. */
  public long retries() {
    return retries;
  }

  @Override
  public String toString() {
    return localReplicas
        + " local ("
        + localBytes
        + " bytes), "
        + remoteReplicas
        + " remote ("
        + remoteBytes
        + " bytes), "
        + retries
        + " retries";
  }
}
