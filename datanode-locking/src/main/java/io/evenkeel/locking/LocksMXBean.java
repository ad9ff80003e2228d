package io.evenkeel.locking;

import java.util.List;

/**
 * The locks of blocks of one DataNode; read by {@code evenkeel locks} through {@code /jmx} under
 * {@code io.evenkeel:type=Locks,module=locking,*}. Attribute names are API. Reading it takes no
 * lock that an operation on a block holds. An interface of its own because JMX needs a public one.
 */
public interface LocksMXBean {
  /**
   * {@code active}; {@code gone} when the DataNode of this bean has ended and its JVM lives on, as
   * in a mini cluster. All else is then 0 or empty.
   */
  String getState();

  /** Locks that exist at the moment; 0 when nothing runs. */
  int getLiveLocks();

  /** Threads that wait for the lock of a block at the moment, about. */
  int getThreadsWaiting();

  /** Block pools that are closed, or are being closed, and refuse operations. */
  List<String> getClosedPools();

  /** How long locks were held since start; a hold counts when it ends. */
  TimesReport getHeld();

  /** How long locks were waited for since start, of the times they were not free. */
  TimesReport getWaited();

  /** An operation that holds its lock longer is slow: {@code evenkeel.locking.slow-hold}, in ms. */
  long getSlowHoldMillis();

  /** How many holds that ended since start were slow. */
  long getSlowHolds();

  /** How often a rule of the locks was broken since start: a fault of this plugin. */
  long getBrokenRules();

  /** The last broken rule in words, or an empty text. */
  String getLastBrokenRule();

  /** Who holds a lock, the longest first, at most {@value LocksBean#MOST_HOLDERS}. */
  List<HolderReport> getHolders();
}
