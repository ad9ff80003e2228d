package io.evenkeel.placement;

import io.evenkeel.common.config.OneLine;
import io.evenkeel.placement.config.PlacementKeys;
import io.evenkeel.placement.core.mapping.Finding;
import io.evenkeel.placement.core.mapping.MappingRules;
import io.evenkeel.placement.core.mapping.NetworkLocation;
import io.evenkeel.placement.core.mapping.RepeatedGroups;
import io.evenkeel.placement.core.mapping.UnknownHosts;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.slf4j.Logger;

/**
 * Counts what a mapping answers and logs what an operator must know: new unknown hosts at most once
 * a minute, as a count and the last ten names; failures of the site's mapping likewise; and the
 * first node-group name that two racks use. Outside daemons it logs at DEBUG only. Thread-safe.
 */
final class MappingWatch {
  private static final long REPORT_NANOS = TimeUnit.MINUTES.toNanos(1);
  private static final int MOST_NAMED = 10;

  private final Logger log;
  private final boolean daemon;
  private final LongSupplier nanoTime;
  private final UnknownHosts unknownHosts;
  private final RepeatedGroups repeated = new RepeatedGroups();
  private final LongAdder names = new LongAdder();
  private final LongAdder unknown = new LongAdder();
  private final LongAdder failures = new LongAdder();

  /** When a failure may be written again; nanoseconds of {@link #nanoTime}. */
  private final AtomicLong nextFailure;

  MappingWatch(Logger log, boolean daemon, long recheckNanos, LongSupplier nanoTime) {
    this.log = log;
    this.daemon = daemon;
    this.nanoTime = nanoTime;
    this.unknownHosts = new UnknownHosts(REPORT_NANOS, recheckNanos);
    this.nextFailure = new AtomicLong(nanoTime.getAsLong());
  }

  /** Takes note of one answer of the site. */
  void answered(MappingRules rules, String host, String said) {
    names.increment();
    if (rules.find(said) != Finding.KNOWN) {
      unknown.increment();
      unknownHosts.add(host, nanoTime.getAsLong());
      return;
    }
    unknownHosts.remove(host);
    NetworkLocation location = NetworkLocation.parse(said).get();
    NetworkLocation other = repeated.add(location);
    if (other != null) {
      say(
          "Node group name {} is used by {} and {}: two hosts for Evenkeel's policies, one for"
              + " stock's BlockPlacementPolicyWithNodeGroup; further such names are only counted",
          location.last(),
          other.parent(),
          location.parent());
    }
  }

  /** Writes the line about unknown hosts when it is due. */
  void reportUnknown(MappingRules rules) {
    int count = unknownHosts.report(nanoTime.getAsLong());
    if (count == UnknownHosts.QUIET) {
      return;
    }
    List<String> hosts = unknownHosts.hosts();
    int from = Math.max(0, hosts.size() - Math.min(count, MOST_NAMED));
    say(
        "{} more hosts have no location with {} levels, {} in all; the last: {} ({} = {})",
        count,
        rules.depth(),
        hosts.size(),
        OneLine.of(String.join(", ", hosts.subList(from, hosts.size()))),
        PlacementKeys.MAPPING_UNKNOWN.name(),
        rules.mode().name().toLowerCase(java.util.Locale.ROOT));
  }

  /** Takes note that the site's mapping gave no answer. */
  void failed(String problem) {
    failures.increment();
    long now = nanoTime.getAsLong();
    long next = nextFailure.get();
    if (now - next >= 0 && nextFailure.compareAndSet(next, now + REPORT_NANOS)) {
      say(
          "The mapping that {} names {}; such failures so far: {}",
          PlacementKeys.MAPPING_WRAPPED.name(),
          OneLine.of(problem),
          failures.sum());
    }
  }

  private void say(String format, Object... arguments) {
    if (daemon) {
      log.warn(format, arguments);
    } else {
      log.debug(format, arguments);
    }
  }

  /** The hosts that are to be asked for again now. */
  List<String> takeToAskAgain() {
    return unknownHosts.takeToAskAgain(nanoTime.getAsLong());
  }

  List<String> unknownHosts() {
    return unknownHosts.hosts();
  }

  int repeatedGroups() {
    return repeated.count();
  }

  long names() {
    return names.sum();
  }

  long unknown() {
    return unknown.sum();
  }

  long failures() {
    return failures.sum();
  }
}
