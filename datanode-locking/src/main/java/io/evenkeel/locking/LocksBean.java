package io.evenkeel.locking;

import io.evenkeel.locking.core.Holding;
import io.evenkeel.locking.core.Operation;
import io.evenkeel.locking.core.TimeHistogram;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * Answers JMX for the locks of one DataNode, until that has ended. A class of its own, and not its
 * {@link LockMonitor}, because the platform's MBean server lives as long as the JVM and may keep
 * nothing of a DataNode that has ended. Thread-safe.
 */
final class LocksBean implements LocksMXBean {
  /** Of the first DataNode; the others of a mini cluster are numbered. */
  static final String NAME = "io.evenkeel:type=Locks,module=locking";

  /** So many holders are listed at most. */
  static final int MOST_HOLDERS = 100;

  private static final TimeHistogram NOTHING = new TimeHistogram();

  private volatile LockMonitor monitor; // null once its DataNode has ended

  LocksBean(LockMonitor monitor) {
    this.monitor = monitor;
  }

  /** Whether the DataNode has ended, so that the name is free for another. */
  boolean isGone() {
    return live() == null;
  }

  /** The locks it shows; null once their DataNode has ended. */
  LockMonitor live() {
    LockMonitor known = monitor;
    if (known != null && known.isClosed()) {
      monitor = null;
      return null;
    }
    return known;
  }

  private <T> T ask(Function<LockMonitor, T> question, T gone) {
    LockMonitor known = live();
    return known == null ? gone : question.apply(known);
  }

  @Override
  public String getState() {
    return isGone() ? "gone" : "active";
  }

  @Override
  public int getLiveLocks() {
    return ask(m -> m.operations().liveLocks(), 0);
  }

  @Override
  public int getThreadsWaiting() {
    return ask(m -> m.operations().waiting(), 0);
  }

  @Override
  public List<String> getClosedPools() {
    return ask(m -> m.operations().closedPools(), Collections.<String>emptyList());
  }

  @Override
  public TimesReport getHeld() {
    return new TimesReport(ask(m -> m.statistics().held(), NOTHING));
  }

  @Override
  public TimesReport getWaited() {
    return new TimesReport(ask(m -> m.statistics().waited(), NOTHING));
  }

  @Override
  public long getSlowHoldMillis() {
    return ask(LockMonitor::slowMillis, 0L);
  }

  @Override
  public long getSlowHolds() {
    return ask(m -> m.statistics().slowHolds(), 0L);
  }

  @Override
  public long getBrokenRules() {
    return ask(m -> m.operations().brokenRules(), 0L);
  }

  @Override
  public String getLastBrokenRule() {
    return ask(m -> m.operations().lastBrokenRule(), "");
  }

  @Override
  public List<HolderReport> getHolders() {
    return ask(LocksBean::holders, Collections.<HolderReport>emptyList());
  }

  private static List<HolderReport> holders(LockMonitor monitor) {
    List<Holding> holdings = monitor.holdings();
    holdings = holdings.subList(0, Math.min(holdings.size(), MOST_HOLDERS));
    Map<Operation, List<String>> stacks = stacks(holdings, monitor);
    List<HolderReport> reports = new ArrayList<>();
    for (Holding each : holdings) {
      String directory = monitor.directory(each.volume());
      List<String> stack = stacks.get(each.operation());
      reports.add(
          new HolderReport(
              each, directory, stack == null ? Collections.<String>emptyList() : stack));
    }
    return reports;
  }

  /** Stacks of the longest holder of each volume, if it is in the same hold afterwards. */
  private static Map<Operation, List<String>> stacks(
      List<Holding> longestFirst, LockMonitor monitor) {
    Map<Operation, List<String>> stacks = new IdentityHashMap<>();
    Map<Operation, Long> since = new IdentityHashMap<>();
    Set<String> volumes = new HashSet<>();
    for (Holding each : longestFirst) {
      Operation operation = each.operation();
      if (volumes.add(each.volume())) {
        since.put(operation, operation.since());
        stacks.put(operation, lines(operation.thread().getStackTrace()));
      }
    }
    Map<Operation, Long> after = new IdentityHashMap<>();
    monitor.holdings().forEach(h -> after.put(h.operation(), h.operation().since()));
    stacks.keySet().removeIf(operation -> !since.get(operation).equals(after.get(operation)));
    return stacks;
  }

  private static List<String> lines(StackTraceElement[] stack) {
    List<String> lines = new ArrayList<>();
    for (StackTraceElement each : stack) {
      lines.add(each.toString());
    }
    return lines;
  }
}
