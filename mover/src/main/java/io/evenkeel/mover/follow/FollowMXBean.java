package io.evenkeel.mover.follow;

/**
 * What the daemon reports about itself as {@code io.evenkeel:type=Mover,name=Follow} in JMX. Counts
 * are since the process started. Attribute names are API.
 */
public interface FollowMXBean {
  /** {@code standby}, {@code starting}, {@code active} or {@code stopped}. */
  String getState();

  /** Whether it is active, but an administrator has paused it. */
  boolean isPaused();

  /** Name of this daemon. */
  String getInstance();

  /** Transactions the NameNode was ahead at the last call; -1 when unknown. */
  long getLagTransactions();

  /** How old the last event read was, in milliseconds; 0 when there are no more. */
  long getLagMillis();

  /** The last transaction whose requests are in the journal. */
  long getLastTransaction();

  /** Requests without an end. */
  long getQueued();

  /** Requests the mover works on. */
  long getRunning();

  /** Age of the oldest request in milliseconds; 0 when there is none. */
  long getOldestRequestMillis();

  /** Events of all kinds that were read. */
  long getEvents();

  /** Requests that were journalled. */
  long getRequests();

  /** Attempts that have ended. */
  long getAttempts();

  /** Files that are as their policy asks after an attempt. */
  long getFilesSatisfied();

  /** Files that were given up. */
  long getFilesFailed();

  /** Replicas moved, as their DataNodes say, also by attempts that go on. */
  long getReplicasMoved();

  /** Bytes moved inside DataNodes. */
  long getBytesLocal();

  /** Bytes moved over the network. */
  long getBytesRemote();

  /** Attempts that were made again. */
  long getRetries();

  /** How often a prefix was to be scanned because events were lost or the queue was full. */
  long getRescans();

  /** How often this process became active. */
  long getActivations();

  /** The last error, empty when there was none. */
  String getLastError();

  /** {@code off}; {@code on} while the NameNode's satisfier queue is served; else why it is not. */
  String getSatisfier();
}
